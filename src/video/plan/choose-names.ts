/**
 * The file name of each video of a run in the folder of its listing. A name shows the shape, the template or the draft
 * wherever the plain name belongs to a different video, so that no run replaces what another one made. Pure.
 */

import type { AspectRatio } from '../../listing/listing.ts';
import { foldCase, safeName } from '../../platform/disk/safe-name.ts';

/** What tells two videos of one agent apart. */
export interface VideoVariant {
  /** Null for a video without branding. */
  readonly agentId: string | null;
  readonly ratio: AspectRatio;
  readonly templateId: string;
  readonly isDraft: boolean;
  /** The word for its places in its name, where the agent has several files. */
  readonly namedFor?: string;
}

export interface NamedVideo extends VideoVariant {
  /** File name without its ending. */
  readonly name: string;
}

export interface UnnamedVideo extends VideoVariant {
  readonly plainName: string;
  /** It is made beside the agent's own video, so its name always has the ratio. */
  readonly isOtherShape: boolean;
}

export interface NamingRules {
  /** The command line chose the template. A template that the listing chose is an edit, which replaces. */
  readonly isTemplateChosen: boolean;
  /** A video can take the name of a different one. */
  readonly force: boolean;
}

const MAX_TEMPLATE_CHARS = 40;
const DRAFT_WORD = 'draft';

/**
 * Names in the order of `videos`, unique also on file systems that ignore case. A video keeps the name that the folder
 * has for it. It takes over the name of an earlier version of itself: of the same agent and ratio, except that a draft
 * does not replace a finished video, nor a template of the command line a video with another template, and no video
 * takes a name that shows another template or a draft.
 *
 * @param earlier - What the folder has, the latest first.
 */
export function chooseNames(
  videos: readonly UnnamedVideo[],
  earlier: readonly NamedVideo[],
  rules: NamingRules,
): string[] {
  const chosen = new Map<UnnamedVideo, string>();
  const used = new Set<string>();
  const take = (video: UnnamedVideo, name: string | undefined): void => {
    if (name === undefined || chosen.has(video) || used.has(foldCase(name))) return;
    chosen.set(video, name);
    used.add(foldCase(name));
  };
  const find = (video: UnnamedVideo, isIt: (found: NamedVideo) => boolean): string | undefined =>
    earlier.find(
      (found) => found.agentId === video.agentId && isOfFamily(found.name, video.plainName) && isIt(found),
    )?.name;
  for (const video of videos)
    take(
      video,
      find(video, (found) => isSameVariant(found, video)),
    );
  for (const video of videos)
    take(
      video,
      find(video, (found) => isEarlierVersion(found, video, rules)),
    );
  const taken = new Set(rules.force ? [] : earlier.map(({ name }) => foldCase(name)));
  for (const video of videos) {
    const main = earlier.find(({ name }) => foldCase(name) === foldCase(video.plainName));
    const name = newName(video, rules.force ? undefined : main);
    const isFree = (candidate: string): boolean =>
      !used.has(foldCase(candidate)) && !taken.has(foldCase(candidate));
    let candidate = name;
    for (let number = 2; !isFree(candidate); number++) candidate = `${name}-${number}`;
    take(video, candidate);
  }
  return videos.map((video) => chosen.get(video)!);
}

/** The name of a video's smaller file. @param taken - Names of videos, which an agent can have chosen. */
export function smallName(name: string, taken: readonly string[]): string {
  const isFree = (candidate: string): boolean =>
    !taken.some((other) => foldCase(other) === foldCase(candidate));
  let candidate = `${name}-720p`;
  for (let number = 2; !isFree(candidate); number++) candidate = `${name}-720p-${number}`;
  return candidate;
}

/**
 * Whether a finished video or draft stays beside those with the template of the listing, because the command line chose
 * another one for it: it has that template in its name, or the listing's template has a video of its own.
 *
 * @param templateId - What the listing says for the agent of `video`.
 * @param all - What the folder has.
 */
export function hasChosenTemplate(
  video: NamedVideo,
  templateId: string,
  all: readonly NamedVideo[],
): boolean {
  if (video.agentId === null || video.templateId === templateId) return false;
  const isNamed = showsWord(video.name, safeName(video.agentId), templateWord(video.templateId));
  return (
    isNamed ||
    all.some((other) => isSameVariant({ ...video, templateId }, other) && other.agentId === video.agentId)
  );
}

/** A name that an earlier run derived from `plainName`; an agent whose video loses its branding gets another one. */
function isOfFamily(name: string, plainName: string): boolean {
  return name === plainName || name.startsWith(`${plainName}-`);
}

function isSameVariant(found: VideoVariant, video: VideoVariant): boolean {
  return (
    found.ratio === video.ratio &&
    found.templateId === video.templateId &&
    found.isDraft === video.isDraft &&
    found.namedFor === video.namedFor
  );
}

function isEarlierVersion(found: NamedVideo, video: UnnamedVideo, rules: NamingRules): boolean {
  const shows = (word: string) => showsWord(found.name, video.plainName, word);
  const isTemplateOpen = !rules.isTemplateChosen && !shows(templateWord(found.templateId));
  return (
    found.ratio === video.ratio &&
    found.namedFor === video.namedFor &&
    (found.templateId === video.templateId || isTemplateOpen) &&
    (found.isDraft ? video.isDraft || !shows(DRAFT_WORD) : !video.isDraft)
  );
}

function showsWord(name: string, plainName: string, word: string): boolean {
  return `${name.slice(plainName.length)}-`.includes(`-${word}-`);
}

function templateWord(templateId: string): string {
  return safeName(templateId).slice(0, MAX_TEMPLATE_CHARS);
}

/** @param main - The different video that has the plain name; undefined when there is none. */
function newName(video: UnnamedVideo, main: VideoVariant | undefined): string {
  const { plainName, ratio, templateId, isDraft, isOtherShape } = video;
  const hasOther = (isOther: (main: VideoVariant) => boolean) => main !== undefined && isOther(main);
  return [
    plainName,
    ...(isOtherShape || hasOther((other) => other.ratio !== ratio) ? [ratio.replace(':', 'x')] : []),
    ...(hasOther((other) => other.templateId !== templateId) ? [templateWord(templateId)] : []),
    ...(hasOther((other) => isDraft && !other.isDraft) ? [DRAFT_WORD] : []),
  ].join('-');
}
