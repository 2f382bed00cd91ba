/** Paths that lead out of a folder, by name and by symbolic link. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isInside, realPathInside } from '../../../src/platform/disk/path-inside.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

const root = realpathSync(temporaryFolder());
const folder = join(root, 'listing');
mkdirSync(join(folder, 'photos'), { recursive: true });
mkdirSync(join(root, 'listing-2'));
for (const name of ['secret.jpg', 'listing/a.jpg', 'listing/photos/b.jpg', 'listing-2/c.jpg']) {
  writeFileSync(join(root, name), 'x');
}
symlinkSync('../secret.jpg', join(folder, 'out.jpg'));
symlinkSync('..', join(folder, 'up'));
symlinkSync('photos', join(folder, 'pictures'));
symlinkSync('../later.jpg', join(folder, 'dangling.jpg'));
symlinkSync('loop', join(folder, 'loop'));
symlinkSync('listing', join(root, 'alias'));

it.each([
  ['a.jpg', 'a.jpg'],
  ['photos/b.jpg', 'photos/b.jpg'],
  ['./photos/../a.jpg', 'a.jpg'],
  ['pictures/b.jpg', 'photos/b.jpg'],
  ['missing.jpg', 'missing.jpg'],
  ['photos/new/missing.jpg', 'photos/new/missing.jpg'],
  ['..a.jpg', '..a.jpg'],
  [join(folder, 'a.jpg'), 'a.jpg'],
])('finds %s inside', (file, real) => {
  expect(realPathInside(folder, file)).toBe(join(folder, real));
  expect(realPathInside(join(root, 'alias'), file)).toBe(join(folder, real));
});

it.each([
  '../secret.jpg',
  'photos/../../secret.jpg',
  'out.jpg',
  'up/secret.jpg',
  'up/missing.jpg',
  'dangling.jpg',
  'loop',
  'a.jpg/b.jpg',
  '../listing-2/c.jpg',
  '/etc/hostname',
  join(root, 'gone', '..', 'secret.jpg'),
  '.',
  '',
  'x'.repeat(5000),
])('finds %s outside', (file) => {
  expect(realPathInside(folder, file)).toBeNull();
});

it('takes the absolute path of a file behind a link of the folder itself', () => {
  expect(realPathInside(join(root, 'alias'), join(root, 'alias', 'a.jpg'))).toBe(join(folder, 'a.jpg'));
  expect(realPathInside(join(root, 'alias'), join(folder, 'a.jpg'))).toBe(join(folder, 'a.jpg'));
});

it('takes a folder that does not exist by its name, and none behind a link that leads nowhere', () => {
  expect(realPathInside(join(root, 'gone'), 'a.jpg')).toBe(join(root, 'gone', 'a.jpg'));
  expect(realPathInside(join(folder, 'dangling.jpg'), 'a.jpg')).toBeNull();
});

it('compares names alone where asked to', () => {
  expect(isInside('/a/b', '/a/b/c')).toBe(true);
  expect([isInside('/a/b', '/a/bc'), isInside('/a/b', '/a/b'), isInside('/a/b', '/')]).toEqual([
    false,
    false,
    false,
  ]);
});
