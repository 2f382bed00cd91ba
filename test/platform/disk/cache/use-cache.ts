/**
 * Run as a process of its own by `disk-cache.test.ts`: uses a cache hard, and counts entries that hold the wrong bytes.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskCache } from '../../../../src/platform/disk/cache/disk-cache.ts';

const [root = '', seed = '1'] = process.argv.slice(2);
const ROUNDS = 150;
const job = await mkdtemp(join(tmpdir(), 'listing-video-use-cache-'));
// Room for about half of the entries, so that trimming always finds something to do.
const cache = createDiskCache(root, { maxBytes: 40_000 });
let state = Number(seed);
let wrong = 0;
let pinned = 0;
try {
  for (let round = 0; round < ROUNDS; round++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const key = state % 16;
    const content = Buffer.alloc(5000, key);
    const path = await cache.pin('segments', `key-${key}`, job);
    if (path === undefined) {
      const made = join(job, `made-${round}`);
      await writeFile(made, content);
      await cache.put('segments', `key-${key}`, made);
    } else {
      pinned++;
      if (round % 5 === 0) await cache.trim();
      if (!(await readFile(path)).equals(content)) wrong++;
      await rm(path);
    }
  }
} finally {
  await rm(job, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify({ wrong, pinned, rounds: ROUNDS }));
