/** What is said of single photos: captions, which are altered with their labels and originals, floor plans. */
import path from 'node:path';
import type { Asset } from '../../listing/listing.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { GivenAnswers } from './answers.ts';
import { requireCount } from './choose-photos.ts';
import type { Interview } from './interview.ts';
import { fileRule } from './local-file.ts';
import { invalid, type Rule, textRule, valid } from './validate-answer.ts';

/** As the schema of a listing says. */
const captionRule = textRule('a caption', 120);
const labelRule = textRule('a label', 60);

const USUAL_LABEL = alteredLabel({ altered: true })!;
const STAGED_NAME = /(?<!un)staged/i;
const ALTERED_NAME = /(?<!un)(?:staged|altered|enhanced)|render(?:ing|ed)?/gi;
const ORIGINAL_NAME = /original|unaltered|unstaged|empty|vacant|before/gi;
const NONE = 'none';

type Alteration = Required<Pick<Asset, 'altered'>> & Pick<Asset, 'original'>;

/**
 * @param chosen - Absolute paths or URLs, in the order of the video.
 * @returns The photos without those that are originals, and their assets.
 * @throws ListingVideoError `usage` for an option that fits no photo, and for too few or too many photos.
 */
export async function describePhotos(
  ask: Interview,
  chosen: readonly string[],
  { given, cwd, folder }: { readonly given: GivenAnswers; readonly cwd: string; readonly folder: string },
): Promise<{ photos: readonly string[]; assets: readonly Asset[] }> {
  const file = fileRule(cwd, folder);
  /** A photo of the folder by its name, else any file. */
  const originalRule: Rule<string> = (text) => {
    const photo = chosen.find((each) => path.basename(each) === text.trim());
    return photo === undefined ? file(text) : valid(toAssetUrl(photo, folder));
  };
  const isAsked = ask.isAsking && given.altered === undefined && given.original === undefined;
  const altered = isAsked ? await askAltered(ask, chosen, originalRule) : readAltered();
  const photos = withoutOriginals([...altered.values()].map(({ original }) => original));
  requireCount(photos, given);
  const captions = readFacts('--caption', given.caption, photos, captionRule);
  const plans = readFacts('--floor-plan', given.floorPlan, photos, null);
  const assets = photos.map((photo): Asset => {
    const caption = captions.get(photo);
    return {
      url: toAssetUrl(photo, folder),
      ...(caption === undefined ? {} : { caption }),
      ...altered.get(photo),
      ...(plans.has(photo) ? { kind: 'floor_plan' } : {}),
    };
  });
  return { photos, assets };

  function withoutOriginals(originals: readonly unknown[]): readonly string[] {
    return chosen.filter((photo) => !originals.includes(toAssetUrl(photo, folder)));
  }

  function readAltered(): ReadonlyMap<string, Alteration> {
    // Numbers count the photos of the video: first, those that are originals go.
    const files = (given.original ?? []).map((text) => originalRule(text.slice(text.indexOf('=') + 1)));
    const shown = withoutOriginals(files.map((checked) => checked.ok && checked.value));
    const labels = readFacts('--altered', given.altered, shown, (text) =>
      text === '' ? valid('') : labelRule(text),
    );
    const originals = readFacts('--original', given.original, shown, originalRule);
    return new Map(
      [...new Set([...labels.keys(), ...originals.keys()])].map((photo) => [
        photo,
        toAlteration(labels.get(photo) ?? '', originals.get(photo)),
      ]),
    );
  }
}

