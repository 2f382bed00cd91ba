/** The results of a server's task into the folder of a listing, all at once, with the report that a local run would leave. */
import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError } from '../errors.ts';
import { addressWords } from '../listing/words/address-words.ts';
import { toAgentOptions } from '../video/plan/agent-options.ts';
import { findUnchangedVideo, readPreviousReport } from '../video/plan/earlier-run.ts';
import type { OutputFolder } from '../video/publish/output-folder.ts';
import { publishVideos, REPORT_NAME } from '../video/publish/publish-videos.ts';
import {
  formatTimestamp,
  REPORT_SCHEMA,
  REPORT_VERSION,
  type Report,
  type ReportVideo,
} from '../video/publish/report.ts';
import type { VideoResult, VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import { type DownloadedFile, type DownloadOptions, downloadFile } from './download-file.ts';
import type { ApiTask } from './parse-answer.ts';
import { type AgentFiles, matchResults, planFiles, posterUrlOf } from './plan-files.ts';
import { readVideoFacts } from './read-video-facts.ts';
import type { TaskRequest } from './request-body.ts';

export interface FetchRequest {
  readonly payload: VideoTaskPayload;
  readonly request: TaskRequest;
  readonly server: string;
  readonly folder: OutputFolder;
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly startedMs: number;
  /** What the report is to say of the run. */
  readonly warnings: readonly string[];
  readonly download: DownloadOptions;
}

/** What an earlier run fetched for the same request, and still stands. */
export interface EarlierResults {
  readonly taskId: string;
  readonly report: Report;
  /** In the order of the agents; null for one whose files are no longer there as they were. */
  readonly videos: readonly (ReportVideo | null)[];
}

/** @returns Null when the folder holds nothing of this request. */
export async function findEarlierResults(
  order: Omit<FetchRequest, 'download' | 'startedMs' | 'warnings'>,
): Promise<EarlierResults | null> {
  const { folder, request, payload } = order;
  const report = await readPreviousReport(path.join(folder.path, REPORT_NAME));
  if (report?.server?.requestSha256 !== request.sha256) return null;
  const videos: (ReportVideo | null)[] = [];
  for (const { agentId, video, poster, preview } of planFiles(payload)) {
    const hasPoster = report.videos.some((entry) => entry.agent_id === agentId && entry.poster !== null);
    const files = [video, ...(hasPoster ? [poster] : []), ...(preview === null ? [] : [preview])];
    videos.push(
      await findUnchangedVideo(
        report.videos.filter(({ agent_id }) => agent_id === agentId),
        { key: keyOf(request, agentId), files },
        folder.path,
      ),
    );
  }
  return videos.some((video) => video !== null) ? { taskId: report.task_id, report, videos } : null;
}

/** Publishes anew what stands, so that the report speaks of this run. */
export async function keepResults(
  earlier: EarlierResults,
  order: Omit<FetchRequest, 'download'>,
): Promise<VideoTaskOutcome> {
  const videos = earlier.videos.flatMap((video) => (video === null ? [] : [{ ...video, isUnchanged: true }]));
  const report: Report = {
    ...earlier.report,
    videos,
    warnings: ['nothing had changed: the videos of the last run stand (--force has them made again)'],
  };
  return publishVideos(order.folder, [], report);
}

/**
 * Fetches what is missing and publishes the whole set.
 *
 * @throws {@link ListingVideoError} As `downloadFile`, and `server_answer_invalid` when results are not those of the listing.
 */
export async function fetchResults(
  task: ApiTask,
  earlier: EarlierResults | null,
  order: FetchRequest,
): Promise<VideoTaskOutcome> {
  const { payload, folder, server, download } = order;
  const plan = planFiles(payload);
  const results = matchResults(plan, task.results, new URL(server));
  const videos: ReportVideo[] = [];
  const arrived: FetchedFile[] = [];
  for (const [index, files] of plan.entries()) {
    const kept = earlier?.videos[index] ?? null;
    if (kept !== null) {
      videos.push({ ...kept, isUnchanged: true });
      continue;
    }
    const meter = (done: number): void => download.onProgress((index + done) / plan.length);
    const fetched = await fetchVideo(results[index]!, files, {
      ...order,
      download: { ...download, onProgress: meter },
    });
    videos.push(toReportVideo(index, results[index]!, fetched, order));
    arrived.push(...fetched.files);
  }
  download.signal.throwIfAborted();
  // Not before all are there: what is staged does not outlive this command, what is on the resumeState does.
  for (const { name, file } of arrived) await rename(file.path, folder.stagedPath(name));
  const media = arrived.map(({ name }) => name);
  const outcome = await publishVideos(folder, media, toReport(task, videos, order));
  await download.resumeState.clear();
  return outcome;
}

interface FetchedFile {
  readonly name: string;
  readonly file: DownloadedFile;
}

interface FetchedVideo {
  readonly files: readonly FetchedFile[];
  readonly durationSec: number;
  readonly frames: number;
}

async function fetchVideo(
  { url, preview_url: previewUrl }: VideoResult,
  names: AgentFiles,
  { download }: FetchRequest,
): Promise<FetchedVideo> {
  const film = await fetchFile(url, names.video, download);
  const facts = await readVideoFacts(film.path);
  if (facts === null) throw await discard(names.video, `${url} is no film`, download);
  const files = [{ name: names.video, file: film }];
  const others = { ...download, onProgress: () => undefined };
  if (names.preview !== null && previewUrl !== undefined) {
    const preview = await fetchFile(previewUrl, names.preview, others);
    if (!(await startsWith(preview.path, 'GIF8')))
      throw await discard(names.preview, `${previewUrl} is no GIF`, download);
    files.push({ name: names.preview, file: preview });
  }
  const posterUrl = posterUrlOf(url);
  const poster = posterUrl === null ? null : await fetchPoster(posterUrl, names.poster, others);
  if (poster !== null) files.push({ name: names.poster, file: poster });
  return { files, ...facts };
}

async function fetchFile(url: string, name: string, download: DownloadOptions): Promise<DownloadedFile> {
  const file = await downloadFile(url, name, download);
  if (file !== null) return file;
  throw new ListingVideoError('server_answer_invalid', `the server no longer has ${url}`, {
    hint: 'it may keep results for a time only (serve --keep); the same command with --force makes a new task',
    context: { url },
  });
}

/** A courtesy of our own servers; a film without one is whole. */
async function fetchPoster(
  url: string,
  name: string,
  download: DownloadOptions,
): Promise<DownloadedFile | null> {
  try {
    const poster = await downloadFile(url, name, download);
    if (poster === null || (await startsWith(poster.path, '\xff\xd8\xff'))) return poster;
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'server_answer_invalid') throw error;
  }
  await download.resumeState.removePart(name);
  return null;
}

