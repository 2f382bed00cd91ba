/** Peak memory of `create`, whole process tree: 12 photos of 12 MP, and 100 photos of 24 MP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost, type BenchRow } from './bench-row.ts';
import { makeListing } from './job-bench.ts';
import { makePhotos } from './make-photos.ts';
import { measureProcess } from './measure-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

export async function benchMemory(options: { readonly ffmpeg?: string }): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-memory-'));
  const photosDir = path.join(tmpdir(), 'listing-video-bench-photos');
  try {
    const peakOf = async (count: number, megapixels: number) => {
      const photos = await makePhotos(photosDir, count, megapixels);
      const file = path.join(folder, `${count}.json`);
      await writeFile(file, JSON.stringify(makeListing(photos, 1)));
      const command = [
        process.execPath,
        LAUNCHER,
        'create',
        file,
        '--out',
        folder,
        '--home',
        path.join(folder, 'home'),
      ];
      const { peakBytes } = await measureProcess([
        ...command,
        ...(options.ffmpeg ? ['--ffmpeg', options.ffmpeg] : []),
      ]);
      return peakBytes / 1e6;
    };
    return [
      atMost('peak, 12 photos of 12 MP', await peakOf(12, 12), 700, 'MB'),
      atMost('peak, 100 photos of 24 MP', await peakOf(100, 24), 900, 'MB'),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
