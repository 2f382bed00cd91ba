/** The real service on loopback with a handler that publishes tiny videos and a report with their digests. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Listing } from '../../../src/listing/listing.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { nameFiles, newNameSecret } from '../../../src/video/plan/name-files.ts';
import type { createFileStorage } from '../../../src/video/publish/file-storage.ts';
import type { VideoTaskOutcome } from '../../../src/video/video-task.ts';
import { folderOf } from '../../cli/listing-files.ts';
import type { CliRun } from '../../cli/run-cli.ts';
import { aPayload } from '../../video/a-payload.ts';
import type { VideoHandler } from '../server/harness.ts';
import { type OpenedService, openService, type RunningOptions } from '../server/running-service.ts';
import { type RemoteWorld, runRemote } from './run-remote.ts';
import { TINY_GIF, TINY_JPEG, tinyVideo } from './tiny-video.ts';

export interface ServedFilms extends OpenedService {
  readonly url: string;
  readonly key: string;
  /** The listings of all tasks, in the order in which they were run. */
  readonly made: Listing[];
  /** The film of an agent. */
  filmOf(agentId: string): Buffer;
  /** Runs a command with this server and its key, by default in an empty folder. */
  run(argv: readonly string[], context?: Partial<RemoteWorld>): Promise<CliRun>;
}

/** A listing whose id is `bad` fails, with its first asset dropped. Stopped when the running test has finished. */
export async function serveFilms(options: RunningOptions = {}): Promise<ServedFilms> {
  const made: Listing[] = [];
  const filmOf = (agentId: string): Buffer =>
    tinyVideo({ salt: createHash('sha256').update(agentId).digest()[0]!, bytes: 5_000 });
  const handler: VideoHandler = async (task, context) => {
    const { listing, outputDir: folder } = task.payload;
    made.push(listing);
    const dropped = [{ url: listing.assets[0]!.url, reason: 'too_small: 20 x 20 pixels' }];
    if (listing.id === 'bad') {
      throw new ListingVideoError('no_usable_assets', 'no usable assets: 5 of 5 dropped', {
        context: { dropped_assets: dropped },
      });
    }
    context.reportProgress({ percent: 50, stage: 'render', etaSeconds: 3 });
    const warnings = ['9 of 16 photos are narrower than 960 pixels'];
    const filesOf = (id: string) => ({ mp4: filmOf(id), gif: TINY_GIF, jpg: TINY_JPEG });
    return publishFilms(listing, folder, filesOf, { dropped_assets: dropped, warnings });
  };
  // Folders as the wiring has them, below the home that `openService` is about to make.
  let files: ReturnType<typeof createFileStorage> | undefined;
  const opened = await openService({
    handler,
    makePayload: (listing, owner) => aPayload(listing, files!.folderOf(owner)),
    ...options,
  });
  files = opened.files;
  const { key } = await opened.accounts.createKey({ organizationId: 'org_default' });
  const url = await opened.service.start();
  onTestFinished(async () => {
    await opened.stop();
    await opened.remove();
  });
  const run: ServedFilms['run'] = async (argv, context = {}) =>
    runRemote(argv, { cwd: context.cwd ?? (await folderOf()), server: url, key, ...context });
  return { ...opened, url, key, made, filmOf, run };
}

export interface FilmFiles {
  readonly mp4: Uint8Array;
  readonly gif: Uint8Array;
  readonly jpg: Uint8Array;
}

/** What the handler of a test leaves in place of rendered videos: files, a report with digests, and the outcome. */
export async function publishFilms(
  listing: Listing,
  folder: string,
  filesOf: (agentId: string) => FilmFiles,
  outcome: Pick<VideoTaskOutcome, 'dropped_assets' | 'warnings'>,
): Promise<VideoTaskOutcome> {
  await mkdir(folder, { recursive: true });
  const names = nameFiles(
    listing.agents.map(({ id }) => id),
    newNameSecret(),
  );
  const put = async (name: string, bytes: Uint8Array) => {
    await writeFile(path.join(folder, name), bytes);
    return { file: name, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  const results = [];
  const videos = [];
  for (const [index, { id, video_options: options }] of listing.agents.entries()) {
    const name = names[index]!;
    const hasPreview = options?.create_preview === true;
    const { mp4, jpg, gif } = filesOf(id);
    videos.push({
      video: await put(`${name}.mp4`, mp4),
      poster: await put(`${name}.jpg`, jpg),
      preview: hasPreview ? await put(`${name}.gif`, gif) : null,
    });
    const urlOf = (ending: string) => pathToFileURL(path.join(folder, `${name}.${ending}`)).href;
    results.push({
      agent_id: id,
      url: urlOf('mp4'),
      created_at: '2026-11-20T14:03:07.123+00:00',
      ...(hasPreview ? { preview_url: urlOf('gif') } : {}),
      metadata: { ...options?.metadata },
    });
  }
  await writeFile(path.join(folder, 'report.json'), JSON.stringify({ videos }));
  return { results, ...outcome, report: null };
}
