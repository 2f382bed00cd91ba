/** Lists packages, each with its license, which most licenses require of a copy: `dist/licenses.txt`, and the list of a package. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licenses whose text is not in the package, by package. */
const SOURCES = { mediabunny: 'Its source is the npm package mediabunny.' };
/** In place of a license that `package.json` does not name. */
export const UNSAID = 'see below';
const RULE = '-'.repeat(78);
const PART = new RegExp(`^${RULE}\\n(?=\\S+ \\S+ \\(.+\\)$)`, 'm');

/**
 * @typedef {object} Licensed - A package or a program.
 * @property {string} name
 * @property {string} version
 * @property {string} license - SPDX expression, or other words.
 * @property {string} text - The license, and notes.
 * @property {string} [purl] - Its address in an SBOM. Default: of npm's package.
 */

/**
 * @param {string} root - Of the checkout.
 * @param {readonly string[]} inputs - Files in the bundles, from the root.
 * @throws Error when a package has no license.
 */
export function formatLicenses(root, inputs) {
  const folders = new Set(inputs.map(packageFolderOf).filter((folder) => folder !== null));
  const packages = [...folders].sort().map((folder) => readLicensed(path.join(root, folder)));
  return formatParts('The programs in this folder contain these packages.', packages);
}

/** @param {readonly Licensed[]} packages - Each is listed once. */
export function formatParts(title, packages) {
  const parts = packages.map(
    ({ name, version, license, text }) => `${RULE}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  return `${title}\n\n${[...new Set(parts)].join('\n')}`;
}

/** What {@link formatParts} has written. @returns {Licensed[]} */
export function parseParts(list) {
  return list
    .split(PART)
    .slice(1)
    .map((part) => {
      const [, name, version, license, text] = /^(\S+) (\S+) \((.+)\)\n\n([\s\S]*)$/.exec(part);
      return { name, version, license, text: text.trimEnd() };
    });
}

/** `node_modules/a/node_modules/b` of a file in it; null of a file that is in no package. */
function packageFolderOf(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

/** @param folder - Of the package. @returns {Licensed} @throws Error when it has no license. */
export function readLicensed(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, author, licenses } = manifest;
  // Old packages have a list.
  const license = manifest.license ?? licenses?.[0]?.type;
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)(?:[._-].*)?$/i.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0) {
    if (!license) throw new Error(`the package ${name} has no license`);
    texts.push(`Copyright ${holder ?? 'its authors'}. License: ${license}.`);
  }
  const text = [SOURCES[name], ...texts].filter(Boolean).join('\n\n');
  return { name, version, license: license ?? UNSAID, text };
}
