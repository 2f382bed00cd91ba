/** Downloads the results of a server's task and publishes the complete set in the output folder, with a report. */
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError, nullOn } from '../../platform/errors.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { type EarlierVideo, findUnchangedVideo, readPreviousReport } from '../../video/plan/earlier-run.ts';
import { readVideoFacts } from '../../video/plan/read-video-facts.ts';
import { settleKept } from '../../video/publish/kept-videos.ts';
import type { OutputFolder } from '../../video/publish/output-folder.ts';
import { publishVideos, resultsOf } from '../../video/publish/publish-videos.ts';
import {
  formatTimestamp,
  type KeptVideo,
  REPORT_NAME,
  REPORT_SCHEMA,
  REPORT_VERSION,
  type Report,
  type ReportVideo,
  toReportListing,
} from '../../video/publish/report.ts';
import type { VideoResult, VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import { type DownloadedFile, type DownloadOptions, downloadFile } from './download-file.ts';
import type { ApiTask } from './parse-answer.ts';
import { type AgentFiles, matchResults, posterUrlOf } from './plan-files.ts';
import type { TaskRequest } from './request-body.ts';
import type { ResumeState } from './resume-state.ts';

export interface FetchRequest {
  readonly payload: VideoTaskPayload;
  readonly request: TaskRequest;
  readonly server: string;
  readonly folder: OutputFolder;
  /** In the order of the agents. */
  readonly files: readonly AgentFiles[];
  readonly inFolder: readonly EarlierVideo[];
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly startedMs: number;
  readonly warnings: readonly string[];
  readonly download: DownloadOptions & { readonly resumeState: Pick<ResumeState, 'clear'> };
}

/** Results of an earlier run for the same request that are up to date. */
export interface EarlierResults {
  readonly taskId: string;
  /** The last command made them, so that its report is about them. */
  readonly isLatest: boolean;
  readonly report: Report;
  /** In the order of the agents; null where a file is missing or has changed. */
  readonly videos: readonly (ReportVideo | null)[];
}

/** Nothing has to be made or downloaded. */
export function isUpToDate({ isLatest, videos }: EarlierResults): boolean {
  return isLatest && videos.every((video) => video !== null);
}

/** @returns Null when the folder has no results of this request. */
export async function findEarlierResults({
  folder,
  request,
  files: planned,
  inFolder,
}: Pick<FetchRequest, 'folder' | 'request' | 'files' | 'inFolder'>): Promise<EarlierResults | null> {
  const report = await readPreviousReport(path.join(folder.path, REPORT_NAME));
  if (report === null) return null;
  const isLatest = report.server?.request_sha256 === request.sha256;
  const { agentId: firstId = '' } = planned[0] ?? {};
  const first = inFolder.find(({ entry }) => entry.key === keyOf(request, firstId));
  const taskId = isLatest ? report.task_id : first?.taskId;
  if (taskId === undefined) return null;
  const ofTask = inFolder.filter((video) => video.taskId === taskId).map(({ entry }) => entry);
  const entries = isLatest ? report.videos : ofTask.filter(isAgentsVideo);
  const videos: (ReportVideo | null)[] = [];
  for (const { agentId, video, poster, preview } of planned) {
    const own = entries.filter(({ agent_id }) => agent_id === agentId);
    const hasPoster = own.some((entry) => entry.poster !== null);
    const files = [video, ...(hasPoster ? [poster] : []), ...(preview === null ? [] : [preview])];
    videos.push(await findUnchangedVideo(own, { key: keyOf(request, agentId), files }, folder.path));
  }
  return videos.some((video) => video !== null) ? { taskId, isLatest, report, videos } : null;
}

function isAgentsVideo(entry: KeptVideo): entry is KeptVideo & ReportVideo {
  return entry.agent_id !== undefined && entry.agent_name !== undefined && entry.metadata !== undefined;
}

/** Publishes the earlier results again, so that the report is one of this run. */
export async function keepResults(
  earlier: EarlierResults,
  { folder, inFolder, payload }: Pick<FetchRequest, 'folder' | 'inFolder' | 'payload'>,
): Promise<VideoTaskOutcome> {
  const videos = earlier.videos.flatMap((video) =>
    video === null ? [] : [{ ...video, is_unchanged: true }],
  );
  const settled = await settleKept(inFolder, videos, payload, folder.path);
  const report: Report = {
    ...earlier.report,
    results: resultsOf(videos, folder.path),
    videos,
    kept: settled.kept,
    removed: settled.removed,
    warnings: settled.warnings,
    notes: ['nothing has changed: all videos are up to date (--force makes them again)', ...settled.notes],
  };
  return publishVideos(folder, [], report);
}

/**
 * Downloads missing files and publishes the complete set.
 *
 * @throws {@link ListingVideoError} As `downloadFile`, and `server_answer_invalid` for results that do not match the
 *   listing.
 */
export async function fetchResults(
  task: ApiTask,
  earlier: EarlierResults | null,
  fetch: FetchRequest,
): Promise<VideoTaskOutcome> {
  const { folder, server, download, files: plan } = fetch;
  const results = matchResults(plan, task.results, new URL(server));
  const videos: ReportVideo[] = [];
  const downloaded: NamedFile[] = [];
  for (const [index, files] of plan.entries()) {
    const kept = earlier?.videos[index] ?? null;
    if (kept !== null) {
      const { task_id: _, ...video }: KeptVideo & ReportVideo = kept;
      videos.push({ ...video, is_unchanged: true });
      continue;
    }
    const onProgress = (done: number): void => download.onProgress((index + done) / plan.length);
    const fetched = await fetchVideo(results[index]!, files, { ...download, onProgress });
    videos.push(toReportVideo(index, results[index]!, fetched, fetch));
    downloaded.push(...fetched.files);
  }
  download.signal.throwIfAborted();
  // Staged only when all are complete: staged files do not survive this command, files in the resume state do.
  for (const { name, file } of downloaded) await rename(file.path, folder.stagedPath(name));
  const media = downloaded.map(({ name }) => name);
  const outcome = await publishVideos(folder, media, await toReport(task, videos, fetch));
  await download.resumeState.clear();
  return outcome;
}

interface NamedFile {
  readonly name: string;
  readonly file: DownloadedFile;
}

type FetchedVideo = Awaited<ReturnType<typeof fetchVideo>>;

async function fetchVideo(
  { url, preview_url: previewUrl }: VideoResult,
  names: AgentFiles,
  download: DownloadOptions,
) {
  const video = await fetchFile(url, names.video, download);
  const facts = await readVideoFacts(video.path);
  if (facts === null) throw await discard(video, `${url} is not a playable video`);
  const files: NamedFile[] = [{ name: names.video, file: video }];
  const others = { ...download, onProgress: () => undefined };
  if (names.preview !== null && previewUrl !== undefined) {
    const preview = await fetchFile(previewUrl, names.preview, others);
    if (!(await startsWith(preview.path, 'GIF8'))) throw await discard(preview, `${previewUrl} is not a GIF`);
    files.push({ name: names.preview, file: preview });
  }
  const posterUrl = posterUrlOf(url);
  const poster = posterUrl === null ? null : await fetchPoster(posterUrl, names.poster, others);
  if (poster !== null) files.push({ name: names.poster, file: poster });
  return { ...facts, files };
}

async function fetchFile(url: string, name: string, download: DownloadOptions): Promise<DownloadedFile> {
  const file = await downloadFile(url, name, download);
  if (file !== null) return file;
  throw new ListingVideoError('server_answer_invalid', `the server no longer has ${url}`, {
    hint: 'the server deletes old results (serve --keep); run the same command with --force to make a new task',
    context: { url },
  });
}

/** Posters are not part of the API; a video without one is complete. */
async function fetchPoster(
  url: string,
  name: string,
  download: DownloadOptions,
): Promise<DownloadedFile | null> {
  const poster = await downloadFile(url, name, download).catch(nullOn('server_answer_invalid'));
  return poster !== null && (await startsWith(poster.path, '\xff\xd8\xff')) ? poster : null;
}

/** Removes the file, so that the next command downloads it again. */
async function discard({ path: file }: DownloadedFile, message: string): Promise<ListingVideoError> {
  await rm(file, { force: true });
  return new ListingVideoError('verification_failed', message, {
    hint: 'run the same command again; if it fails again, ask the operator of the server',
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
    return found ? { file: found.name, size_bytes: found.file.sizeBytes, sha256: found.file.sha256 } : null;
  };
  return {
    agent_id: agentId,
    agent_name: `${agent.first_name} ${agent.last_name}`.trim(),
    template_id: templateId,
    ratio,
    key: keyOf(request, agentId),
    video: described('.mp4')!,
    poster: described('.jpg'),
    preview: described('.gif'),
    frames,
    duration_sec: durationSec,
    segments: { rendered: 0, reused: 0 },
    is_unchanged: false,
    created_at: formatTimestamp(new Date(createdAt)),
    metadata,
    sound: null,
    scenes: [],
    warnings: [],
  };
}

/** The server keeps the times of its steps to itself. */
const NO_TIMINGS = { assets: 0, storyboard: 0, render: 0, assemble: 0, publish: 0 };

async function toReport(task: ApiTask, videos: readonly ReportVideo[], fetch: FetchRequest): Promise<Report> {
  const { payload, generator, server, request, startedMs, download, warnings } = fetch;
  const { listing } = payload;
  const nowMs = download.network.nowMs();
  const cleaned = await settleKept(fetch.inFolder, videos, payload, fetch.folder.path);
  const dropped = new Set(task.droppedAssets.map(({ url }) => url));
  return {
    $schema: REPORT_SCHEMA,
    schema_version: REPORT_VERSION,
    generator,
    task_id: task.id,
    created_at: formatTimestamp(new Date(nowMs)),
    listing: toReportListing(payload),
    quality: null,
    server: { url: server, request_sha256: request.sha256 },
    results: resultsOf(videos, fetch.folder.path),
    videos,
    ...(cleaned.kept.length > 0 ? { kept: cleaned.kept } : {}),
    ...(cleaned.removed.length > 0 ? { removed: cleaned.removed } : {}),
    assets: {
      given: listing.assets.length,
      used: listing.assets.filter(({ url }) => !dropped.has(url)).length,
    },
    dropped_assets: task.droppedAssets,
    warnings: [...warnings, ...task.warnings, ...cleaned.warnings],
    notes: cleaned.notes,
    timings: { ...NO_TIMINGS, total: Math.max(0, nowMs - startedMs) / 1000 },
    stills: {},
  };
}
