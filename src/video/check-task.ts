/**
 * Finds what would keep a task from being rendered, and what its videos would leave out: the work of `validate`. It
 * opens no connection and renders nothing.
 *
 * Templates, data and music are read as `create` reads them. Of local photos it reads the first bytes. It decodes only
 * as many as it takes to know that enough are usable: one, unless more are required. Photos of the network count as
 * usable.
 */

import { alteredWarnings } from '../design/storyboard/scenes/omissions/altered-warnings.ts';
import { fillDataLayers } from '../design/template/data-layers.ts';
import type { TemplateCache } from '../design/template/load-template.ts';
import type { Agent, Asset, ListingWarning, Violation } from '../listing/listing.ts';
import type { Loc } from '../listing/rules/violation.ts';
import type { PreparedAssets } from '../media/assets/prepare-assets.ts';
import { findLocalProblem } from '../media/assets/probe-photo.ts';
import { isNetworkUrl, localPathOf } from '../media/assets/read-local-asset.ts';
import { soundtrackDirsOf } from '../media/encode/audio/load-soundtrack.ts';
import { pathToRead } from '../platform/disk/allowed-folders.ts';
import { isMachineFault, ListingVideoError } from '../platform/errors.ts';
import { readEarlierRun } from './plan/earlier-run.ts';
import { gatherAssets, requireEnoughAssets } from './plan/gather-assets.ts';
import { warnOfListing } from './plan/listing-warnings.ts';
import { type ChosenMusic, createMusicChooser, type MusicChooser } from './plan/music/choose-music.ts';
import { agentVideos, imageLayers, type RequestedVideo } from './plan/requested-videos.ts';
import type { RenderDeps } from './render-deps.ts';
import { openTemplates } from './templates/template-fonts.ts';
import type { VideoTaskPayload } from './video-task.ts';
import { openWorkFolder } from './work-folder.ts';

export interface TaskCheck {
  /** `create` refuses the listing for these. The `type` is the code of its error. */
  readonly violations: readonly Violation[];
  /** `create` renders without these parts, and says so. */
  readonly warnings: readonly ListingWarning[];
}

/** @throws the signal's reason. Everything else is a result. */
export type CheckTask = (payload: VideoTaskPayload, signal: AbortSignal) => Promise<TaskCheck>;

/** Reads each template and soundtrack once for all tasks. */
export function createTaskChecker(deps: RenderDeps): CheckTask {
  const templates = openTemplates(deps);
  const choosers = new Map<string, MusicChooser>();
  const chooseMusic: ChooseMusic = (
    { options, baseDir, listing },
    { template, options: { templateData } },
    signal,
  ) => {
    const context = {
      override: options.music,
      baseDir,
      isUntrusted: options.untrusted === true && options.templateData?.music === undefined,
      folders: deps.folders,
      soundtrackDirs: soundtrackDirsOf(deps.templatesDirs),
    };
    const key = JSON.stringify(context);
    const chooser = choosers.get(key) ?? createMusicChooser({ ...context, signal });
    choosers.set(key, chooser);
    return chooser.choose(template, templateData.music, listing.id);
  };
  return (payload, signal) => checkTask(payload, { deps, templates, chooseMusic }, signal);
}

type ChooseMusic = (
  payload: VideoTaskPayload,
  video: RequestedVideo,
  signal: AbortSignal,
) => Promise<ChosenMusic>;

interface CheckTools {
  readonly deps: RenderDeps;
  readonly templates: TemplateCache;
  readonly chooseMusic: ChooseMusic;
}

interface CheckedOriginal {
  readonly assetIndex: number;
  readonly original?: string;
}

