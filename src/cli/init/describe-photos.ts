/** What is said of single photos: captions, what was altered with label and original, floor plans, weight, focus. */
import path from 'node:path';
import { pictureKind } from '../../design/storyboard/picture-kind.ts';
import type { Asset } from '../../listing/listing.ts';
import { guessLabel, guessOriginal, isNamedAltered } from '../../listing/words/altered-label.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import { usageError } from '../cli-error.ts';
import type { Choice } from '../terminal/prompter.ts';
import type { GivenAnswers, PhotoFlag } from './answers.ts';
import { type ChosenPhotos, findPhoto } from './choose-photos.ts';
import type { Interview } from './interview.ts';
import { fileRule, listingRule, type Rule, valid, validateFocus } from './validate-answer.ts';

const NONE = 'none';

const labelRule = listingRule('assets.0.altered');
const focusRule = listingRule('assets.0.focus', validateFocus);

/** What an option says of a photo. `usual` is the value without `=`; null: there must be one. */
type PhotoFact = readonly [
  field: keyof Asset,
  flag: string,
  example: string,
  usual: unknown,
  rule?: Rule<unknown>,
];

const FACTS: Readonly<Record<Exclude<PhotoFlag, 'altered' | 'original'>, PhotoFact>> = {
  caption: ['caption', '--caption', '"kitchen.jpg=The kitchen, with an island"', null],
  floorPlan: ['kind', '--floor-plan', 'plan.png', 'floor_plan'],
  emphasis: ['emphasis', '--emphasis', 'kitchen.jpg=high', 'high'],
  focus: ['focus', '--focus', 'kitchen.jpg=0.25,0.6', null, focusRule],
};
const ALTERED: PhotoFact = ['altered', '--altered', '"staged.jpg=Virtually staged"', true];

/**
 * @returns The photos without those that are originals, and their assets.
 * @throws ListingVideoError `usage` for an option that fits no photo, and for too few or too many photos.
 */
export async function describePhotos(
  ask: Interview,
  { files: chosen, floorPlans }: ChosenPhotos,
  { given, cwd, folder }: { readonly given: GivenAnswers; readonly cwd: string; readonly folder: string },
): Promise<{ photos: readonly string[]; assets: readonly Asset[] }> {
  const said = new Map<string, Fields>();
  const say = (photo: string, fields: Fields): unknown => said.set(photo, { ...said.get(photo), ...fields });
  const file = fileRule(cwd, folder);
  /** A photo of the folder by its name, else any file. */
  const originalRule: Rule<string> = (text) => {
    const photo = chosen.find((each) => path.basename(each) === text.trim());
    return photo === undefined ? file(text) : valid(toAssetUrl(photo, folder));
  };
  const original: PhotoFact = ['original', '--original', '"staged.jpg=empty.jpg"', null, originalRule];
  // Labels that an unfinished `init` knows stay beside those of options: the law asks for them.
  const isOpen = (given.altered ?? given.original) === undefined || ask.isAnswered('altered');
  const isAsked = ask.isAsking && isOpen;
  if (isAsked) await askAltered(ask, chosen, originalRule, say);
  // Numbers count the photos of the video: first, those that are originals go.
  const named = (given.original ?? []).map((text) => originalRule(text.slice(text.indexOf('=') + 1)));
  const originals = isAsked
    ? [...said.values()].map((fields) => fields.original)
    : named.map((checked) => checked.ok && checked.value);
  const photos = chosen.filter((photo) => !originals.includes(toAssetUrl(photo, folder)));
  sayAll(original, given.original, photos, (photo, fields) => say(photo, { altered: true, ...fields }));
  sayAll(ALTERED, given.altered, photos, say);
  const toAsset = (photo: string) => ({ url: toAssetUrl(photo, folder), ...said.get(photo) });
  const counted = listingRule('assets', () => valid(photos.map(toAsset)))('');
  const flag = given.photo === undefined ? '--photos' : '--photo';
  if (!counted.ok) throw usageError(`${flag}: ${counted.fault}`, '--photo front.jpg --photo kitchen.jpg …');
  const isPlan = (photo: string): boolean =>
    floorPlans.includes(photo) || pictureKind({ url: photo }, {}).kind === 'floor_plan';
  if (ask.isAsking) await askWeights(ask, photos, photos.filter(isPlan), given, say);
  for (const [key, fact] of Object.entries(FACTS)) sayAll(fact, given[key as PhotoFlag], photos, say);
  return { photos, assets: photos.map(toAsset) };
}

