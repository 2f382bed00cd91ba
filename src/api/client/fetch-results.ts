/** Downloads the results of a server's task and publishes the complete set in the output folder, with a report. */
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ListingVideoError, nullOn } from '../../platform/errors.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { findUnchangedVideo, readPreviousReport } from '../../video/plan/earlier-run.ts';
import { readVideoFacts } from '../../video/plan/read-video-facts.ts';
import { settleKept } from '../../video/publish/kept-videos.ts';
import { madeOf } from '../../video/publish/made-of.ts';
import { publishVideos, resultsOf } from '../../video/publish/publish-videos.ts';
import {
  formatTimestamp,
  type KeptVideo,
  REPORT_NAME,
  REPORT_SCHEMA,
  REPORT_VERSION,
  type Report,
  type ReportFile,
  type ReportVideo,
  toReportListing,
} from '../../video/publish/report.ts';
import type { VideoTaskOutcome } from '../../video/video-task.ts';
import { type DownloadedFile, type DownloadOptions, downloadFile } from './download-file.ts';
import type { ApiResult, ApiTask } from './parse-answer.ts';
import { type AgentFiles, matchResults } from './plan-files.ts';
import type { EarlierResults, FollowedTask, RemoteContext } from './remote-context.ts';
import type { TaskRequest } from './request-body.ts';

/** @returns Null when the folder has no results of this request. */
export async function findEarlierResults({
  folder,
  request,
  files: planned,
  inFolder,
}: Pick<FollowedTask, 'folder' | 'request' | 'files' | 'inFolder'>): Promise<EarlierResults | null> {
  const report = await readPreviousReport(path.join(folder.path, REPORT_NAME));
  const keys = planned.map(({ agentId }) => keyOf(request, agentId));
  const taskId = inFolder.find(({ entry }) => keys.includes(entry.key))?.taskId;
  if (report === null || taskId === undefined) return null;
  const entries = inFolder.filter((video) => video.taskId === taskId).map(({ entry }) => entry);
  const videos: (ReportVideo | null)[] = [];
  for (const [index, { video, poster, preview }] of planned.entries()) {
    const key = keys[index]!;
    const hasPoster = entries.some((entry) => entry.key === key && entry.poster !== null);
    const files = [video, ...(hasPoster ? [poster] : []), ...(preview === null ? [] : [preview])];
    // Its key is that of a video with an agent.
    const found = (await findUnchangedVideo(entries, { key, files }, folder.path)) as ReportVideo | null;
    videos.push(found);
  }
  if (videos.every((video) => video === null)) return null;
  // The report of another request says nothing of this one's dropped photos.
  const isLatest = report.server?.request_sha256 === request.sha256;
  return { taskId, isUpToDate: isLatest && !videos.includes(null), report, videos };
}

/** Publishes the earlier results again, so that the report is one of this run. */
export function keepResults({ report, videos }: EarlierResults, follow: FollowedTask) {
  const kept = videos.flatMap((video) => (video === null ? [] : [{ ...video, is_unchanged: true }]));
  const note = 'nothing has changed: all videos are up to date (--force makes them again)';
  return publish({ ...report, videos: kept, warnings: [], notes: [note] }, [], follow);
}

/**
 * Downloads missing files and publishes the complete set.
 *
 * @throws {@link ListingVideoError} As `downloadFile`, and `server_answer_invalid` for results that do not match the
 *   listing.
 */
export async function fetchResults(
  task: ApiTask,
  follow: FollowedTask,
  context: RemoteContext & Pick<DownloadOptions, 'onProgress'>,
): Promise<VideoTaskOutcome> {
  const { folder, resumeState, files: plan, earlier } = follow;
  const results = matchResults(plan, task.results, new URL(context.server));
  const videos: ReportVideo[] = [];
  const downloaded: NamedFile[] = [];
  for (const [index, files] of plan.entries()) {
    const kept = earlier?.videos[index] ?? null;
    if (kept !== null) {
      const { task_id: _, ...video }: KeptVideo & ReportVideo = kept;
      videos.push({ ...video, is_unchanged: true });
      continue;
    }
    const onProgress = (done: number): void => context.onProgress((index + done) / plan.length);
    const fetched = await fetchVideo(results[index]!, files, { ...context, resumeState, onProgress });
    videos.push(toReportVideo(index, results[index]!, fetched, follow));
    downloaded.push(...[fetched.video, fetched.poster, fetched.preview].filter((file) => file !== null));
  }
  context.signal.throwIfAborted();
  // Staged only when all are complete: staged files do not survive this command, files in the resume state do.
  for (const { name, file } of downloaded) await rename(file.path, folder.stagedPath(name));
  const media = downloaded.map(({ name }) => name);
  const outcome = await publish(toReport(task, videos, follow, context), media, follow);
  await resumeState.clear();
  return outcome;
}

