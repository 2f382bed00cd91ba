/**
 * The main job against its bars: CPU of `create` over x264 alone on the same frames, as users run it and with our
 * settings, over a hand-made zoompan graph, with 20 agents, run again, and with one phone changed. Ratios within one
 * run; medians of interleaved rounds.
 */
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, Listing } from '../../src/listing/listing.ts';
import { threadsFor } from '../../src/media/encode/encode-segments.ts';
import { toEncoderArgs } from '../../src/media/encode/encode-settings.ts';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { usableCpuCount } from '../../src/platform/settings/container-limits.ts';
import { openRun } from '../../src/video/open-run.ts';
import { atLeast, atMost } from './bench-row.ts';
import { compareVideo, type RawFrames, rawInput, type VideoQuality } from './compare-video.ts';
import { makePhotos } from './make-photos.ts';
import { type Measurement, measureProcess, median } from './measure-process.ts';
import { zoompanArgs } from './zoompan-graph.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
const PORTRAITS = ['june-takemori', 'marcus-adebanji', 'rosa-hollingbrook'];
const FORMAT = { widthPx: 1920, heightPx: 1080, fps: 30, quality: 'standard' } as const;

export interface JobBenchOptions {
  readonly rounds: number;
  /** Path of the ffmpeg that all contestants use; default: the one the product finds. */
  readonly ffmpeg?: string;
  /** Folder with twelve photos or more, used as they are; default: the sample photos, enlarged. */
  readonly photos?: string;
}