async function checkTask(
  payload: VideoTaskPayload,
  tools: CheckTools,
  signal: AbortSignal,
): Promise<TaskCheck> {
  const { deps, templates } = tools;
  const violations: Violation[] = [];
  const warnings: ListingWarning[] = [];
  const attempt = async <T>(loc: Loc, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ListingVideoError)) throw error;
      if (isMachineFault(error.code)) warnings.push({ loc, message: `not checked: ${error.message}` });
      else violations.push(toViolation(loc, error));
      return null;
    }
  };
  await attempt(['body', 'id'], () => readEarlierRun(payload.outputDir, payload));
  const originals = await checkOriginals(payload, deps, warnings);
  const videos: RequestedVideo[] = [];
  for (const [index, agent] of payload.listing.agents.entries()) {
    const place = ['body', 'agents', index];
    const loc = payload.options.templateId === undefined ? templatePlace(place, agent) : ['body'];
    const listing = { ...payload.listing, agents: [agent] };
    const [video] = (await attempt(loc, () => agentVideos({ ...payload, listing }, templates))) ?? [];
    if (video !== undefined) {
      videos.push({ ...video, listing: payload.listing });
      const found = await attempt(['body'], () =>
        checkData(payload, video, place, { ...tools, originals }, signal),
      );
      warnings.push(...(found ?? []));
    }
    const picture = agent.picture && (await problemOf(payload, deps, agent.picture));
    if (picture) warnings.push({ loc: [...place, 'picture'], message: leftOut('the portrait', picture) });
  }
  warnings.push(...warnOfListing(videos));
  await attempt(['body', 'assets'], () => checkPhotos(payload, deps, signal, warnings));
  // An error of the command line meets every agent.
  return { violations: distinct(violations), warnings: distinct(warnings) };
}

/**
 * The assets with their originals, as far as these can be used.
 *
 * @param warnings - Gets why others are left out.
 */
async function checkOriginals(
  payload: VideoTaskPayload,
  deps: RenderDeps,
  warnings: ListingWarning[],
): Promise<CheckedOriginal[]> {
  const checked: CheckedOriginal[] = [];
  for (const [assetIndex, { original }] of payload.listing.assets.entries()) {
    const problem = original === undefined ? null : await problemOf(payload, deps, original);
    checked.push(original === undefined || problem !== null ? { assetIndex } : { assetIndex, original });
    if (problem !== null)
      warnings.push({
        loc: ['body', 'assets', assetIndex, 'original'],
        message: leftOut('the original', problem),
      });
  }
  return checked;
}

/** The warnings for an agent's `template_data`. */
async function checkData(
  payload: VideoTaskPayload,
  video: RequestedVideo,
  place: Loc,
  { deps, chooseMusic, originals }: CheckTools & { readonly originals: readonly CheckedOriginal[] },
  signal: AbortSignal,
): Promise<ListingWarning[]> {
  const { options, baseDir, listing } = payload;
  const { template, notes } = video;
  const { templateData } = video.options;
  const dataPlace = [...place, 'video_options', 'template_data'];
  const own = listing.agents[Number(place.at(-1))]?.video_options?.template_data ?? {};
  const locOf = (name: string): Loc =>
    Object.hasOwn(own, name) && options.templateData?.[name] === undefined ? [...dataPlace, name] : ['body'];
  const warnings: ListingWarning[] = notes.map((message) => ({ loc: dataPlace, message }));
  const { faults, values } = fillDataLayers(template.dataLayers, templateData, template.withoutLayers);
  warnings.push(...faults.map(({ name, message }) => ({ loc: locOf(name), message })));
  const altered = alteredWarnings(listing, originals, values.originals_url);
  warnings.push(...altered.map((message) => ({ loc: ['body', 'assets'], message })));
  const chosen = await chooseMusic(payload, video, signal);
  warnings.push(...chosen.warnings.map((message) => ({ loc: locOf('music'), message })));
  for (const [name, url] of imageLayers(template, templateData)) {
    const problem = await problemOf({ options, baseDir }, deps, url);
    if (problem !== null) warnings.push({ loc: locOf(name), message: leftOut('the image', problem) });
  }
  return warnings;
}

/**
 * @param warnings - Gets why photos are left out, also when too few remain.
 * @throws {@link ListingVideoError} `no_usable_assets`; as `openWorkFolder` and `gatherAssets`.
 */
