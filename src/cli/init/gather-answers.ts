/**
 * The questions of `init` in their order. A flag answers its question. With `--yes` each other question takes its default;
 * one without a default is a wrong command line.
 */
import path from 'node:path';
import type { AspectRatio } from '../../listing/listing.ts';
import { usageError } from '../cli-error.ts';
import { type AgentAnswers, type ListingAnswers, toId, unusedId } from './draft-listing.ts';
import { type FoundPhotos, findPhotos, type SkippedFile } from './find-photos.ts';
import { presetId } from './preset-id.ts';
import type { Choice, Prompter } from './prompter.ts';
import {
  type AnswerCheck,
  invalid,
  optional,
  type Rule,
  textRule,
  valid,
  validateArea,
  validateBathrooms,
  validateCount,
  validateEmailAnswer,
  validateLicense,
  validatePhone,
  validateState,
} from './validate-answer.ts';

/** Limits of a listing. */
const MIN_PHOTOS = 5;
const MAX_PHOTOS = 100;
const MAX_AGENTS = 20;

/** One agent of the command line, as typed. */
export type AgentFlags = Partial<
  Record<
    'name' | 'lastName' | 'agentId' | 'designation' | 'phone' | 'email' | 'license' | 'office' | 'picture',
    string
  >
>;

/** A template that can be chosen. */
export interface TemplateChoice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** What the flags answer, as typed; an absent one is not answered. */
export interface GivenAnswers {
  readonly photos?: string;
  readonly photo?: readonly string[];
  readonly id?: string;
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly bedrooms?: string;
  readonly bathrooms?: string;
  readonly halfBathrooms?: string;
  readonly squareFeet?: string;
  readonly agents?: readonly AgentFlags[];
  readonly template?: string;
  readonly ratio?: AspectRatio;
  readonly preview?: boolean;
}

/** What the questions need to know. */
export interface GatherOptions {
  readonly cwd: string;
  readonly given: GivenAnswers;
  /** Null: do not ask. */
  readonly prompter: Prompter | null;
  readonly templates: readonly TemplateChoice[];
  /** File with stills of a template; null when it has none. */
  readonly sheetOf: (templateId: string) => string | null;
  /** Called with the files of the chosen folder that are no photos. */
  readonly onSkipped: (skipped: readonly SkippedFile[]) => void;
}

/** @throws ListingVideoError `usage` for a missing or invalid flag; `cancelled` at Ctrl-C. */
export async function gatherAnswers(options: GatherOptions): Promise<ListingAnswers> {
  const { given } = options;
  const ask = asker(options.prompter);
  const photos = await choosePhotos(options);
  const street = await ask('--street', given.street, 'Street and number', optional(textRule('the street')));
  const place = async <T>(flag: string, text: string | undefined, message: string, rule: Rule<T>) =>
    street === null && text === undefined ? null : ask(flag, text, message, optional(rule));
  const city = await place('--city', given.city, 'City', textRule('the city'));
  const state = await place('--state', given.state, 'State', validateState);
  const postalRule = textRule('the postal code');
  const postalCode = await place('--postal-code', given.postalCode, 'Postal code', postalRule);
  if (street === null && (city ?? state ?? postalCode) !== null) {
    throw usageError('--street is missing: an address needs a street', '--street "128 Harbor Pine Lane"');
  }
  const preset = presetId(street, path.dirname(photos[0]!));
  const id = await ask('--id', given.id, 'Id of the listing', textRule('an id'), preset);
  return {
    photos,
    id,
    street,
    city,
    state,
    postalCode,
    bedrooms: await ask('--bedrooms', given.bedrooms, 'Bedrooms', optional(validateCount)),
    bathrooms: await ask('--bathrooms', given.bathrooms, 'Bathrooms', optional(validateBathrooms)),
    halfBathrooms: await ask(
      '--half-bathrooms',
      given.halfBathrooms,
      'Half bathrooms',
      optional(validateCount),
    ),
    squareFeet: await ask('--square-feet', given.squareFeet, 'Square feet inside', optional(validateArea)),
    agents: await gatherAgents(options),
    ...(await chooseDesign(options)),
  };
}