export async function benchJob({ rounds, ffmpeg: chosen, photos: photoFolder }: JobBenchOptions) {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-'));
  try {
    const photos =
      photoFolder === undefined
        ? await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), 12, 12)
        : await firstPhotos(photoFolder, 12);
    const ffmpeg = (await findFfmpeg({ setting: chosen, searchPath: process.env.PATH }, {})).path;
    const listing = makeListing(photos, 1);
    const frames = await dumpFrames(listing, ffmpeg, folder);
    const taken: Record<string, Measurement[]> = {};
    const nothing: VideoQuality = { bytes: Number.NaN, ssimDb: Number.NaN };
    const quality = { create: nothing, veryfast: nothing };
    const take = async (name: string, work: () => Promise<Measurement>) => {
      const measured = await work();
      taken[name] = [...(taken[name] ?? []), measured];
      process.stderr.write(
        `${name}: ${measured.cpuSec.toFixed(1)} s CPU, ${measured.wallSec.toFixed(1)} s\n`,
      );
    };
    for (let round = 0; round < rounds; round += 1) {
      const home = path.join(folder, `home-${round}`);
      const create = (name: string, of: Listing, at = home) =>
        runCreate(path.join(folder, name), of, at, ffmpeg);
      await take('create', () => create('one', listing));
      if (round === 0) {
        const made = path.join(folder, 'one', 'videos', listing.id, 'agent-1.mp4');
        quality.create = await compareVideo(ffmpeg, made, frames, folder);
      }
      await take('again', () => create('one', listing));
      await take('phone', () => create('one', withOtherPhone(listing)));
      await take('x264', () => measureProcess([ffmpeg, ...encodeFile(frames.file, folder)]));
      const veryfast = path.join(folder, 'veryfast.mp4');
      await take('veryfast', () => measureProcess([ffmpeg, ...usersOwnEncode(frames, veryfast)]));
      if (round === 0) quality.veryfast = await compareVideo(ffmpeg, veryfast, frames, folder);
      if (round === 0) await take('zoompan', () => measureZoompan(ffmpeg, photos, frames.count, folder));
      await take('twenty', () =>
        create('twenty', makeListing(photos, 20), path.join(folder, `home20-${round}`)),
      );
      await rm(path.join(folder, 'one'), { recursive: true, force: true });
      await rm(path.join(folder, 'twenty'), { recursive: true, force: true });
    }
    const cpu = (name: string) => median((taken[name] ?? []).map(({ cpuSec }) => cpuSec));
    return {
      frames: frames.count,
      cpuSec: Object.fromEntries(Object.keys(taken).map((name) => [name, cpu(name)])),
      wallSec: Object.fromEntries(
        Object.entries(taken).map(([name, all]) => [name, median(all.map(({ wallSec }) => wallSec))]),
      ),
      quality,
      rows: [
        atMost('create / x264 veryfast CRF 20 alone, CPU', cpu('create') / cpu('veryfast'), 0.8),
        atMost('  bytes of video, create / veryfast', quality.create.bytes / quality.veryfast.bytes, 1.1),
        atLeast('  SSIM, create - veryfast', quality.create.ssimDb - quality.veryfast.ssimDb, 0, 'dB'),
        atMost('create / x264 alone, CPU', cpu('create') / cpu('x264'), 1.25),
        atMost('create / zoompan graph, CPU', cpu('create') / cpu('zoompan'), 0.65),
        atMost('20 agents / 1 agent, CPU', cpu('twenty') / cpu('create'), 1.3),
        atMost('unchanged again / first, CPU', cpu('again') / cpu('create'), 0.03),
        atMost('phone changed / first, CPU', cpu('phone') / cpu('create'), 0.2),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A listing of the photos with so many agents, each with all that a card shows, 1920:1080, no preview. */
export function makeListing(photos: readonly string[], agents: number): Listing {
  return {
    id: `bench-${photos.length}-${agents}`,
    assets: photos.map((url) => ({ url })),
    address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR', postal_code: '97205' },
    bedrooms: 4,
    bathrooms: 3,
    half_bathrooms: 1,
    interior_square_footage: 2840,
    agents: Array.from({ length: agents }, (_, index) => makeAgent(index)),
  };
}

function makeAgent(index: number): Agent {
  return {
    id: `agent-${index + 1}`,
    first_name: 'June',
    last_name: `Takemori ${String.fromCharCode(65 + index)}`,
    designation: 'Listing Agent',
    picture: fileURLToPath(new URL(`../../fixtures/agents/${PORTRAITS[index % 3]}.jpg`, import.meta.url)),
    phones: [{ number: `(503) 555-01${String(28 + index).padStart(2, '0')}` }],
    emails: [{ address: `june.${index}@example.com` }],
    licenses: [{ number: `2012501${28 + index}`, state: 'OR' }],
    offices: [
      { name: 'Harbor & Pine Realty', address: { street: '40 Wharf Street', city: 'Portland', state: 'OR' } },
    ],
  };
}

export function withOtherPhone(listing: Listing): Listing {
  const [first, ...others] = listing.agents;
  return { ...listing, agents: [{ ...first!, phones: [{ number: '(503) 555-0199' }] }, ...others] };
}

/**
 * `create` as users run it.
 *
 * @param more - Further arguments.
 * @param cores - How many it may use. Default: all.
 */
export async function runCreate(
  out: string,
  listing: Listing,
  home: string,
  ffmpeg: string,
  more: readonly string[] = [],
  cores?: number,
): Promise<Measurement> {
  await mkdir(out, { recursive: true });
  const file = path.join(out, 'listing.json');
  await writeFile(file, JSON.stringify(listing));
  return measureProcess(
    [
      ...(cores === undefined ? [] : ['taskset', '--cpu-list', `0-${cores - 1}`]),
      ...[process.execPath, LAUNCHER, 'create', file, '--out', path.join(out, 'videos')],
      ...['--home', home, '--ffmpeg', ffmpeg, ...more],
    ],
    { sampleMemory: false },
  );
}

/** Writes the very frames of the listing's video, raw, so that x264 alone can be timed on them. */
async function dumpFrames(listing: Listing, ffmpeg: string, folder: string) {
  const work = path.join(folder, 'dump');
  const options = { quality: 'standard', minAssets: 1, force: false } as const;
  const signal = new AbortController().signal;
  const deps = {
    home: work,
    cache: createDiskCache(path.join(work, 'cache'), { maxBytes: 1e9 }),
    concurrency: 2,
    renderThreads: 1,
    templatesDirs: [],
    addressPolicy: { allowPrivate: true, allowFrom: [] },
    findFfmpeg: () => findFfmpeg({ setting: ffmpeg }),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    generator: 'bench',
  };
  await mkdir(work, { recursive: true });
  const run = await openRun({ listing, options, baseDir: folder }, deps, { signal, onAssets: () => {} });
  const [plan] = await run.plan({ fingerprint: () => 'bench' });
  const { timeline } = plan!;
  const pool = createRenderPool();
  const file = path.join(folder, 'frames.yuv');
  const handle = await open(file, 'w');
  const spans = [{ startFrame: 0, endFrame: timeline.totalFrames }];
  const { photos, graphics } = run;
  for await (const frame of pool.renderSpans({ timeline, photos, graphics, spans })) {
    await handle.write(frame.data);
    frame.release();
  }
  await handle.close();
  await pool.close();
  await run.close();
  await rm(work, { recursive: true, force: true });
  return { file, count: timeline.totalFrames, format: FORMAT };
}

/** What somebody who knows ffmpeg would type. */
function usersOwnEncode(frames: RawFrames, to: string): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...rawInput(frames)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', to],
  ];
}

async function firstPhotos(folder: string, count: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  return names.slice(0, count).map((name) => path.resolve(folder, name));
}

/** The product's own encoder arguments, reading the raw file in place of a pipe and writing an MP4. */
function encodeFile(frames: string, folder: string): string[] {
  const args = toEncoderArgs(FORMAT, {}, 'usual', threadsFor(usableCpuCount()));
  args[args.indexOf('pipe:0')] = frames;
  return [...args.slice(0, args.lastIndexOf('-f')), '-y', path.join(folder, 'x264.mp4')];
}

async function measureZoompan(ffmpeg: string, photos: readonly string[], frames: number, folder: string) {
  const encoder = toEncoderArgs(FORMAT, {}, 'usual', threadsFor(usableCpuCount()));
  const encoderArgs = encoder.slice(encoder.indexOf('-c:v'), encoder.lastIndexOf('-f'));
  return measureProcess(
    [ffmpeg, ...zoompanArgs(photos, frames, encoderArgs, path.join(folder, 'zoompan.mp4'))],
    {
      sampleMemory: false,
    },
  );
}
