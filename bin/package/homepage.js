/**
 * Where the publisher can be found: `homepage` in package.json is the one place that says it. Nobody publishes yet, so it is not there, and
 * all texts read well without. `npm run homepage -- https://…` writes it there and into the texts; without an address, it takes it out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACE = '{homepage}';

/** By file: the words with an address, and those without. */
export const TEXTS = {
  'README.md': {
    known: `Packages are at ${PLACE}, with their checksums. To make them yourself,`,
    unknown: 'If nobody gave you one,',
  },
  '.github/SECURITY.md': {
    known: `Report it in private: ${PLACE} names the people to tell.`,
    unknown: 'Report it in private, to the people who gave you the program.',
  },
};

/** @returns {string} The address; empty where nobody publishes. @throws Error when it is not one of a web page. */
export function readHomepage() {
  const { homepage = '' } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return check(homepage);
}

/**
 * @param {string} name - Of the file, from the checkout.
 * @param {string} text - Of that file, with any address or none.
 * @returns {string} The text with `homepage`.
 * @throws Error when the words to replace are not there.
 */
export function fillHomepage(name, text, homepage) {
  const { known, unknown } = TEXTS[name];
  const [before, after] = known.split(PLACE).map(toPattern);
  const pattern = new RegExp(`${before}\\S+?${after}|${toPattern(unknown)}`);
  if (!pattern.test(text)) throw new Error(`${name} has no words about where the publisher is`);
  return text.replace(pattern, () => (homepage === '' ? unknown : known.replace(PLACE, () => homepage)));
}

/** Lines can break at any space. */
function toPattern(words) {
  return words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
}

function check(homepage) {
  if (homepage !== '' && !/^https:\/\/[^\s<>()]+[^\s<>().,]$/.test(homepage))
    throw new Error(`homepage is ${homepage}, expected an address that begins with https://`);
  return homepage;
}

function write(homepage) {
  const change = (name, edit) => {
    const file = path.join(ROOT, name);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
  };
  change('package.json', (text) => {
    const { homepage: _, license, ...manifest } = JSON.parse(text);
    const entries = Object.entries(manifest);
    const at = entries.findIndex(([name]) => name === 'keywords') + 1;
    entries.splice(at, 0, ...(homepage === '' ? [] : [['homepage', homepage]]), ['license', license]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  });
  for (const name of Object.keys(TEXTS)) change(name, (text) => fillHomepage(name, text, homepage));
  console.log(
    homepage === '' ? 'No address is named.' : `${homepage} is named in package.json and the guides.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write(check(process.argv[2] ?? ''));
