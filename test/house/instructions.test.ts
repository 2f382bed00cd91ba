/**
 * Nobody owns the name `listing-video` in npm's registry: a line that makes npm look for it there would run the code of
 * whoever takes it. Guides install from the package file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error Plain JavaScript without types.
import { fillHomepage, readHomepage, TEXTS } from '../../bin/package/homepage.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = /\.(?:md|yml|service|json)$|^src\/cli\/help\//;

const files = [
  ...readdirSync(ROOT),
  ...['.github', 'src', 'templates', 'fixtures'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
    ),
  ),
].filter((file) => GUIDE.test(file) && !file.includes('lock.json') && !file.endsWith('/help'));
const lines = files.flatMap((file) =>
  readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, file, text })),
);

/** Of an installation: the program by its name, where a file or folder should be. */
const BY_NAME = /\bnpm (?:i|install|add|exec)\b[^|&;]*\s(?:-- )?listing-video(?:@\S+)?(?=[\s`"']|$)/;
/** `--no` makes npx refuse what is not installed. */
const FETCHING_NPX = /\bnpx (?!--no )[^|&;]*\blisting-video\b/;
const RUNS_PACKAGE = /- run: .*npm ci|apt-get install \.\/listing-video/;
const ADDRESS =
  /(?:https?:\/\/|\b(?=(?:github\.com|ghcr\.io|docker\.io)\/listing-video\b))([\w.-]+)[^\s`"')>]*/g;
/** Of others, who own them. */
const OF_OTHERS = ['json-schema.org', 'nodejs.org', 'hono.dev', 'www.standardwebhooks.com'];
/** Reserved names, and machines of the reader. */
const EXAMPLE = /(?:^|\.)example(?:\.com|\.org)?$|^(?:127\.0\.0\.1|localhost|s3|ann)$/;

describe('the lines that tell people what to type', () => {
  it('are read in all guides', () => {
    for (const file of ['README.md', 'src/cli/help/many-machines.md', '.github/deploy/README.md'])
      expect(files).toContain(file);
  });

  it('install no program by a name that is not ours', () => {
    expect(lines.filter(({ text }) => BY_NAME.test(text))).toEqual([]);
    expect('npm install --global listing-video').toMatch(BY_NAME);
    expect('npm install --global --prefix /opt/0.1.0 listing-video@0.1.0').toMatch(BY_NAME);
    expect('npm install --global ./listing-video-0.1.0.tgz').not.toMatch(BY_NAME);
  });

  it('check the digest of a package before its code runs on a server', () => {
    const guides = ['src/cli/help/ci.md', 'src/cli/help/many-machines.md', '.github/deploy/README.md'];
    const installing = lines.filter(({ file, text }) => guides.includes(file) && RUNS_PACKAGE.test(text));
    expect([...new Set(installing.map(({ file }) => file))].sort()).toEqual([...guides].sort());
    expect(installing.filter(({ text }) => !/sha256sum --check .*&& /.test(text))).toEqual([]);
  });

  it('run npx in the clone only, where it finds the program', () => {
    const outside = lines.filter(({ file, text }) => file !== 'README.md' && FETCHING_NPX.test(text));
    expect(outside).toEqual([]);
    expect('npx listing-video serve').toMatch(FETCHING_NPX);
    expect('npx --no -- listing-video create').not.toMatch(FETCHING_NPX);
  });

  it('name no address but that of the publisher, of others, and of examples', () => {
    const homepage: string = readHomepage();
    const named = lines.flatMap(({ place, text }) =>
      [...text.matchAll(ADDRESS)]
        .filter(([address]) => homepage === '' || !address.startsWith(homepage))
        .filter(([, host]) => !OF_OTHERS.includes(host!) && !EXAMPLE.test(host!))
        .map(([address]) => `${place} ${address}`),
    );
    expect(named).toEqual([]);
    expect('see github.com/listing-video/app').toMatch(ADDRESS);
  });
});

describe('the address of the publisher', () => {
  const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
  const address = 'https://videos.example.com/start';

  it.each(Object.keys(TEXTS))('stands in %s as package.json has it, and nowhere else', (name) => {
    const text = read(name);
    expect(fillHomepage(name, text, readHomepage())).toBe(text);
    const [without, filled] = ['', address].map((homepage) => fillHomepage(name, text, homepage));
    expect(without).not.toContain(address);
    expect(filled.split(address).length - 1).toBe(1);
    expect(fillHomepage(name, filled, '')).toBe(without);
    expect(() => fillHomepage(name, 'Other words.', address)).toThrow(/has no words about/);
  });
});
