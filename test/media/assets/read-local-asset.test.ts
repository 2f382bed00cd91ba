/** Local files: regular ones only, and nothing that could hang. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLocalAsset, toLocalPath } from '../../../src/media/assets/read-local-asset.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

const isPosix = process.platform !== 'win32';
const signal = new AbortController().signal;
const folder = temporaryFolder();

beforeAll(() => {
  writeFileSync(join(folder, 'a b.jpg'), 'x'.repeat(5000));
  writeFileSync(join(folder, 'empty.jpg'), '');
  mkdirSync(join(folder, 'photos'));
});

const reasonOf = (name: string, maxBytes = 10_000) =>
  readLocalAsset(join(folder, name), maxBytes, signal).then(
    () => 'read',
    (error: Error) => error.message,
  );

describe('the path of an asset', () => {
  it('is that of a file: URL, or the text itself below the listing’s folder', () => {
    expect(toLocalPath(pathToFileURL(join(folder, 'a b.jpg')).href, '/base')).toBe(join(folder, 'a b.jpg'));
    expect(toLocalPath('photos/a b.jpg', folder)).toBe(join(folder, 'photos', 'a b.jpg'));
    expect(toLocalPath('../x%20y.jpg', '/base/listing')).toBe(
      isPosix ? '/base/x%20y.jpg' : expect.anything(),
    );
    expect(toLocalPath('10:30 front.jpg', '/base')).toContain('10:30 front.jpg');
  });

  it('is none for what the network serves', () => {
    for (const url of ['http://a/b', 'HTTPS://a/b', 'ftp://a/b']) expect(toLocalPath(url, folder)).toBe(null);
  });

  it('is refused where local files are', () => {
    for (const url of ['file:///etc/passwd', '/etc/passwd', 'photo.jpg']) {
      expect(() => toLocalPath(url, null)).toThrow('blocked_address: local files are not allowed here');
    }
  });

  it.runIf(isPosix)('is refused for a file on another machine', () => {
    expect(() => toLocalPath('file://server/share/a.jpg', folder)).toThrow(
      'unreachable: not the URL of a local file',
    );
  });
});

describe('a local asset', () => {
  it('is measured where it lies', async () => {
    const file = await readLocalAsset(join(folder, 'a b.jpg'), 5000, signal);
    expect(file).toMatchObject({ path: join(folder, 'a b.jpg'), sizeBytes: 5000 });
    expect(file.head.toString()).toBe('x'.repeat(4096));
    expect(file.sha256).toBe('c59d3c0480cc2d71d8f646e735e92da65450311eec46e81a5db8c7e6e8a92054');
  });

  it('may be empty, and follows a link', async () => {
    if (isPosix) symlinkSync(join(folder, 'empty.jpg'), join(folder, 'link.jpg'));
    expect(await reasonOf(isPosix ? 'link.jpg' : 'empty.jpg')).toBe('read');
  });

  it('has a limit of size', async () => {
    expect(await reasonOf('a b.jpg', 4999)).toBe('too_large: more than 4.9 KiB');
    expect(await reasonOf('a b.jpg', 1000)).toBe('too_large: 4.9 KiB, at most 1000 bytes');
  });

  it('must exist and be a file', async () => {
    expect(await reasonOf('missing.jpg')).toBe('unreachable: file not found');
    expect(await reasonOf('a b.jpg/deeper.jpg')).toBe('unreachable: file not found');
    expect(await reasonOf('photos')).toBe('unreachable: a folder, not a file');
  });

  it.runIf(isPosix)('is no pipe and no device: neither could ever end', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.jpg')]);
    expect(await reasonOf('pipe.jpg')).toBe('unreachable: not a regular file');
    symlinkSync('/dev/zero', join(folder, 'zero.jpg'));
    expect(await reasonOf('zero.jpg')).toBe('unreachable: not a regular file');
  });

  it.runIf(isPosix && process.getuid?.() !== 0)('must be readable', async () => {
    writeFileSync(join(folder, 'private.jpg'), 'x');
    chmodSync(join(folder, 'private.jpg'), 0);
    expect(await reasonOf('private.jpg')).toBe('unreachable: no permission to read the file');
  });
});
