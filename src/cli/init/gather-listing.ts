/** The questions of `init` and the listing of their answers. What the studio is better for has options only. */
import path from 'node:path';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { setAt } from '../../listing/rules/fault-at.ts';
import { warnOfAddresses } from '../../listing/warnings/warn-of-addresses.ts';
import { warnOfPrice } from '../../listing/warnings/warn-of-price.ts';
import { toId, unusedId } from '../../listing/words/to-id.ts';
import { presetId } from '../../video/photos/preset-id.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import { isUrl } from '../terminal/typed-path.ts';
import type { AgentFlags } from './answers.ts';
import { choosePhotos, type PhotoOptions } from './choose-photos.ts';
import { describePhotos } from './describe-photos.ts';
import type { Interview } from './interview.ts';
import * as answer from './validate-answer.ts';

const MAX_AGENTS = 20;
const WIDE = '1920:1080';
const VERTICAL = '1080:1920';

export interface GatherOptions extends PhotoOptions {
  /** Ids of the templates that can be used. */
  readonly templateIds: readonly string[];
  /** Absolute folder of the listing file: files below it are named relative to it. */
  readonly folder: string;
  /** What settings say of every video. */
  readonly shapes: { readonly ratio: AspectRatio | undefined; readonly alsoRatio: AspectRatio | undefined };
}

export interface Gathered {
  readonly listing: Listing;
  /** Absolute paths or URLs, in the order of the video. */
  readonly photos: readonly string[];
  /** A listing names one shape. The other is an option of `create`. */
  readonly alsoRatio: AspectRatio | undefined;
}

/** Option, question (empty: it has an option only), place in what the rows are about, how the answer is read. */
type Row = readonly [flag: string, message: string, place: string, read?: answer.Rule<unknown>];

const PLACE: readonly Row[] = [
  ['--city', 'City', 'address.city'],
  ['--state', 'State', 'address.state', answer.validateState],
  ['--postal-code', 'Postal code', 'address.postal_code'],
];
const FACTS: readonly Row[] = [
  ['--bedrooms', 'Bedrooms', 'bedrooms', answer.validateCount],
  ['--bathrooms', 'Full bathrooms', 'bathrooms', answer.validateBathrooms],
  ['--half-bathrooms', 'Half bathrooms', 'half_bathrooms', answer.validateCount],
  ['--square-feet', 'Square feet inside', 'interior_square_footage', answer.validateArea],
];
const DATA: readonly Row[] = [
  ['--price', 'Price, such as 500000', 'template_data.price', answer.validatePrice],
  ['--status', '', 'template_data.status'],
  ['--open-house', 'Open house, such as Saturday, 1 to 4 pm', 'template_data.open_house'],
  ['--headline', '', 'template_data.headline'],
  ['--link', '', 'template_data.link', answer.validateLink],
  ['--length', '', 'template_data.length', answer.validateLength],
];
const agentRows = (houseState: string | null): readonly Row[] => [
  ['--designation', '', 'designation'],
  ['--phone', 'Phone', 'phones.0.number', answer.validatePhone],
  ['--email', 'E-mail', 'emails.0.address'],
  ['--license', 'License, such as OR 201234567', 'licenses.0', answer.licenseRule(houseState)],
  ['--office', 'Office', 'offices.0.name'],
];

type Fields = Record<string, unknown>;
type AskText = <T>(flag: string, message: string, rule: answer.Rule<T>, preset?: string) => Promise<T>;

