/** The SBOM of a package in CycloneDX's JSON. It has no time and no serial number, so that it is the same for the same files. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import { UNSAID } from '../build/format-licenses.js';
import { sha256Of } from './archive.js';

/**
 * @param {object} options
 * @param {string} options.version - Of the program.
 * @param {readonly import('../build/format-licenses.js').Licensed[]} options.inside
 * @param {string} options.app - Of the staged folder.
 * @param {string} options.node - Its program.
 * @returns {Promise<string>}
 */
export async function formatSbom({ version, inside, app, node }) {
  const bom = new Models.Bom();
  bom.metadata.component = toComponent(
    { name: 'listing-video', version, license: 'MIT' },
    { isProgram: true },
  );
  for (const each of inside) {
    const program = programOf(each.name, { app, node });
    const component = toComponent(each, { isProgram: program !== null });
    if (program !== null) component.hashes.set(Enums.HashAlgorithm['SHA-256'], await sha256Of(program));
    for (const library of librariesOf(path.join(app, 'node_modules', each.name)))
      component.components.add(library);
    bom.components.add(component);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function toComponent({ name, version, license, purl: ownPurl }, { isProgram }) {
  const [, group, plain] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name);
  const type = isProgram ? Enums.ComponentType.Application : Enums.ComponentType.Library;
  const address = name === 'node' ? 'generic/nodejs' : `npm/${name.replace('@', '%40')}`;
  const purl = ownPurl ?? `pkg:${address}@${version}`;
  const component = new Models.Component(type, plain, {
    version,
    purl,
    bomRef: purl,
    ...(group && { group }),
  });
  if (license !== UNSAID) component.licenses.add(toLicense(license));
  return component;
}

/** @param {string} words - An SPDX identifier, an expression of such, or other words. */
function toLicense(words) {
  if (SPDX.isSupportedSpdxId(words)) return new Models.SpdxLicense(words);
  const names = words.split(/[()\s]+|\b(?:AND|OR|WITH)\b/).filter(Boolean);
  return names.every((name) => SPDX.isSupportedSpdxId(name))
    ? new Models.LicenseExpression(words)
    : new Models.NamedLicense(words);
}

/** The program that a component is; null for code that programs load. */
function programOf(name, { app, node }) {
  if (name === 'node') return node;
  if (name !== 'ffmpeg' && !name.startsWith('@ffmpeg-installer/')) return null;
  const folder = path.join(app, name === 'ffmpeg' ? '' : 'node_modules', name);
  const files = ['ffmpeg', 'ffmpeg.exe'].map((each) => path.join(folder, each));
  return files.find((each) => existsSync(each)) ?? null;
}

/** The libraries in the package of sharp, as it lists them. */
function librariesOf(folder) {
  const file = path.join(folder, 'versions.json');
  if (!existsSync(file)) return [];
  return Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, version]) => {
    const purl = `pkg:generic/${name}@${version}`;
    return new Models.Component(Enums.ComponentType.Library, name, { version, purl, bomRef: purl });
  });
}
