/** Makes `dist/licenses.txt`: the packages in the bundles, each with its license, which most licenses require of a copy. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licenses whose text is not in the package, by package. */
const SOURCES = { mediabunny: 'Its source is the npm package mediabunny.' };

/**
 * @param {string} root - Of the checkout.
 * @param {readonly string[]} inputs - Files in the bundles, from the root.
 * @throws Error when a package has no license.
 */
export function formatLicenses(root, inputs) {
  const folders = new Set(inputs.map(packageFolderOf).filter((folder) => folder !== null));
  const parts = [...folders].sort().map((folder) => formatPackage(path.join(root, folder)));
  return `The programs in this folder contain these packages.\n\n${[...new Set(parts)].join('\n')}`;
}

/** `node_modules/a/node_modules/b` of a file in it; null of a file that is in no package. */
function packageFolderOf(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

function formatPackage(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const text = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : author?.name;
  if (text.length === 0) {
    if (!license) throw new Error(`the package ${name} in the bundle has no license`);
    text.push(`Copyright ${holder ?? 'its authors'}. License: ${license}.`);
  }
  const lines = [`${name} ${version} (${license ?? 'see below'})`, SOURCES[name], ...text];
  return `${'-'.repeat(78)}\n${lines.filter(Boolean).join('\n\n')}\n`;
}
