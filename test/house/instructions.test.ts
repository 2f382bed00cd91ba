/**
 * Nobody owns the name `listing-video` in npm's registry: a line that makes npm look for it there would run the code of
 * whoever takes it. Guides install from the package file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
const INVENTED = /\b(?:github\.com|ghcr\.io|docker\.io)\/listing-video\b/;

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

  it('run npx in the clone only, where it finds the program', () => {
    const outside = lines.filter(({ file, text }) => file !== 'README.md' && FETCHING_NPX.test(text));
    expect(outside).toEqual([]);
    expect('npx listing-video serve').toMatch(FETCHING_NPX);
    expect('npx --no -- listing-video create').not.toMatch(FETCHING_NPX);
  });

  it('name no address that belongs to nobody', () => {
    expect(lines.filter(({ text }) => INVENTED.test(text))).toEqual([]);
  });
});
