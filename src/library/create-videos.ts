/**
 * The program as a function: makes the videos of one listing in this process, with the task engine and store of the
 * command line. It reads neither config.json nor, without `useProxy`, the environment: an absent option has its
 * built-in default.
 */
import path from 'node:path';
import type { AspectRatio, Listing } from '../listing/listing.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import { type ErrorCode, ListingVideoError } from '../platform/errors.ts';
import { machineFacts } from '../platform/settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../platform/settings/resolve-settings.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import type { TaskProgress } from '../task/task.ts';
import { toPlaceOptions } from '../video/destinations/destination-table.ts';
import { findOutsideFiles } from '../video/find-outside-files.ts';
import { toLengthOptions } from '../video/plan/for-lengths.ts';
import { removeTornFolders } from '../video/publish/folder-lock.ts';
import { outputFolderOf } from '../video/publish/output-folder-of.ts';
import type { Quality, VideoTaskOptions, VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import type { VideoTask } from '../wiring/backend.ts';
import { inOptions, sayInLibraryWords } from './library-words.ts';
import { wholePercents } from './whole-percents.ts';

export type { TaskProgress } from '../task/task.ts';
export type { VideoResult } from '../video/video-task.ts';

/** Options of {@link createVideos}: the flags of the same name of `listing-video create`. */
export interface CreateVideosOptions {
  /** Folder for the results, with one folder per listing; `videos` in the working folder by default. */
  readonly out?: string;
  /** Folder of tasks and cache; the platform's data folder by default. */
  readonly home?: string;
  /** Folder that relative asset paths resolve against; the working folder by default. */
  readonly baseDir?: string;
  /** Template of every video, in place of each agent's own. */
  readonly template?: string;
  readonly templateData?: Readonly<Record<string, string>>;
  readonly ratio?: AspectRatio;
  /** Makes every video also in this ratio, unless it has it already. */
  readonly alsoRatio?: AspectRatio;
  /** Length of every video: `short`, `normal`, `long` or seconds such as `30s`; several make a video of each. */
  readonly length?: readonly string[];
  /**
   * Makes the files that these places ask for, except for what you set. The report says whether each file fits. `mls`
   * makes a video without branding per shape.
   */
  readonly for?: VideoTaskOptions['destinations'];
  /** What videos of a template without branding say of these; price and status by default. */
  readonly unbrandedKeep?: VideoTaskOptions['unbrandedKeep'];
  /** Whether to make a GIF of every video, whatever each agent's `create_preview` says. */
  readonly preview?: boolean;
  readonly quality?: Quality;
  /** Fails when fewer assets are usable; 1 by default. */
  readonly minAssets?: number;
  /**
   * The listing comes from a stranger: only files inside `baseDir`, also through symbolic links, and no private
   * addresses except those of `allowAssetsFrom`.
   */
  readonly untrusted?: boolean;
  /** Private hosts that assets of an untrusted listing can be fetched from: host names, addresses, CIDR blocks. */
  readonly allowAssetsFrom?: readonly string[];
  /** Hosts that no asset can be fetched from, whatever else allows them: host names, addresses, CIDR blocks. */
  readonly denyAssetsFrom?: readonly string[];
  /**
   * Fetches photos through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`); no by
   * default. The addresses behind a proxy cannot be checked.
   */
  readonly useProxy?: boolean;
  /** Downloads, decoders and render threads at once; the number of CPUs by default. */
  readonly concurrency?: number;
  /** Path of ffmpeg; by default the first suitable one that is found. */
  readonly ffmpeg?: string;
  /** Size limit of the disk cache, in bytes; 5 GB by default. */
  readonly cacheSize?: number;
  /** Renders everything again, also videos that are up to date. */
  readonly force?: boolean;
  /** Stops cleanly; the next call reuses the segments that are finished. */
  readonly signal?: AbortSignal;
  /** Called once for each whole percent. */
  readonly onProgress?: (progress: TaskProgress) => void;
  /** Called for problems that do not end the run; nothing is printed. */
  readonly onWarning?: (message: string) => void;
}

/** The videos in the shapes of the HTTP API; URLs are `file:` URLs. */
export interface CreatedVideos extends Omit<VideoTaskOutcome, 'report'> {
  /** Absolute path of report.json. */
  readonly report: string;
  readonly taskId: string;
}

/**
 * Renders one video per agent and writes the complete set into `<out>/<listing id>/`.
 *
 * @throws {@link ListingVideoError} `invalid_listing` with `context.violations`, `setting_invalid`,
 * `no_usable_assets`, `template_not_found`, `cancelled`, or any other code of a failed task, with the dropped assets in
 * `context.dropped_assets`.
 */
export async function createVideos(
  listing: Listing,
  options: CreateVideosOptions = {},
): Promise<CreatedVideos> {
  return sayInLibraryWords(() => makeVideos(listing, options));
}

async function makeVideos(listing: Listing, options: CreateVideosOptions): Promise<CreatedVideos> {
  options.signal?.throwIfAborted();
  const machine = machineFacts();
  const settings = settingValues(resolveSettings({ flags: options, env: {}, config: null, machine }));
  const baseDir = path.resolve(machine.cwd, options.baseDir ?? '.');
  const valid = requireValid(listing, settings.untrusted ? baseDir : null);
  await removeTornFolders(settings.out);
  const payload: VideoTaskPayload = {
    listing: valid,
    listingFile: null,
    baseDir,
    outputDir: await outputFolderOf(settings.out, valid.id),
    options: toTaskOptions(options, settings),
  };
  const { openBackend } = await import('../wiring/open-backend.ts');
  const logger = {
    debug: () => undefined,
    warn: (message: string) => options.onWarning?.(inOptions(message)),
  };
  const backend = await openBackend(settings, { logger });
  try {
    const { id } = await backend.engine.submit({
      origin: 'cli',
      organizationId: null,
      payload,
    });
    const task = await backend.engine.runTask(id, {
      signal: options.signal ?? new AbortController().signal,
      onProgress: wholePercents((progress) => options.onProgress?.(progress)),
    });
    return { taskId: id, ...videosOf(task) };
  } finally {
    await backend.close();
  }
}

/** @param onlyInside - Folder that all files of the listing must be in; null for a trusted listing. */
function requireValid(listing: unknown, onlyInside: string | null): Listing {
  const result = validateListing(listing, { allowLocalFiles: true });
  const outside = result.ok && onlyInside !== null ? findOutsideFiles(result.listing, onlyInside) : [];
  if (result.ok && outside.length === 0) return result.listing;
  const violations = result.ok ? outside : result.violations;
  const [first] = violations;
  throw new ListingVideoError(
    'invalid_listing',
    `the listing is not valid: ${violations.length} violation${violations.length === 1 ? '' : 's'}, first: ` +
      `${first?.loc.slice(1).join('.')}: ${first?.msg}`,
    { hint: 'validateListing returns all of them', context: { violations } },
  );
}

function toTaskOptions(
  options: CreateVideosOptions,
  settings: Pick<
    Settings,
    'alsoRatio' | 'length' | 'for' | 'unbrandedKeep' | 'quality' | 'minAssets' | 'untrusted'
  >,
): VideoTaskOptions {
  const { template, templateData, ratio, preview } = options;
  return {
    templateId: template,
    ...toLengthOptions(settings.length, templateData),
    ratio,
    preview,
    alsoRatio: settings.alsoRatio,
    ...toPlaceOptions(settings.for),
    unbrandedKeep: settings.unbrandedKeep,
    quality: settings.quality,
    minAssets: settings.minAssets,
    force: options.force === true,
    ...(settings.untrusted ? { untrusted: true } : {}),
  };
}

function videosOf(task: VideoTask): Omit<CreatedVideos, 'taskId'> {
  const report = task.outcome?.report ?? null;
  if (task.outcome !== null && report !== null) {
    const { warnings } = task.outcome;
    return { ...task.outcome, ...(warnings && { warnings: warnings.map(inOptions) }), report };
  }
  const { code, message, hint, context } = task.failure ?? { code: 'task_failed', message: task.state };
  throw new ListingVideoError(code as ErrorCode, message, {
    hint,
    context: { ...(context as Record<string, unknown> | undefined), task_id: task.id },
  });
}