/** Asks a question, unless the text of its flag answers it. Without a prompter the preset is the answer. */
type Ask = <T>(
  flag: string,
  text: string | undefined,
  message: string,
  rule: Rule<T>,
  preset?: string,
) => Promise<T>;

function asker(prompter: Prompter | null): Ask {
  return async (flag, text, message, rule, preset = '') => {
    const isAsked = text === undefined && prompter !== null;
    const checked = rule(isAsked ? await prompter.text(message, preset, rule) : (text ?? preset));
    if (checked.ok) return checked.value;
    throw usageError(`${flag}: ${checked.fault}`, `${flag} "…", or listing-video init in a terminal`);
  };
}

async function choosePhotos({ cwd, given, prompter, onSkipped }: GatherOptions): Promise<readonly string[]> {
  if (given.photo !== undefined)
    return checkCount(
      given.photo.map((file) => toPlace(file, cwd)),
      '--photo',
    );
  const preset = (await findPhotos(path.join(cwd, 'photos')))?.photos.length ? 'photos' : '.';
  const validateFolder = async (text: string): Promise<AnswerCheck<FoundPhotos>> =>
    validateFound(await findPhotos(path.resolve(cwd, text.trim())));
  const isAsked = prompter !== null && given.photos === undefined;
  const folder = isAsked
    ? await prompter.text('Folder of photos', preset, validateFolder)
    : (given.photos ?? preset);
  const checked = await validateFolder(folder);
  if (!checked.ok) throw usageError(`--photos: ${folder}: ${checked.fault}`, '--photos <folder>');
  const { photos, skipped } = checked.value;
  onSkipped(skipped);
  const chosen = isAsked
    ? await prompter.order('Order of the photos', photos, MIN_PHOTOS, MAX_PHOTOS)
    : checkCount(photos, '--photos');
  return chosen.map((name) => path.resolve(cwd, folder.trim(), name));
}

function validateFound(found: FoundPhotos | null): AnswerCheck<FoundPhotos> {
  if (found === null) return invalid('no such folder');
  const { photos, skipped } = found;
  const [first] = skipped;
  const others =
    first === undefined ? '' : `; ${skipped.length} skipped, such as ${first.file}: ${first.reason}`;
  return photos.length < MIN_PHOTOS
    ? invalid(`photos found: ${photos.length}, needed: at least ${MIN_PHOTOS}${others}`)
    : valid(found, `${photos.length} photos, from ${photos[0]} to ${photos.at(-1)}${others}`);
}

function checkCount(names: readonly string[], flag: string): readonly string[] {
  if (names.length >= MIN_PHOTOS && names.length <= MAX_PHOTOS) return names;
  throw usageError(
    `${flag}: expected ${MIN_PHOTOS} to ${MAX_PHOTOS} photos, found ${names.length}`,
    '--photo front.jpg --photo kitchen.jpg …',
  );
}

async function gatherAgents({ cwd, given, prompter }: GatherOptions): Promise<readonly AgentAnswers[]> {
  const agents: AgentAnswers[] = [];
  for (const flags of given.agents ?? []) {
    agents.push(await gatherAgent(null, flags, cwd, agents));
  }
  if (agents.length > 0) return agents;
  if (prompter === null)
    throw usageError(
      '--agent is missing: a listing needs an agent',
      '--agent "June Takemori" --phone "(503) 555-0128"',
    );
  do {
    agents.push(await gatherAgent(prompter, {}, cwd, agents));
  } while (agents.length < MAX_AGENTS && (await prompter.yesNo('Another agent?', false)));
  return agents;
}

