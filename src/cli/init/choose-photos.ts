/** The questions about photos: which folder, which photo opens the video, and the order. */
import path from 'node:path';
import {
  type FoundPhotos,
  findPhotos,
  isPhotoSheet,
  type SkippedFile,
} from '../../video/photos/find-photos.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { GivenAnswers, SortOrder } from './given-answers.ts';
import type { Interview } from './interview.ts';
import { isUrl, toPlace } from './local-file.ts';
import { keptPhotos, type PhotoOrder } from './order-command.ts';
import type { PhotoViewer } from './photo-viewer.ts';
import { type AnswerCheck, invalid, valid } from './validate-answer.ts';

/** Limits of a listing. */
const MIN_PHOTOS = 5;
const MAX_PHOTOS = 100;

/** A photo of the video. */
export interface ChosenPhoto {
  /** Absolute path or URL. */
  readonly place: string;
  /** On the sheet of all photos. */
  readonly number: number;
}

/** What the questions about photos need. */
export interface PhotoOptions {
  readonly cwd: string;
  readonly given: GivenAnswers;
  readonly viewer: PhotoViewer;
  /** Called with the files of the chosen folder that are no photos. */
  readonly onSkipped: (skipped: readonly SkippedFile[]) => void;
  readonly onHint: (hint: string) => void;
}

/** The answers about photos. */
export interface PhotoAnswers {
  /** Those of the video in their order. */
  readonly photos: readonly ChosenPhoto[];
  /** All that were found, by number: what the sheet shows. */
  readonly found: readonly string[];
}

/** @throws ListingVideoError `usage` for too few or too many photos, or an option that names none. */
export async function choosePhotos(ask: Interview, options: PhotoOptions): Promise<PhotoAnswers> {
  const { given } = options;
  const found = given.photo?.map((file) => toPlace(file, options.cwd)) ?? (await chooseFolder(ask, options));
  const sorted = await sortPhotos(found, given, options);
  const start = await chooseOpening(ask, sorted, options);
  // An order on the command line, or a list of files, is an answer.
  const isAsked = ask.isAsking && given.photo === undefined && given.order === undefined;
  const order = isAsked ? await askOrder(ask, sorted, start, options) : start;
  const kept = keptPhotos(order);
  checkCount(kept, given.photo === undefined ? '--photos' : '--photo');
  return { photos: kept.map((number) => ({ place: sorted[number - 1]!, number })), found: sorted };
}

async function chooseFolder(ask: Interview, { cwd, given, onSkipped }: PhotoOptions): Promise<string[]> {
  const preset = (await findPhotos(path.join(cwd, 'photos')))?.photos.length ? 'photos' : '.';
  const isTyped = ask.isAsking && given.photos === undefined;
  const validateFolder = async (text: string): Promise<AnswerCheck<FoundFolder>> => {
    const folder = toPlace(text, cwd);
    const checked = validateFound(folder, await findPhotos(folder));
    // A person sees what they type; a message of a script must name it.
    return checked.ok || isTyped ? checked : invalid(`${text}: ${checked.fault}`);
  };
  const { folder, photos, skipped } = await ask.text({
    key: 'photos',
    flag: '--photos',
    given: given.photos,
    message: 'Folder of photos',
    preset,
    rule: validateFolder,
  });
  onSkipped(skipped);
  return photos.map((name) => path.join(folder, name));
}

