/** The files of a folder that `init` takes, and what it says about the others. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatSkipped } from '../../src/cli/listings/format-skipped.ts';
import { findPhotos } from '../../src/video/photos/find-photos.ts';
import { folderOf } from '../cli/listing-files.ts';
import { QUARTERS_FILE } from '../media/assets/heic-files.ts';
import { dng } from '../media/assets/sample-pictures.ts';

// Other systems refuse names that are not UTF-8.
const onLinux = it.skipIf(process.platform !== 'linux');

describe('the photos of a folder', () => {
  it('are those whose bytes are a photo, whatever their names', async () => {
    const folder = await folderOf({
      'IMG_10.HEIC': QUARTERS_FILE,
      // A phone that shares a photo can rename it without changing it.
      'IMG_9.jpg': QUARTERS_FILE,
      'no ending': 'GIF89a',
      'page.jpg': '<!doctype html><html>',
      'empty.png': '',
      'raw.tif': dng(),
    });
    expect(await findPhotos(folder)).toEqual({
      photos: ['IMG_9.jpg', 'IMG_10.HEIC', 'no ending'],
      skipped: [
        { file: 'empty.png', reason: 'no bytes at all' },
        { file: 'page.jpg', reason: 'an HTML page' },
        { file: 'raw.tif', reason: 'camera raw (DNG); export it as JPEG' },
      ],
    });
  });

  it('do not include what systems put there, nor what is in folders below', async () => {
    const folder = await folderOf({ '.DS_Store': 'x', 'Thumbs.db': 'x', 'desktop.ini': 'x', '._1.jpg': 'x' });
    await mkdir(path.join(folder, 'more'));
    await writeFile(path.join(folder, 'more', '1.gif'), 'GIF89a');
    expect(await findPhotos(folder)).toEqual({ photos: [], skipped: [] });
  });

  onLinux('follow links, and name what cannot be read without waiting for it', async () => {
    const folder = await folderOf({ '1.gif': 'GIF89a' });
    await symlink('1.gif', path.join(folder, '2.gif'));
    await symlink('gone.jpg', path.join(folder, '3.jpg'));
    execFileSync('mkfifo', [path.join(folder, '4.jpg')]);
    await writeFile(Buffer.concat([Buffer.from(`${folder}/5`), Buffer.of(0xff)]), 'GIF89a');
    expect(await findPhotos(folder)).toEqual({
      photos: ['1.gif', '2.gif'],
      skipped: [
        { file: '3.jpg', reason: 'file not found' },
        { file: '4.jpg', reason: 'not a regular file' },
        { file: '5\ufffd', reason: 'its name is not valid UTF-8; rename it' },
      ],
    });
  });

  it('are null for a folder that does not exist', async () => {
    expect(await findPhotos(path.join(await folderOf(), 'nowhere'))).toBeNull();
  });
});

it('files with the same reason share a line, with control characters escaped', () => {
  const lines = formatSkipped([
    { file: 'a.nef', reason: 'raw' },
    { file: 'b\u001b[2J.pdf', reason: 'a PDF document' },
    { file: 'c.nef', reason: 'raw' },
  ]);
  expect(lines).toEqual([
    'skipped: a.nef, c.nef: raw',
    expect.stringMatching(/^skipped: b[^\u001b]+: a PDF document$/),
  ]);
});