interface NamedFile {
  readonly name: string;
  readonly file: DownloadedFile;
}

type FetchedVideo = Awaited<ReturnType<typeof fetchVideo>>;

async function fetchVideo(
  { url, preview_url: previewUrl, poster_url: posterUrl }: ApiResult,
  names: AgentFiles,
  download: DownloadOptions,
) {
  const video = await fetchFile(url, names.video, download);
  const facts = await readVideoFacts(video.file.path);
  if (facts === null) throw await discard(video, `${url} is not a playable video`);
  const others = { ...download, onProgress: () => undefined };
  let preview: NamedFile | null = null;
  if (names.preview !== null && previewUrl !== undefined) {
    preview = await fetchFile(previewUrl, names.preview, others);
    if (!(await startsWith(preview, 'GIF8'))) throw await discard(preview, `${previewUrl} is not a GIF`);
  }
  let poster: NamedFile | null = null;
  if (posterUrl !== undefined) {
    // A video without a poster is complete.
    poster = await fetchFile(posterUrl, names.poster, others).catch(nullOn('server_answer_invalid'));
    if (poster !== null && !(await startsWith(poster, '\xff\xd8\xff'))) poster = null;
  }
  return { facts, video, preview, poster };
}

async function fetchFile(url: string, name: string, download: DownloadOptions): Promise<NamedFile> {
  const file = await downloadFile(url, name, download);
  if (file !== null) return { name, file };
  throw new ListingVideoError('server_answer_invalid', `the server no longer has ${url}`, {
    hint: 'the server deletes old results (serve --keep); run the same command with --force to make a new task',
    context: { url },
  });
}

/** Removes the file, so that the next command downloads it again. */
async function discard({ file }: NamedFile, message: string): Promise<ListingVideoError> {
  await rm(file.path, { force: true });
  return new ListingVideoError('verification_failed', message, {
    hint: 'run the same command again; if it fails again, ask the operator of the server',
  });
}

async function startsWith({ file }: NamedFile, magic: string): Promise<boolean> {
  const handle = await open(file.path, 'r');
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
  { agent_id: agentId, created_at: createdAt, metadata }: ApiResult,
  { facts, video, preview, poster }: FetchedVideo,
  { payload, request }: FollowedTask,
): ReportVideo {
  const agent = payload.listing.agents[index]!;
  const { templateId, ratio } = toAgentOptions(agent, payload.options);
  return {
    agent_id: agentId,
    agent_name: `${agent.first_name} ${agent.last_name}`.trim(),
    template_id: templateId,
    ratio,
    key: keyOf(request, agentId),
    video: toReportFile(video),
    poster: poster && toReportFile(poster),
    preview: preview && toReportFile(preview),
    frames: facts.frames,
    duration_sec: facts.durationSec,
    segments: { rendered: 0, reused: 0 },
    is_unchanged: false,
    created_at: formatTimestamp(new Date(createdAt)),
    metadata,
    sound: null,
    scenes: [],
    made_of: madeOf(payload, { agentId, ratio, files: {} }),
    warnings: [],
  };
}

function toReportFile({ name, file }: NamedFile): ReportFile {
  return { file: name, size_bytes: file.sizeBytes, sha256: file.sha256 };
}

/** The server keeps the times of its steps to itself. */
const NO_TIMINGS = { assets: 0, storyboard: 0, render: 0, assemble: 0, publish: 0 };

function toReport(
  task: ApiTask,
  videos: readonly ReportVideo[],
  { payload, request, startedMs, isResumed }: FollowedTask,
  { generator, server, network }: RemoteContext,
): Omit<Report, 'results'> {
  const { assets } = payload.listing;
  const nowMs = network.nowMs();
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
    videos,
    assets: { given: assets.length, used: assets.filter(({ url }) => !dropped.has(url)).length },
    dropped_assets: task.droppedAssets,
    warnings: [
      ...(isResumed ? [`this is task ${task.id}, which an earlier command began`] : []),
      ...task.warnings,
    ],
    notes: [],
    timings: { ...NO_TIMINGS, total: Math.max(0, nowMs - startedMs) / 1000 },
    stills: {},
  };
}

/** Adds what the folder keeps beside the videos of the report. @param media - Names of the staged files. */
async function publish(
  { kept: _kept, removed: _removed, ...report }: Omit<Report, 'results'>,
  media: readonly string[],
  { folder, inFolder, payload }: FollowedTask,
): Promise<VideoTaskOutcome> {
  const settled = await settleKept(inFolder, report.videos, payload, folder.path);
  const { kept, removed } = settled;
  return publishVideos(folder, media, {
    ...report,
    results: resultsOf(report.videos, folder.path),
    ...(kept.length > 0 ? { kept } : {}),
    ...(removed.length > 0 ? { removed } : {}),
    warnings: [...report.warnings, ...settled.warnings],
    notes: [...report.notes, ...settled.notes],
  });
}
