/** Which photos the video shows, and in which order. */
import path from 'node:path';
import { type FoundPhotos, findPhotos, type SkippedFile } from '../../video/photos/find-photos.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { GivenAnswers } from './answers.ts';
import type { Interview } from './interview.ts';
import { isUrl, toPlace } from './local-file.ts';
import { type AnswerCheck, invalid, valid } from './validate-answer.ts';

/** Limits of a listing. */
const MIN_PHOTOS = 5;
const MAX_PHOTOS = 100;

/** A guess at the opening, and photos that a video cannot use. */
export interface PhotoImpressions {
  readonly opening: string | null;
  readonly unusable: ReadonlySet<string>;
}

export interface PhotoOptions {
  readonly cwd: string;
  readonly given: GivenAnswers;
  /** @param files - Absolute, in the order of the video. Nothing is found out where nothing can be decoded. */
  readonly look: (files: readonly string[]) => Promise<PhotoImpressions>;
  /** Called with the files of the chosen folder that are no photos. */
  readonly onSkipped: (skipped: readonly SkippedFile[]) => void;
  readonly onHint: (hint: string) => void;
}

/**
 * @returns Absolute paths or URLs, in the order of the video.
 * @throws ListingVideoError `usage` for too few photos, or an option that names none.
 */
export async function choosePhotos(ask: Interview, options: PhotoOptions): Promise<readonly string[]> {
  const { given } = options;
  const found = given.photo?.map((file) => toPlace(file, options.cwd)) ?? (await chooseFolder(ask, options));
  const sorted = await sortPhotos(found, given, options);
  return chooseOpening(ask, sorted, options);
}

/** @throws ListingVideoError `usage` for too few or too many photos. */
export function requireCount(photos: readonly string[], given: GivenAnswers): void {
  if (photos.length >= MIN_PHOTOS && photos.length <= MAX_PHOTOS) return;
  throw usageError(
    `${given.photo === undefined ? '--photos' : '--photo'}: expected ${MIN_PHOTOS} to ${MAX_PHOTOS} photos, found ${photos.length}`,
    '--photo front.jpg --photo kitchen.jpg …',
  );
}

async function chooseFolder(ask: Interview, { cwd, given, onSkipped }: PhotoOptions): Promise<string[]> {
  const preset = (await findPhotos(path.join(cwd, 'photos')))?.photos.length ? 'photos' : '.';
  const isTyped = ask.isAsking && given.photos === undefined;
  const { folder, photos, skipped } = await ask.text<FoundFolder>({
    key: 'photos',
    flag: '--photos',
    given: given.photos,
    message: 'Folder of photos',
    preset,
    rule: async (text) => {
      const folder = toPlace(text, cwd);
      const checked = validateFound(folder, await findPhotos(folder));
      // A person sees what they type; a message of a script must name it.
      return checked.ok || isTyped ? checked : invalid(`${text}: ${checked.fault}`);
    },
  });
  onSkipped(skipped);
  return photos.map((name) => path.join(folder, name));
}

type FoundFolder = FoundPhotos & { readonly folder: string };

function validateFound(folder: string, found: FoundPhotos | null): AnswerCheck<FoundFolder> {
  if (found === null) return invalid('no such folder');
  const { photos, skipped } = found;
  if (photos.length >= MIN_PHOTOS) return valid({ folder, photos, skipped });
  const [first] = skipped;
  const others =
    first === undefined ? '' : `; ${skipped.length} skipped, such as ${first.file}: ${first.reason}`;
  return invalid(`at least ${MIN_PHOTOS} photos are needed, there are ${photos.length}${others}`);
}

async function sortPhotos(
  files: readonly string[],
  given: GivenAnswers,
  { onHint }: PhotoOptions,
): Promise<readonly string[]> {
  const order = given.order ?? (given.photo === undefined ? 'name' : 'as-given');
  if (order === 'name') {
    const { compare } = new Intl.Collator('en', { numeric: true });
    return [...files].sort((a, b) => compare(path.basename(a), path.basename(b)));
  }
  if (order === 'as-given') {
    const hint = 'use --order name, or name the files: --photo front.jpg …';
    if (given.photo === undefined) throw usageError('--order as-given: a folder has no order', hint);
    return files;
  }
  const url = files.find(isUrl);
  if (url !== undefined)
    throw usageError(`--order time: the time of a URL is not known: ${url}`, '--order as-given');
  const { sortByTime } = await import('../../video/photos/sort-by-time.ts');
  const { files: sorted, withoutCameraTime } = await sortByTime(files);
  const without = withoutCameraTime.length;
  const which = `${without} of ${files.length} photos, such as ${path.basename(withoutCameraTime[0] ?? '')}`;
  const have = without === files.length ? 'no photo has the time' : `${which}, do not have the time`;
  if (without > 0) onHint(`${have} at which it was taken: the time of the file counts`);
  return sorted;
}

/** The photos of the video, with the one first that is to open it. In a terminal those go that cannot be used. */
async function chooseOpening(
  ask: Interview,
  sorted: readonly string[],
  { given, look }: PhotoOptions,
): Promise<readonly string[]> {
  if (given.first !== undefined) return moveFirst(sorted, findFirst(given.first, sorted));
  if (!ask.isAsking || given.photo !== undefined) return sorted;
  const { opening, unusable } = await look(sorted);
  const usable = sorted.filter((file) => !unusable.has(file));
  const kept = usable.length < MIN_PHOTOS ? sorted : usable;
  if (opening === null) return kept.slice(0, MAX_PHOTOS);
  const message = `${path.basename(opening)} looks like a view of the outside. Open the video with it?`;
  const isOpening = await ask.yesNo('opening', message, false);
  return (isOpening ? moveFirst(kept, opening) : kept).slice(0, MAX_PHOTOS);
}

/** @throws ListingVideoError `usage` when no photo has this name or number. */
function findFirst(word: string, sorted: readonly string[]): string {
  const names = sorted.map((file) => path.basename(file));
  const byName = names.indexOf(path.basename(word));
  const photo = sorted[byName >= 0 ? byName : Number(/^\d{1,4}$/.exec(word)?.[0] ?? 0) - 1];
  if (photo !== undefined) return photo;
  const hint = nearestHint(word, names, `a file name, or a number from 1 to ${sorted.length}`);
  throw usageError(`--first: no photo "${word}"`, hint);
}

function moveFirst(photos: readonly string[], first: string): string[] {
  return [first, ...photos.filter((photo) => photo !== first)];
}