/** @throws ListingVideoError `usage` for a missing or invalid option; `cancelled` at Ctrl-C. */
export async function gatherListing(ask: Interview, options: GatherOptions): Promise<Gathered> {
  const { given, cwd, folder, templateIds } = options;
  const text = askWith(ask, '', (flag) => given[toKey(flag)] as string | undefined);

  const chosen = await choosePhotos(ask, options);
  const { photos, assets } = await describePhotos(ask, chosen, options);
  const house: Fields = {};
  const givenPlace = PLACE.filter(([flag]) => given[toKey(flag)] !== undefined);
  const streetRule = answer.listingRule('address.street');
  // A city alone is no address.
  const needsStreet = ask.isAsking && givenPlace.length > 0;
  const asked = await text(
    '--street',
    'Street and number',
    needsStreet ? streetRule : answer.optional(streetRule),
  );
  if (asked !== null) setAt(house, 'address.street', asked);
  const isPlace = house.address !== undefined;
  await gatherRows(text, isPlace ? PLACE : givenPlace, house);
  const { street, state = null } = { ...(house.address as { street?: string; state?: string } | undefined) };
  if (house.address !== undefined && street === undefined)
    throw usageError('--street is missing: an address needs a street', '--street "128 Harbor Pine Lane"');
  const preset = presetId(street ?? null, isUrl(photos[0]!) ? photos[0]! : path.dirname(photos[0]!));
  const id = await text('--id', '', answer.listingRule('id'), preset);
  await gatherRows(text, FACTS, house);
  const data: Fields = {};
  const logo: Row = ['--logo', '', 'template_data.logo', answer.fileRule(cwd, folder)];
  await gatherRows(text, [...DATA, logo], data, 'agents.0.video_options.');
  const [ratio, alsoRatio] = await chooseShapes(ask, options);
  const { template = DEFAULT_TEMPLATE_ID } = given;
  if (!templateIds.includes(template))
    throw usageError(`--template: no template is called "${template}"`, nearestHint(template, templateIds));
  // Data without a template has no effect.
  const isNamed = given.template !== undefined || data.template_data !== undefined;
  const videoOptions = {
    ratio,
    ...(isNamed ? { template_id: template, ...data } : {}),
    ...(given.preview === true ? { create_preview: true } : {}),
  };
  const agents = await gatherAgents(ask, { ...options, houseState: state });
  const listing = {
    id,
    ...house,
    assets,
    agents: agents.map((agent) => ({ ...agent, video_options: videoOptions })),
  };
  const { price = '' } = { ...(data as { template_data?: { price?: string } }).template_data };
  const ofPrice = price === '' ? null : warnOfPrice(price);
  if (ofPrice !== null) options.onHint(ofPrice);
  for (const { message } of warnOfAddresses(listing as unknown as Listing)) options.onHint(message);
  return { listing: listing as unknown as Listing, photos, alsoRatio };
}

/** The shape of the listing and, where both are wanted, the other one. */
async function chooseShapes(
  ask: Interview,
  { given, shapes }: GatherOptions,
): Promise<readonly [AspectRatio, AspectRatio?]> {
  const { alsoRatio } = shapes;
  if (alsoRatio !== undefined) return [given.ratio ?? (alsoRatio === WIDE ? VERTICAL : WIDE), alsoRatio];
  if (!ask.isAsking || shapes.ratio !== undefined) return [given.ratio ?? WIDE];
  const choices = [
    { value: WIDE, name: 'wide (16:9)' },
    { value: VERTICAL, name: 'vertical (9:16)' },
    { value: 'both', name: 'both' },
  ];
  const [shape] = await ask.choose('shape', { message: 'Shape of the videos', choices, preset: [WIDE] });
  return shape === 'both' ? [WIDE, VERTICAL] : [shape as AspectRatio];
}

type AgentOptions = GatherOptions & { readonly houseState: string | null };

/** At least one agent. Each gets a video. */
async function gatherAgents(ask: Interview, options: AgentOptions): Promise<Fields[]> {
  const agents: Fields[] = [];
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
  earlier: readonly Fields[],
): Promise<Fields> {
  const usedIds = earlier.map(({ id }) => id as string);
  // What an agent of the command line lacks is not asked: nobody answers for one agent in two ways.
  const text = askWith(ask, `agent ${earlier.length + 1} `, (flag, preset) =>
    flags === null ? undefined : (flags[toKey(flag) as keyof AgentFlags] ?? preset),
  );
  const named = await text('--agent', "Agent's name", answer.listingRule('agents.0.first_name'));
  const words = named.split(/\s+/);
  // Some people have one name.
  const last = flags?.lastName?.trim() ?? (words.length > 1 ? words.at(-1)! : '');
  const whole = words.join(' ');
  // `Maria de la Cruz` is `Maria de la` and `Cruz` unless an option says otherwise.
  const first = whole.endsWith(` ${last}`) ? whole.slice(0, -last.length - 1) : whole;
  const agent: Fields = { id: '', first_name: first, last_name: last };
  const picture: Row = ['--picture', 'Portrait, a file or URL', 'picture', answer.fileRule(cwd, folder)];
  await gatherRows(text, [...agentRows(houseState), picture], agent, 'agents.0.');
  const idRule: answer.Rule<string> = (id) =>
    usedIds.includes(id.trim())
      ? answer.invalid('an earlier agent has this id')
      : answer.listingRule('agents.0.id')(id);
  agent.id = await text('--agent-id', '', idRule, unusedId(toId(`${first} ${last}`), usedIds));
  return agent;
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

/** @param into - Gets the answers at their places. @param prefix - Where it is in a listing. */
async function gatherRows(text: AskText, rows: readonly Row[], into: Fields, prefix = ''): Promise<void> {
  for (const [flag, message, place, read = answer.required] of rows) {
    const value = await text(flag, message, answer.optional(answer.listingRule(prefix + place, read)));
    if (value !== null) setAt(into, place, value);
  }
}

/** `halfBathrooms` of `--half-bathrooms`. */
function toKey(flag: string): keyof GatherOptions['given'] {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as 'street';
}