async function gatherAgent(
  prompter: Prompter | null,
  flags: AgentFlags,
  cwd: string,
  earlier: readonly AgentAnswers[],
): Promise<AgentAnswers> {
  const usedIds = earlier.map(({ id }) => id);
  const ask = asker(prompter);
  const name = flags.name === undefined ? null : splitName(flags.name, flags.lastName);
  const firstName = await ask('--agent', name?.first, "Agent's first name", textRule('a first name'));
  const lastName = await ask('--last-name', name?.last, "Agent's last name", lastNameRule);
  const designationRule = optional(textRule('a designation'));
  const preset = unusedId(toId(`${firstName} ${lastName}`), usedIds);
  return {
    firstName,
    lastName,
    designation: await ask(
      '--designation',
      flags.designation,
      'Designation, such as Broker',
      designationRule,
    ),
    phone: await ask('--phone', flags.phone, 'Phone', optional(validatePhone)),
    email: await ask('--email', flags.email, 'E-mail', optional(validateEmailAnswer)),
    license: await ask(
      '--license',
      flags.license,
      'Licence, such as OR 201234567',
      optional(validateLicense),
    ),
    office: await ask('--office', flags.office, 'Office', optional(textRule('an office'))),
    picture: await ask('--picture', flags.picture, 'Portrait, a file or URL', optional(pictureRule(cwd))),
    id: await ask('--agent-id', flags.agentId, 'Id of the agent', idRule(usedIds), preset),
  };
}

/** `Maria de la Cruz` is `Maria de la` and `Cruz` unless `lastName` says otherwise. */
function splitName(name: string, lastName: string | undefined): { first: string; last: string } {
  const words = name.trim().split(/\s+/);
  const whole = words.join(' ');
  const last = lastName ?? (words.length > 1 ? words.at(-1)! : '');
  return { first: whole.endsWith(` ${last}`) ? whole.slice(0, -last.length - 1) : whole, last };
}

/** A last name can be empty: some people have one name. */
function lastNameRule(text: string): AnswerCheck<string> {
  return text.trim() === '' ? valid('') : textRule('a last name')(text);
}

function idRule(usedIds: readonly string[]): Rule<string> {
  return (text) =>
    usedIds.includes(text.trim()) ? invalid('an earlier agent has this id') : textRule('an id')(text);
}

function pictureRule(cwd: string): Rule<string> {
  return (text) => valid(toPlace(text.trim(), cwd));
}

/** A URL as it is, a path made absolute. */
function toPlace(text: string, cwd: string): string {
  return /^(?:https?|file):/i.test(text) ? text : path.resolve(cwd, text);
}

const RATIOS: readonly Choice<AspectRatio>[] = [
  { value: '1920:1080', name: 'landscape, 1920:1080', description: 'for web sites, YouTube and television' },
  { value: '1080:1920', name: 'portrait, 1080:1920', description: 'for phones: Reels, Shorts, stories' },
];

async function chooseDesign(
  options: GatherOptions,
): Promise<Pick<ListingAnswers, 'template' | 'ratio' | 'preview'>> {
  const { given, prompter, templates, sheetOf } = options;
  const ids = templates.map(({ id }) => id);
  if (given.template !== undefined && !ids.includes(given.template)) {
    throw usageError(`--template: no template is called "${given.template}"`, `one of: ${ids.join(', ')}`);
  }
  const choices = templates.map(({ id, name, description }) => {
    const sheet = sheetOf(id);
    return {
      value: id,
      name,
      description: sheet === null ? description : `${description}\n  Stills: ${sheet}`,
    };
  });
  const preset = ids.includes('classic') ? 'classic' : (ids[0] ?? null);
  const template =
    given.template ??
    (prompter === null || preset === null ? null : await prompter.choice('Template', choices, preset));
  const ratio =
    given.ratio ?? (await prompter?.choice('Size of the videos', RATIOS, '1920:1080')) ?? '1920:1080';
  const preview =
    given.preview ?? (await prompter?.yesNo('Also make a short GIF of each video?', false)) ?? false;
  return { template, ratio, preview };
}
