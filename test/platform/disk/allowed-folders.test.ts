import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AllowedFolders, pathToRead } from '../../../src/platform/disk/allowed-folders.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

it('allows what is in one of the folders, where links lead, and nothing else', () => {
  const base = realpathSync(temporaryFolder());
  const at = (...parts: string[]) => path.join(base, ...parts);
  for (const name of ['a', 'b', 'ab']) mkdirSync(at(name));
  for (const name of ['a', 'b', 'ab']) writeFileSync(at(name, 'x.jpg'), '');
  symlinkSync(at('a'), at('named'));
  symlinkSync(at('b', 'x.jpg'), at('a', 'to-b.jpg'));
  symlinkSync(at('ab'), at('a', 'to-ab'));
  symlinkSync(at('nowhere'), at('a', 'to-nowhere'));
  const folders = new AllowedFolders([at('named'), at('b')]);
  expect(folders.folders).toEqual([at('a'), at('b')]);
  expect(folders.realPath(at('a'))).toBe(at('a'));
  expect(folders.realPath(at('named', 'x.jpg'))).toBe(at('a', 'x.jpg'));
  expect(folders.realPath(at('a', 'new', 'y.jpg'))).toBe(at('a', 'new', 'y.jpg'));
  expect(folders.realPath(at('a', 'to-b.jpg'))).toBe(at('b', 'x.jpg'));
  for (const file of ['ab/x.jpg', 'a/../ab/x.jpg', 'a/to-ab/x.jpg', 'a/to-ab', 'a/to-nowhere', '.'])
    expect(folders.realPath(at(file)), file).toBeNull();
  expect(() => folders.require(at('ab'), 'ab')).toThrow('ab is outside of the folders that can be used here');
  expect([pathToRead('/x', null, undefined), pathToRead(at('ab', 'x.jpg'), at('ab'), folders)]).toEqual([
    '/x',
    null,
  ]);
  // A link that takes the place of a folder.
  renameSync(at('b'), at('old'));
  symlinkSync(at('ab'), at('b'));
  expect(folders.realPath(at('b', 'x.jpg'))).toBeNull();
});
