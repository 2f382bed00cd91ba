/**
 * The studio as its page uses it, over HTTP: the first picture of a folder of 30 camera photos, frames at random,
 * frames in order, and an edited caption on the stage.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StudioState, StudioVideo } from '../../src/studio/editor/protocol.ts';
import { atLeast, atMost, type BenchRow, noBar } from './bench-row.ts';
import { makePhotos } from './make-photos.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
const PHOTOS = 30;
const MEGAPIXELS = 12;
const WIDTH_PX = 960;
const SCRUBBED = 300;
const PLAYED_SEC = 6;
const EDITS = 40;
/** As the page: the answer of one is waited for while the next ones are drawn. */
const IN_FLIGHT = 3;

export async function benchStudio(): Promise<readonly BenchRow[]> {
  const photos = await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), PHOTOS, MEGAPIXELS);
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-studio-bench-'));
  const listing = path.join(folder, 'photos');
  await mkdir(listing);
  for (const photo of photos) await copyFile(photo, path.join(listing, path.basename(photo)));
  const beganMs = performance.now();
  const studio = await openStudio(listing, path.join(folder, 'home'));
  try {
    await studio.state(({ videos }) => videos.length > 0);
    const [early] = (await studio.state()).videos;
    await studio.frame(early!, 0);
    const firstMs = performance.now() - beganMs;
    const { videos } = await studio.state(({ planning }) => !planning);
    const settledMs = performance.now() - beganMs;
    const [video] = videos as [StudioVideo];
    const cold = await measureScrubbing(studio, video, SCRUBBED / 5);
    const warm = await measureScrubbing(studio, video, SCRUBBED);
    const framesPerSec = await measurePlayback(studio, video);
    const edits = await measureEdits(studio);
    return [
      atMost(`first picture of ${PHOTOS} photos of ${MEGAPIXELS} MP, with the start`, firstMs / 1000, 6, 's'),
      noBar('all of them read and planned', settledMs / 1000, 's'),
      noBar('scrubbed frame, just opened, p95', percentile(cold, 0.95), 'ms'),
      noBar('scrubbed frame, p50', percentile(warm, 0.5), 'ms'),
      atMost('scrubbed frame, p95', percentile(warm, 0.95), 40, 'ms'),
      atLeast('playback, frames a second', framesPerSec, 15),
      noBar('edited caption on the stage, p50', percentile(edits, 0.5), 'ms'),
      atMost('edited caption on the stage, p95', percentile(edits, 0.95), 300, 'ms'),
      noBar('memory', (await studio.residentBytes()) / 2 ** 20, 'MiB'),
    ];
  } finally {
    await studio.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measureScrubbing(studio: StudioClient, video: StudioVideo, count: number): Promise<number[]> {
  const taken: number[] = [];
  const next = createRandom(count);
  for (let n = 0; n < count; n += 1) {
    const beganMs = performance.now();
    await studio.frame(video, Math.floor(next() * video.frames));
    taken.push(performance.now() - beganMs);
  }
  return taken;
}

async function measurePlayback(studio: StudioClient, video: StudioVideo): Promise<number> {
  const count = PLAYED_SEC * video.fps;
  const from = Math.floor(video.frames / 3);
  const beganMs = performance.now();
  let next = 0;
  const play = async (): Promise<void> => {
    while (next < count) await studio.frame(video, from + next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, play));
  return (1000 * count) / (performance.now() - beganMs);
}

/** From the request of the edit to the frame that shows it, as the page does: it learns of the plan by an event. */
async function measureEdits(studio: StudioClient): Promise<number[]> {
  const taken: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const { revision, videos } = await studio.state(({ planning }) => !planning);
    const before = videos[0]!.plan;
    const value = `Caption ${edit}`;
    const patch = [{ op: 'add', path: '/assets/3/caption', value }] as const;
    const beganMs = performance.now();
    const changed = studio.state((state) => state.videos[0]!.plan !== before);
    await studio.post('/api/edits', { revision, label: `Caption ${edit}`, patch });
    const [video] = (await changed).videos as [StudioVideo];
    const scene = video.scenes.find(({ photo_indexes: [photo] }) => photo === 3) ?? video.scenes[1]!;
    await studio.frame(video, Math.floor((scene.from_frame + scene.to_frame) / 2));
    taken.push(performance.now() - beganMs);
  }
  return taken;
}

interface StudioClient {
  /** The state, or the next one that `holds`. */
  state(holds?: (state: StudioState) => boolean): Promise<StudioState>;
  frame(video: StudioVideo, index: number): Promise<void>;
  post(path: string, body: unknown): Promise<void>;
  residentBytes(): Promise<number>;
  close(): Promise<void>;
}

async function openStudio(listing: string, home: string): Promise<StudioClient> {
  const args = [LAUNCHER, 'studio', listing, '--no-open', '--home', home];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await printedUrl(child);
  const { origin } = new URL(url);
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
  const headers = { cookie, origin };
  const latest = await followState(origin, headers);
  return {
    state: (holds = () => true) => latest.next(holds),
    async frame({ plan }, index) {
      const answer = await fetch(`${origin}/api/frames/${plan}/${index}?width=${WIDTH_PX}`, { headers });
      if (!answer.ok) throw new Error(`frame ${index}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    },
    async post(where, body) {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const answer = await fetch(`${origin}${where}`, { ...init, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    },
    async residentBytes() {
      const { readFile } = await import('node:fs/promises');
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    },
    async close() {
      latest.close();
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`studio ended with ${code} before it listened`)));
  });
}

/** The state, kept up to date by the events of the studio. */
async function followState(origin: string, headers: Record<string, string>) {
  const stopper = new AbortController();
  let state = (await (await fetch(`${origin}/api/state`, { headers })).json()) as StudioState;
  const waiting = new Set<() => void>();
  const read = async (): Promise<void> => {
    const { body } = await fetch(`${origin}/api/events`, { headers, signal: stopper.signal });
    let text = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        if (!/^event: state$/m.test(event)) continue;
        const data = event.match(/^data: ?(.*)$/gm)!.map((line) => line.replace(/^data: ?/, ''));
        state = { ...state, ...(JSON.parse(data.join('\n')) as Partial<StudioState>) };
      }
      for (const look of waiting) look();
    }
  };
  read().catch(() => {});
  return {
    next: (holds: (state: StudioState) => boolean) =>
      new Promise<StudioState>((resolve) => {
        const look = (): void => {
          if (!holds(state)) return;
          waiting.delete(look);
          resolve(state);
        };
        waiting.add(look);
        look();
      }),
    close: () => stopper.abort(),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** The same frames in every run: a linear congruential generator, Numerical Recipes. */
function createRandom(seed: number): () => number {
  let value = seed;
  return () => {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    return value / 2 ** 32;
  };
}