async function checkPhotos(
  payload: VideoTaskPayload,
  deps: RenderDeps,
  signal: AbortSignal,
  warnings: ListingWarning[],
): Promise<void> {
  const { assets } = payload.listing;
  const { minAssets } = payload.options;
  const problems: { readonly index: number; readonly problem: string }[] = [];
  const local: Asset[] = [];
  let remote = 0;
  for (const [index, asset] of assets.entries()) {
    const { url } = asset;
    signal.throwIfAborted();
    if (isNetworkUrl(url)) remote += 1;
    else {
      const problem = await problemOf(payload, deps, url);
      if (problem === null) local.push(asset);
      else problems.push({ index, problem });
    }
  }
  const needed = minAssets - remote;
  const { photos, dropped } =
    needed <= 0 ? { photos: local, dropped: [] } : await decodeUntil(payload, local, needed, deps, signal);
  for (const { url, reason } of dropped) {
    const isTwin = reason.startsWith('duplicate:');
    const isIt = (asset: { readonly url: string }) => asset.url === url;
    const index = isTwin ? assets.findLastIndex(isIt) : assets.findIndex(isIt);
    // The reason numbers only the photos that were decoded.
    const problem = isTwin ? 'the same picture as an earlier photo' : reason.replace(/^\w+: /, '');
    problems.push({ index, problem });
  }
  for (const { index, problem } of problems.sort((a, b) => a.index - b.index))
    warnings.push({ loc: ['body', 'assets', index, 'url'], message: leftOut('the photo', problem) });
  requireEnoughAssets({ photos: { length: remote + photos.length } }, assets.length, minAssets);
}

/** Decodes local photos until `needed` are usable, or all are decoded. */
async function decodeUntil(
  payload: VideoTaskPayload,
  photos: readonly Asset[],
  needed: number,
  deps: RenderDeps,
  signal: AbortSignal,
): Promise<Pick<PreparedAssets, 'photos' | 'dropped'>> {
  const work = await openWorkFolder(deps.home);
  try {
    for (let take = needed; ; take *= 2) {
      // Decoded photos stay in the cache: each round decodes only its own.
      const assetsOfRound = photos.slice(0, take).map(({ original: _, ...asset }) => asset);
      const listing = { ...payload.listing, assets: assetsOfRound, agents: [] };
      const options = {
        workDir: work.path,
        signal: AbortSignal.any([signal, work.lost]),
        onProgress: () => {},
      };
      const assets = await gatherAssets({ ...payload, listing }, [], deps, options);
      if (assets.photos.length >= needed || take >= photos.length) return assets;
    }
  } finally {
    await work.close();
  }
}

/** Null for a file that can be a photo, and for a photo of the network. */
async function problemOf(
  { baseDir, options }: Pick<VideoTaskPayload, 'baseDir' | 'options'>,
  { assetLimits, folders }: RenderDeps,
  url: string,
): Promise<string | null> {
  const file = localPathOf(url, baseDir);
  if (file !== null && pathToRead(file, null, folders) === null)
    return 'it is outside of the folders that can be used here';
  return findLocalProblem(url, baseDir, options.untrusted === true ? {} : (assetLimits ?? {}));
}

function leftOut(what: string, problem: string): string {
  return `${what} is left out: ${problem}`;
}

function templatePlace(place: Loc, { video_options: options }: Agent): Loc {
  return options?.template_id ? [...place, 'video_options', 'template_id'] : place;
}

function toViolation(loc: Loc, { code, message, hint, context }: ListingVideoError): Violation {
  // The faults of a template can be many, and are no faults of the listing.
  const { faults: _, ...facts } = context ?? {};
  return { loc, msg: message, type: code, ctx: { ...facts, ...(hint !== undefined && { hint }) } };
}

function distinct<T extends { readonly loc: Loc }>(found: readonly T[]): T[] {
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}