type Fields = Readonly<Record<string, unknown>>;
type Say = (photo: string, fields: Fields) => unknown;

async function askAltered(
  ask: Interview,
  photos: readonly string[],
  originalRule: Rule<string>,
  say: Say,
): Promise<void> {
  const question = 'Are any of these photos altered (staged, sky replaced, rendering)?';
  if (!(await ask.yesNo('altered', question, false))) return;
  const text = <T>(key: string, flag: string, message: string, preset: string, rule: Rule<T>): Promise<T> =>
    ask.text({ key, flag, message, preset, rule });
  const preset = photos.filter(isNamedAltered);
  const which = { message: 'Which ones?', choices: photos.map(toChoice), preset, isMany: true };
  for (const photo of await ask.choose('altered photos', which)) {
    const name = path.basename(photo);
    const shown = `Label on ${name}`;
    const label = await text(`label of ${name}`, '--altered', shown, guessLabel(name), labelRule);
    const likely = guessOriginal(photo, photos);
    const message = `Original of ${name}: a file, a URL or ${NONE}`;
    const original = await text(
      `original of ${name}`,
      '--original',
      message,
      likely === undefined ? NONE : path.basename(likely),
      (typed) => (typed.trim() === NONE ? valid(undefined) : originalRule(typed)),
    );
    say(photo, { altered: label, ...(original === undefined ? {} : { original }) });
  }
}

/** What the studio shows better is one question here. */
async function askWeights(
  ask: Interview,
  photos: readonly string[],
  plans: readonly string[],
  { floorPlan, emphasis }: GivenAnswers,
  say: Say,
): Promise<void> {
  if (floorPlan !== undefined && emphasis !== undefined) return;
  const question = 'Is a photo a floor plan, or more or less important than the others?';
  if (!(await ask.yesNo('weights', question, floorPlan === undefined && plans.length > 0))) return;
  let left = photos;
  const choose = async (
    key: string,
    message: string,
    fields: Fields,
    preset: readonly string[] = [],
  ): Promise<void> => {
    const chosen = await ask.choose(key, { message, choices: left.map(toChoice), preset, isMany: true });
    for (const photo of chosen) say(photo, fields);
    left = left.filter((photo) => !chosen.includes(photo));
  };
  if (floorPlan === undefined)
    await choose('floor plans', 'Which are floor plans?', { kind: 'floor_plan' }, plans);
  if (emphasis !== undefined) return;
  await choose('high', 'Which are more important, and stand alone, twice as long?', { emphasis: 'high' });
  await choose('low', 'Which are less important, and share a scene with others?', { emphasis: 'low' });
}

const toChoice = (photo: string): Choice => ({ value: photo, name: path.basename(photo) });

/**
 * @param texts - Of an option, such as `kitchen.jpg=The kitchen`: a photo by file name, else by number in the video.
 * @throws ListingVideoError `usage` for a value that is none, or of no photo.
 */
function sayAll(fact: PhotoFact, texts: readonly string[] = [], photos: readonly string[], say: Say): void {
  const [field, flag, value, usual, rule = listingRule(`assets.0.${field}`)] = fact;
  const example = `${flag} ${value}`;
  for (const text of texts) {
    const at = field === 'kind' ? -1 : text.indexOf('=');
    if (at < 0 && usual === null)
      throw usageError(`${flag}: expected photo=${field}, found "${text}"`, example);
    const word = (at < 0 ? text : text.slice(0, at)).trim();
    const photo = findPhoto(flag, word, photos, example);
    const value = at < 0 ? '' : text.slice(at + 1);
    const checked = value === '' && usual !== null ? valid(usual) : rule(value);
    if (!checked.ok) throw usageError(`${flag}: ${word}: ${checked.fault}`, example);
    say(photo, { [field]: checked.value });
  }
}