interface FoundFolder {
  readonly folder: string;
  readonly photos: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

function validateFound(folder: string, found: FoundPhotos | null): AnswerCheck<FoundFolder> {
  if (found === null) return invalid('no such folder');
  const photos = found.photos.filter((name) => !isPhotoSheet(name));
  const { skipped } = found;
  const [first] = skipped;
  const others =
    first === undefined ? '' : `; ${skipped.length} skipped, such as ${first.file}: ${first.reason}`;
  return photos.length < MIN_PHOTOS
    ? invalid(`at least ${MIN_PHOTOS} photos are needed, there are ${photos.length}${others}`)
    : valid(
        { folder, photos, skipped },
        `${photos.length} photos, from ${photos[0]} to ${photos.at(-1)}${others}`,
      );
}

async function sortPhotos(
  files: readonly string[],
  given: GivenAnswers,
  { onHint }: PhotoOptions,
): Promise<readonly string[]> {
  const order: SortOrder = given.order ?? (given.photo === undefined ? 'name' : 'as-given');
  if (order === 'name') {
    const { compare } = new Intl.Collator('en', { numeric: true });
    return [...files].sort((a, b) => compare(path.basename(a), path.basename(b)));
  }
  if (order === 'as-given') {
    if (given.photo !== undefined) return files;
    throw usageError(
      '--order as-given: a folder has no order',
      'use --order name, or name the files: --photo front.jpg …',
    );
  }
  const url = files.find(isUrl);
  if (url !== undefined)
    throw usageError(`--order time: the time of a URL is not known: ${url}`, '--order as-given');
  const { sortByTime } = await import('../../video/photos/sort-by-time.ts');
  const { files: sorted, withoutCameraTime } = await sortByTime(files);
  if (withoutCameraTime.length > 0) onHint(describeFileTimes(withoutCameraTime, files.length));
  return sorted;
}

function describeFileTimes(without: readonly string[], count: number): string {
  const which = `${without.length} of ${count} photos, such as ${path.basename(without[0]!)}`;
  const have = without.length === count ? 'no photo has the time' : `${which}, do not have the time`;
  return `${have} at which it was taken: the time of the file counts`;
}

/** The sorted order, with the photo first that is to open the video. */
async function chooseOpening(
  ask: Interview,
  sorted: readonly string[],
  { given, viewer }: PhotoOptions,
): Promise<PhotoOrder> {
  const all = sorted.map((_, index) => index + 1);
  if (given.first !== undefined)
    return { sequence: moveFirst(all, findFirst(given.first, sorted)), left: new Set() };
  // The saved order of an earlier interview has its opening.
  const isOrdered = given.order === undefined && !ask.willAsk('order');
  if (!ask.isAsking || given.photo !== undefined || isOrdered) return { sequence: all, left: new Set() };
  const { opening, unusable } = await viewer.look(sorted);
  const left = new Set(sorted.length - unusable.size < MIN_PHOTOS ? [] : toNumbers(sorted, unusable));
  if (opening === null) return limitKept({ sequence: all, left });
  const number = sorted.indexOf(opening) + 1;
  const name = path.basename(opening);
  if (ask.willAsk('opening')) await viewer.showSheet(sorted);
  const message = `${name} (${number}) looks like a view of the outside. Open the video with it?`;
  const sequence = (await ask.yesNo('opening', message, true)) ? moveFirst(all, number) : all;
  return limitKept({ sequence, left });
}

async function askOrder(
  ask: Interview,
  sorted: readonly string[],
  order: PhotoOrder,
  { viewer }: PhotoOptions,
): Promise<PhotoOrder> {
  if (ask.willAsk('order')) await viewer.showSheet(sorted);
  const names = sorted.map((file) => path.basename(file));
  return ask.order('order', {
    message: 'Order of the photos',
    names,
    order,
    least: MIN_PHOTOS,
    most: MAX_PHOTOS,
  });
}

/** @throws ListingVideoError `usage` when no photo has this name or number. */
function findFirst(word: string, sorted: readonly string[]): number {
  const names = sorted.map((file) => path.basename(file));
  const byName = names.indexOf(path.basename(word));
  if (byName >= 0) return byName + 1;
  const number = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  if (number >= 1 && number <= sorted.length) return number;
  const hint = nearestHint(word, names, `a file name, or a number from 1 to ${sorted.length}`);
  throw usageError(`--first: no photo "${word}"`, hint);
}

function moveFirst(photos: readonly number[], first: number): number[] {
  return [first, ...photos.filter((photo) => photo !== first)];
}

function toNumbers(sorted: readonly string[], files: ReadonlySet<string>): number[] {
  return sorted.flatMap((file, index) => (files.has(file) ? [index + 1] : []));
}

/** Leaves out what is more than a listing can have. */
function limitKept(order: PhotoOrder): PhotoOrder {
  return { ...order, left: new Set([...order.left, ...keptPhotos(order).slice(MAX_PHOTOS)]) };
}

function checkCount(photos: readonly number[], flag: string): void {
  if (photos.length >= MIN_PHOTOS && photos.length <= MAX_PHOTOS) return;
  throw usageError(
    `${flag}: expected ${MIN_PHOTOS} to ${MAX_PHOTOS} photos, found ${photos.length}`,
    '--photo front.jpg --photo kitchen.jpg …',
  );
}
