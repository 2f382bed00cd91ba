/** Which photos the video shows, and in which order. */
import path from 'node:path';
import type { AllowedFolders } from '../../platform/disk/allowed-folders.ts';
import {
  compareNames,
  type FoundPhotos,
  findPhotos,
  type SkippedFile,
} from '../../video/photos/find-photos.ts';
import type { PhotoImpressions } from '../../video/photos/look-at-photos.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import { isUrl, toPlace } from '../terminal/typed-path.ts';
import type { GivenAnswers } from './answers.ts';
import type { Interview } from './interview.ts';
import { type AnswerCheck, invalid, valid } from './validate-answer.ts';

/** Limits of a listing. */
const MIN_PHOTOS = 5;
const MAX_PHOTOS = 100;

export interface PhotoOptions {
  readonly cwd: string;
  readonly given: GivenAnswers;
  /** @param files - Absolute, in the order of the video. Nothing is found out where nothing can be decoded. */
  readonly look: (files: readonly string[]) => Promise<PhotoImpressions>;
  /** Called with the files of the chosen folder that are no photos, and with photos that cannot be used. */
  readonly onSkipped: (skipped: readonly SkippedFile[]) => void;
  readonly onHint: (hint: string) => void;
  /** The only ones that photos can be in; absent: every folder. */
  readonly folders?: AllowedFolders | undefined;
}

export interface ChosenPhotos {
  /** Absolute paths or URLs, in the order of the video. */
  readonly files: readonly string[];
  /** Those that look like floor plans, as far as photos were looked at. */
  readonly floorPlans: readonly string[];
}

/** @throws ListingVideoError `usage` for too few photos, or an option that names none. */
export async function choosePhotos(ask: Interview, options: PhotoOptions): Promise<ChosenPhotos> {
  const { given } = options;
  const found = given.photo?.map((file) => toPlace(file, options.cwd)) ?? (await chooseFolder(ask, options));
  const sorted = await sortPhotos(found, given, options);
  return chooseOpening(ask, sorted, options);
}

async function chooseFolder(
  ask: Interview,
  { cwd, given, folders, onSkipped }: PhotoOptions,
): Promise<string[]> {
  const preset = (await findPhotos(path.join(cwd, 'photos')))?.photos.length ? 'photos' : '.';
  const rule = async (text: string): Promise<AnswerCheck<FoundPhotos & { readonly folder: string }>> => {
    const folder = toPlace(text, cwd);
    const found = await findPhotos(folders?.require(folder, text) ?? folder, folders);
    const fault = faultOf(found);
    if (found !== null && fault === null) return valid({ folder, ...found });
    // A person sees what they type; a message of a script must name it.
    return invalid(ask.isAsking && given.photos === undefined ? fault! : `${text}: ${fault}`);
  };
  const question = { key: 'photos', flag: '--photos', message: 'Folder of photos', preset, rule };
  const { folder, photos, skipped } = await ask.text({ ...question, given: given.photos });
  onSkipped(skipped);
  return photos.map((name) => path.join(folder, name));
}

function faultOf(found: FoundPhotos | null): string | null {
  if (found === null) return 'no such folder';
  const [first] = found.skipped;
  const others = first && `; ${found.skipped.length} skipped, such as ${first.file}: ${first.reason}`;
  const { length } = found.photos;
  const needed = `at least ${MIN_PHOTOS} photos are needed, there are ${length}`;
  return length >= MIN_PHOTOS ? null : `${needed}${others ?? ''}`;
}

async function sortPhotos(
  files: readonly string[],
  given: GivenAnswers,
  { onHint }: PhotoOptions,
): Promise<readonly string[]> {
  const order = given.order ?? (given.photo === undefined ? 'name' : 'as-given');
  if (order === 'name') return files.toSorted((a, b) => compareNames(path.basename(a), path.basename(b)));
  if (order === 'as-given' && given.photo !== undefined) return files;
  const hint = 'use --order name, or name the files: --photo front.jpg …';
  if (order === 'as-given') throw usageError('--order as-given: a folder has no order', hint);
  const url = files.find(isUrl);
  if (url !== undefined)
    throw usageError(`--order time: the time of a URL is not known: ${url}`, '--order as-given');
  const { sortByTime } = await import('../../video/photos/sort-by-time.ts');
  const { files: sorted, withoutCameraTime } = await sortByTime(files);
  const [first, ...more] = withoutCameraTime.map((file) => path.basename(file));
  const which = more.length === 0 ? `${first} does` : `${first} and ${more.length} more photos do`;
  if (first !== undefined) onHint(`${which} not have the time of the camera: the time of the file counts`);
  return sorted;
}

/** The photos of the video, with the one first that is to open it. In a terminal those go that cannot be used. */
async function chooseOpening(
  ask: Interview,
  sorted: readonly string[],
  { given, look, onSkipped, onHint }: PhotoOptions,
): Promise<ChosenPhotos> {
  const unseen = (files: readonly string[]): ChosenPhotos => ({ files, floorPlans: [] });
  const hint = `a file name, or a number from 1 to ${sorted.length}`;
  if (given.first !== undefined)
    return unseen(moveFirst(sorted, findPhoto('--first', given.first, sorted, hint)));
  if (!ask.isAsking || given.photo !== undefined) return unseen(sorted);
  const { opening, unusable, floorPlans } = await look(sorted);
  for (const plan of floorPlans) onHint(`${path.basename(plan)} looks like a floor plan`);
  const usable = sorted.filter((file) => !unusable.has(file));
  const kept = usable.length < MIN_PHOTOS ? sorted : usable;
  if (kept === usable)
    onSkipped([...unusable].map(([file, reason]) => ({ file: path.basename(file), reason })));
  const rest = kept.length - MAX_PHOTOS;
  if (rest > 0) onHint(`a listing has ${MAX_PHOTOS} photos at most: the last ${rest} are left out`);
  if (opening === null) return { files: kept.slice(0, MAX_PHOTOS), floorPlans };
  const message = `${path.basename(opening)} looks like a view of the outside. Open the video with it?`;
  const isOpening = await ask.yesNo('opening', message, false);
  return { files: (isOpening ? moveFirst(kept, opening) : kept).slice(0, MAX_PHOTOS), floorPlans };
}

/**
 * @param word - A file name, else a number in the order of `photos`.
 * @param otherwise - The hint where no file has a similar name.
 * @throws ListingVideoError `usage` when no photo has this name or number.
 */
export function findPhoto(flag: string, word: string, photos: readonly string[], otherwise: string): string {
  const names = photos.map((file) => path.basename(file));
  const byName = names.indexOf(path.basename(word));
  const photo = photos[byName >= 0 ? byName : Number(/^\d{1,4}$/.exec(word)?.[0] ?? 0) - 1];
  if (photo !== undefined) return photo;
  throw usageError(`${flag}: no photo "${word}"`, nearestHint(word, names, otherwise));
}

function moveFirst(photos: readonly string[], first: string): string[] {
  return [first, ...photos.filter((photo) => photo !== first)];
}