async function askAltered(
  ask: Interview,
  photos: readonly string[],
  originalRule: Rule<string>,
): Promise<ReadonlyMap<string, Alteration>> {
  const altered = new Map<string, Alteration>();
  const question = 'Are any of these photos altered (staged, sky replaced, rendering)?';
  if (!(await ask.yesNo('altered', question, false))) return altered;
  const text = <T>(key: string, flag: string, message: string, preset: string, rule: Rule<T>): Promise<T> =>
    ask.text({ key, flag, message, preset, rule, given: undefined });
  const names = photos.map((photo) => path.basename(photo));
  const whichRule: Rule<readonly string[]> = (typed) => {
    const words = typed.split(',').map((word) => word.trim());
    const unknown = words.find((word) => findPhoto(word, photos) === undefined);
    return unknown === undefined
      ? valid(words.map((word) => findPhoto(word, photos)!))
      : invalid(`no photo "${unknown}"; separate names with commas`);
  };
  const likely = names.filter((name) => name.search(ALTERED_NAME) >= 0).join(', ');
  const which = await text('altered photos', '--altered', 'Which ones? Names or numbers', likely, whichRule);
  for (const photo of which) {
    const name = path.basename(photo);
    const usual = STAGED_NAME.test(name) ? 'Virtually staged' : USUAL_LABEL;
    const label = await text(`label of ${name}`, '--altered', `Label on ${name}`, usual, labelRule);
    const stem = stemOf(name, ALTERED_NAME);
    const likely = names.find(
      (each) => each.search(ORIGINAL_NAME) >= 0 && stemOf(each, ORIGINAL_NAME) === stem,
    );
    const message = `Original of ${name}: a file, a URL or ${NONE}`;
    const original = await text(`original of ${name}`, '--original', message, likely ?? NONE, (typed) =>
      typed.trim() === NONE ? valid(undefined) : originalRule(typed),
    );
    altered.set(photo, toAlteration(label, original));
  }
  return altered;
}

function toAlteration(label: string, original: string | undefined): Alteration {
  const altered = label === '' || label === USUAL_LABEL ? true : label;
  return original === undefined ? { altered } : { altered, original };
}

/** `04 living` of `04-living-staged.jpg` and of `04-living-empty.jpg`. */
function stemOf(name: string, words: RegExp): string {
  return path
    .parse(name)
    .name.replace(words, '')
    .replaceAll(/virtual(?:ly)?|[\W_]+/gi, ' ')
    .trim();
}

/** By file name, else by number in the video. */
function findPhoto(word: string, photos: readonly string[]): string | undefined {
  const byName = photos.find((photo) => path.basename(photo) === word);
  return byName ?? photos[Number(/^\d{1,3}$/.exec(word)?.[0] ?? 0) - 1];
}

/**
 * @param texts - Of an option, such as `kitchen.jpg=The kitchen`.
 * @param rule - Of what is behind the sign; null: there is none.
 * @returns Values by their photo.
 * @throws ListingVideoError `usage` for a value that is none, or of no photo.
 */
function readFacts(
  flag: string,
  texts: readonly string[] = [],
  photos: readonly string[],
  rule: Rule<string> | null,
): ReadonlyMap<string, string> {
  const example = EXAMPLES[flag]!;
  return new Map(
    texts.map((text) => {
      const at = rule === null ? -1 : text.indexOf('=');
      if (at < 0 && rule !== null && flag !== '--altered')
        throw usageError(`${flag}: expected ${WANTED[flag]}, found "${text}"`, example);
      const word = (at < 0 ? text : text.slice(0, at)).trim();
      const photo = findPhoto(word, photos);
      if (photo === undefined) {
        const names = photos.map((each) => path.basename(each));
        throw usageError(`${flag}: no photo "${word}"`, nearestHint(word, names, example));
      }
      const checked = rule?.(at < 0 ? '' : text.slice(at + 1)) ?? valid('');
      if (!checked.ok) throw usageError(`${flag}: ${word}: ${checked.fault}`, example);
      return [photo, checked.value];
    }),
  );
}

const WANTED: Readonly<Record<string, string>> = {
  '--caption': 'a photo and its caption',
  '--original': 'a photo and its original',
};

const EXAMPLES: Readonly<Record<string, string>> = {
  '--caption': '--caption "kitchen.jpg=The kitchen, with an island"',
  '--altered': '--altered "staged.jpg=Virtually staged"',
  '--original': '--original "staged.jpg=empty.jpg"',
  '--floor-plan': '--floor-plan plan.png',
};
