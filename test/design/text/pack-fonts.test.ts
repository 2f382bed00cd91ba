import { readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder, streamOf } from '../../../src/design/text/fonts/font-folders.ts';
import { unpackStream } from '../../../src/design/text/fonts/font-stream.ts';
import { filesByPackage, packFonts } from '../../../src/design/text/fonts/pack-fonts.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

/** What the build packed. */
const PACKED = path.resolve('dist/design/text/fonts');

describe('the fonts of the build', () => {
  it('are the fonts of the packages, byte for byte', () => {
    let count = 0;
    const streams = new Map<string, Map<string, Buffer>>();
    const open = (stream: string) => {
      const fonts = streams.get(stream) ?? unpackStream(readFileSync(stream));
      streams.set(stream, fonts);
      return fonts;
    };
    for (const [name, files] of filesByPackage()) {
      for (const file of files) {
        const plain = readFileSync(path.join(packageFolder(name)!, file));
        const stream = streamOf(file);
        const unpacked =
          stream === undefined
            ? readFileSync(path.join(PACKED, name, file))
            : open(path.join(PACKED, name, stream)).get(file)!;
        // Not with toEqual: its difference of two fonts would be megabytes of text.
        expect(plain.equals(unpacked), `${name}/${file}`).toBe(true);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('share what is equal in the weights of a family', async () => {
    const sizes = await readdir(PACKED, { recursive: true }).then((names) =>
      names.filter((name) => name.endsWith('.br')).map((name) => statSync(path.join(PACKED, name)).size),
    );
    // Each file by itself would be 13.1 MB.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(9_000_000);
  });

  it('have their license beside them', async () => {
    for (const name of filesByPackage().keys()) {
      expect(await readdir(path.join(PACKED, name)), name).toEqual(
        expect.arrayContaining([expect.stringMatching(/^licen[cs]e/i), 'package.json']),
      );
    }
  });

  it('are not packed again while their packages stay the same', async () => {
    const folder = temporaryFolder();
    // Nothing but the mark that it is complete, so what is taken over is told from what is packed.
    const previous = path.join(folder, 'previous');
    await mkdir(previous);
    await copyFile(path.join(PACKED, 'packages.txt'), path.join(previous, 'packages.txt'));
    await packFonts(path.join(folder, 'next'), previous);
    expect(await readdir(path.join(folder, 'next'))).toEqual(['packages.txt']);
  });
});
