/**
 * What a batch wins: two listings in one `create` over the same two one after the other, in wall time. Photos of each
 * its own, from the disk and from a server that takes a second for each (5 MB at 40 Mbit/s). Nothing is cached.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost, noBar } from './bench-row.ts';
import { makeListing } from './job-bench.ts';
import { makePhotos } from './make-photos.ts';
import { type Measurement, measureProcess, median } from './measure-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
const PHOTOS_EACH = 6;
const PHOTO_MS = 1_000;

type Cost = Pick<Measurement, 'wallSec' | 'cpuSec'>;

export async function benchBatch({ rounds, ffmpeg }: { readonly rounds: number; readonly ffmpeg?: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-'));
  const photos = await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), 2 * PHOTOS_EACH, 12);
  const server = await serveSlowly(photos);
  try {
    const taken: Record<string, Cost[]> = {};
    const create = async (names: readonly string[]): Promise<Cost> => {
      const words = [
        '--home',
        path.join(folder, 'home'),
        '--out',
        path.join(folder, 'out'),
        '--quality',
        'draft',
      ];
      const chosen = ffmpeg === undefined ? [] : ['--ffmpeg', ffmpeg];
      const files = names.map((name) => path.join(folder, name));
      const command = [process.execPath, LAUNCHER, 'create', ...files, ...words, ...chosen];
      return measureProcess(command, { sampleMemory: false });
    };
    const take = async (name: string, work: () => Promise<Cost>): Promise<void> => {
      const { wallSec, cpuSec } = await work();
      taken[name] = [...(taken[name] ?? []), { wallSec, cpuSec }];
      process.stderr.write(`${name}: ${cpuSec.toFixed(1)} s CPU, ${wallSec.toFixed(1)} s\n`);
      for (const made of ['home', 'out']) await rm(path.join(folder, made), { recursive: true, force: true });
    };
    for (const [where, urls] of [
      ['disk', photos],
      ['server', photos.map((file) => `${server.url}/${path.basename(file)}`)],
    ] as const) {
      const names = [`${where}-1.json`, `${where}-2.json`];
      for (const [index, name] of names.entries()) {
        const own = urls.slice(index * PHOTOS_EACH, (index + 1) * PHOTOS_EACH);
        await writeFile(path.join(folder, name), JSON.stringify({ ...makeListing(own, 1), id: name }));
      }
      for (let round = 0; round < rounds; round += 1) {
        await take(`${where}, one after the other`, async () => {
          const first = await create(names.slice(0, 1));
          const second = await create(names.slice(1));
          return { wallSec: first.wallSec + second.wallSec, cpuSec: first.cpuSec + second.cpuSec };
        });
        await take(`${where}, batch`, () => create(names));
      }
    }
    const of = (name: string, what: keyof Cost): number =>
      median((taken[name] ?? []).map((cost) => cost[what]));
    const ratio = (where: string, what: keyof Cost): number =>
      of(`${where}, batch`, what) / of(`${where}, one after the other`, what);
    return {
      taken,
      rows: [
        atMost('batch of 2 / one after the other, CPU', ratio('disk', 'cpuSec'), 1),
        atMost('batch of 2 / one after the other, wall, photos on disk', ratio('disk', 'wallSec'), 1),
        atMost(
          'batch of 2 / one after the other, wall, photos from a server',
          ratio('server', 'wallSec'),
          0.95,
        ),
        noBar('batch of 2, photos from a server', of('server, batch', 'wallSec'), 's'),
      ],
    };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function serveSlowly(photos: readonly string[]): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const file = photos.find((photo) => request.url === `/${path.basename(photo)}`);
    setTimeout(async () => {
      response.writeHead(file === undefined ? 404 : 200).end(file && (await readFile(file)));
    }, PHOTO_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
