/** The questions of `init` and the listing of their answers. What the studio is better for has options only. */
import path from 'node:path';
import type { Agent, Listing } from '../../listing/listing.ts';
import { warnOfStates } from '../../listing/warnings/warn-of-states.ts';
import { toId } from '../../listing/words/to-id.ts';
import { presetId } from '../../video/photos/preset-id.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import { usageError } from '../cli-error.ts';
import type { AgentFlags } from './answers.ts';
import { choosePhotos, type PhotoOptions } from './choose-photos.ts';
import { describePhotos } from './describe-photos.ts';
import type { Interview } from './interview.ts';
import { fileRule, isUrl } from './local-file.ts';
import {
  invalid,
  licenseRule,
  optional,
  type Rule,
  textRule,
  valid,
  validateArea,
  validateBathrooms,
  validateCount,
  validateEmailAnswer,
  validateLink,
  validatePhone,
  validatePrice,
  validateState,
} from './validate-answer.ts';

const MAX_AGENTS = 20;

export interface GatherOptions extends PhotoOptions {
  /** Ids of the templates that can be used. */
  readonly templateIds: readonly string[];
  /** Absolute folder of the listing file: files below it are named relative to it. */
  readonly folder: string;
}

/** Field of the listing, option, question (empty: it has an option only), rule. */
type Row = readonly [field: string, flag: string, message: string, rule: Rule<unknown>];

const PLACE: readonly Row[] = [
  ['city', '--city', 'City', textRule('the city')],
  ['state', '--state', 'State', validateState],
  ['postal_code', '--postal-code', 'Postal code', textRule('the postal code')],
];
const FACTS: readonly Row[] = [
  ['bedrooms', '--bedrooms', 'Bedrooms', validateCount],
  ['bathrooms', '--bathrooms', 'Full bathrooms', validateBathrooms],
  ['half_bathrooms', '--half-bathrooms', 'Half bathrooms', validateCount],
  ['interior_square_footage', '--square-feet', 'Square feet inside', validateArea],
];
const DATA: readonly Row[] = [
  ['price', '--price', 'Price, such as 500000', validatePrice],
  ['status', '--status', '', textRule('a text')],
  ['open_house', '--open-house', '', textRule('a text')],
  ['headline', '--headline', '', textRule('a text')],
  ['link', '--link', '', validateLink],
];
const agentRows = (houseState: string | null): readonly Row[] => [
  ['designation', '--designation', '', textRule('a designation')],
  ['phones', '--phone', 'Phone', toList('number', validatePhone)],
  ['emails', '--email', 'E-mail', toList('address', validateEmailAnswer)],
  ['licenses', '--license', 'License, such as OR 201234567', toList(null, licenseRule(houseState))],
  ['offices', '--office', 'Office', toList('name', textRule('an office'))],
];

type AskText = <T>(flag: string, message: string, rule: Rule<T>, preset?: string) => Promise<T>;

/**
 * @returns The listing, and its photos as absolute paths or URLs, in the order of the video.
 * @throws ListingVideoError `usage` for a missing or invalid option; `cancelled` at Ctrl-C.
 */
export async function gatherListing(
  ask: Interview,
  options: GatherOptions,
): Promise<{ listing: Listing; photos: readonly string[] }> {
  const { given, cwd, folder, templateIds } = options;
  const text = askWith(ask, '', (flag) => given[toKey(flag)] as string | undefined);
  const file = optional(fileRule(cwd, folder));

  const { photos, assets } = await describePhotos(ask, await choosePhotos(ask, options), options);
  const street = await text('--street', 'Street and number', optional(textRule('the street')));
  const asked = street === null ? PLACE.filter(([, flag]) => given[toKey(flag)] !== undefined) : PLACE;
  const place = await gatherRows(text, asked);
  if (street === null && Object.keys(place).length > 0)
    throw usageError('--street is missing: an address needs a street', '--street "128 Harbor Pine Lane"');
  const preset = presetId(street, isUrl(photos[0]!) ? photos[0]! : path.dirname(photos[0]!));
  const id = await text('--id', '', textRule('an id'), preset);
  const facts = await gatherRows(text, FACTS);
  const data = {
    ...(await gatherRows(text, DATA)),
    ...answered({ logo: await text('--logo', '', file) }),
  };
  const hasData = Object.keys(data).length > 0;
  const videoOptions = {
    ratio: given.ratio ?? '1920:1080',
    ...answered({
      // Data without a template has no effect.
      template_id: given.template ?? (hasData ? DEFAULT_TEMPLATE_ID : null),
      template_data: hasData ? data : null,
      create_preview: given.preview === true ? true : null,
    }),
  };
  const houseState = (place.state as string | undefined) ?? null;
  const agents = await gatherAgents(ask, { ...options, houseState });
  if (given.template !== undefined && !templateIds.includes(given.template)) {
    const known = `one of: ${templateIds.join(', ')}`;
    throw usageError(`--template: no template is called "${given.template}"`, known);
  }
  const listing = {
    id,
    ...answered({ address: street === null ? null : { street, ...place } }),
    ...facts,
    assets,
    agents: agents.map((agent) => ({ ...agent, video_options: videoOptions })),
  };
  for (const { message } of warnOfStates(listing as Listing)) options.onHint(message);
  return { listing: listing as Listing, photos };
}