/** What came is not kept: the next command fetches it anew. */
async function discard(
  name: string,
  message: string,
  { resumeState }: DownloadOptions,
): Promise<ListingVideoError> {
  await resumeState.removePart(name);
  return new ListingVideoError('verification_failed', message, {
    hint: 'the same command again fetches it anew; if it happens again, ask whoever runs the server',
  });
}

async function startsWith(file: string, magic: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return bytesRead === magic.length && buffer.toString('latin1') === magic;
  } finally {
    await handle.close();
  }
}

function keyOf(request: TaskRequest, agentId: string): string {
  return createHash('sha256').update(`${request.sha256}\n${agentId}`, 'utf16le').digest('hex');
}

function toReportVideo(
  index: number,
  { agent_id: agentId, created_at: createdAt, metadata }: VideoResult,
  { files, durationSec, frames }: FetchedVideo,
  { payload, request }: FetchRequest,
): ReportVideo {
  const agent = payload.listing.agents[index]!;
  const { templateId, ratio } = toAgentOptions(agent, payload.options);
  const described = (ending: string) => {
    const found = files.find(({ name }) => name.endsWith(ending));
    return found ? { file: found.name, sizeBytes: found.file.sizeBytes, sha256: found.file.sha256 } : null;
  };
  return {
    agent_id: agentId,
    agent_name: `${agent.first_name} ${agent.last_name}`.trim(),
    templateId,
    ratio,
    key: keyOf(request, agentId),
    video: described('.mp4')!,
    poster: described('.jpg'),
    preview: described('.gif'),
    frames,
    durationSec,
    segments: { rendered: 0, reused: 0 },
    isUnchanged: false,
    created_at: formatTimestamp(new Date(createdAt)),
    metadata,
    sound: null,
    scenes: [],
    warnings: [],
  };
}

function toReport(task: ApiTask, videos: readonly ReportVideo[], order: FetchRequest): Report {
  const { payload, generator, server, request, startedMs, download } = order;
  const { listing } = payload;
  const nowMs = download.network.nowMs();
  const dropped = new Set(task.droppedAssets.map(({ url }) => url));
  return {
    $schema: REPORT_SCHEMA,
    version: REPORT_VERSION,
    generator,
    task_id: task.id,
    created_at: formatTimestamp(new Date(nowMs)),
    listing: {
      id: listing.id,
      file: payload.listingFile,
      address: listing.address ? addressWords(listing.address).full : null,
    },
    quality: null,
    server: { url: server, requestSha256: request.sha256 },
    videos,
    assets: {
      given: listing.assets.length,
      used: listing.assets.filter(({ url }) => !dropped.has(url)).length,
    },
    dropped_assets: task.droppedAssets,
    warnings: order.warnings,
    timings: {
      ...{ assets: 0, storyboard: 0, render: 0, assemble: 0, publish: 0 },
      total: Math.max(0, nowMs - startedMs) / 1000,
    },
    stills: {},
  };
}