interface AgentOptions extends GatherOptions {
  /** Null: not known. */
  readonly houseState: string | null;
}

/** At least one agent. Each gets a video. */
async function gatherAgents(ask: Interview, options: AgentOptions): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (const flags of options.given.agents ?? []) agents.push(await gatherAgent(ask, flags, options, agents));
  if (agents.length > 0) return agents;
  const example = '--agent "June Takemori" --phone "(503) 555-0128"';
  if (!ask.isAsking) throw usageError('--agent is missing: a listing needs an agent', example);
  for (let isMore = true; isMore && agents.length < MAX_AGENTS; ) {
    agents.push(await gatherAgent(ask, null, options, agents));
    isMore = await ask.yesNo(`another agent ${agents.length}`, 'Another agent?', false);
  }
  return agents;
}

/** @param flags - An agent of the command line, who is complete; null: ask. */
async function gatherAgent(
  ask: Interview,
  flags: AgentFlags | null,
  { cwd, folder, houseState }: AgentOptions,
  earlier: readonly Agent[],
): Promise<Agent> {
  const usedIds = earlier.map(({ id }) => id);
  // What an agent of the command line lacks is not asked: nobody answers for one agent in two ways.
  const text = askWith(ask, `agent ${earlier.length + 1} `, (flag, preset) =>
    flags === null ? undefined : (flags[toKey(flag) as keyof AgentFlags] ?? preset),
  );
  const words = (flags?.name ?? (await text('--agent', "Agent's name", textRule('a name'))))
    .trim()
    .split(/\s+/);
  const last = flags?.lastName ?? (words.length > 1 ? words.at(-1)! : '');
  const whole = words.join(' ');
  // `Maria de la Cruz` is `Maria de la` and `Cruz` unless an option says otherwise.
  const first = whole.endsWith(` ${last}`) ? whole.slice(0, -last.length - 1) : whole;
  const name = askWith(ask, '', (flag) => (flag === '--agent' ? first : last));
  const firstName = await name('--agent', '', textRule('a first name'));
  // Some people have one name.
  const lastName = await name('--last-name', '', (given) =>
    given.trim() === '' ? valid('') : textRule('a last name')(given),
  );
  const details = await gatherRows(text, agentRows(houseState));
  const picture = await text('--picture', 'Portrait, a file or URL', optional(fileRule(cwd, folder)));
  const idRule: Rule<string> = (id) =>
    usedIds.includes(id.trim()) ? invalid('an earlier agent has this id') : textRule('an id')(id);
  const id = await text('--agent-id', '', idRule, unusedId(toId(`${firstName} ${lastName}`), usedIds));
  const { designation, ...rest } = details;
  const known = answered({ designation: designation ?? null, picture });
  return { id, first_name: firstName, last_name: lastName, ...known, ...rest } as Agent;
}

function askWith(
  ask: Interview,
  prefix: string,
  find: (flag: string, preset: string) => string | undefined,
): AskText {
  return (flag, message, rule, preset = '') =>
    ask.text({
      key: prefix + flag.slice(2),
      flag,
      message,
      rule,
      preset,
      given: find(flag, preset) ?? (message === '' ? preset : undefined),
    });
}

async function gatherRows(text: AskText, rows: readonly Row[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [field, flag, message, rule] of rows) answers[field] = await text(flag, message, optional(rule));
  return answered(answers);
}

/** A list of one object, with the answer in the field of this name; null: the answer is the object. */
function toList(field: string | null, rule: Rule<unknown>): Rule<unknown> {
  return (text) => {
    const checked = rule(text);
    return checked.ok ? valid([field === null ? checked.value : { [field]: checked.value }]) : checked;
  };
}

/** `halfBathrooms` of `--half-bathrooms`. */
function toKey(flag: string): keyof GatherOptions['given'] {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as 'street';
}

/** `id`, or `id-2`, `id-3` and so on when it is used. */
export function unusedId(id: string, used: readonly string[]): string {
  const base = id === '' ? 'agent' : id;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!used.includes(candidate)) return candidate;
  }
}

/** The facts that are not null. */
function answered<T extends object>(facts: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as { [K in keyof T]?: NonNullable<T[K]> };
}
