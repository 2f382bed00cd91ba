/**
 * What a video was made of, part by part, as short hashes: a later look at the listing tells which parts have changed
 * since, in words. Pure.
 */
import { createHash } from 'node:crypto';
import { OPTIONAL_TEXTS } from '../../design/storyboard/scenes/without-contact.ts';
import { canonicalJson } from '../../design/timeline/canonical-json.ts';
import type { Agent, AspectRatio, Listing } from '../../listing/listing.ts';
import { captionLayer } from '../../listing/words/caption-layer.ts';
import { toAgentOptions } from '../plan/agent-options.ts';
import { toNeutralData, USUALLY_KEPT } from '../plan/neutral-data.ts';
import type { VideoTaskPayload } from '../video-task.ts';

/** Hashes by the names of parts. */
export type MadeOf = Readonly<Record<string, string>>;

/** Which video of a listing. */
export interface VideoOfListing {
  /** Null for an extra video without branding. */
  readonly agentId: string | null;
  readonly ratio: AspectRatio;
  /** Of the photos that can be used; null while they are not known. */
  readonly photoDigests: readonly string[] | null;
}

interface Source {
  readonly listing: Listing;
  /** Null for a video without branding. */
  readonly agent: Agent | null;
  readonly templateId: string | null;
  readonly data: Readonly<Record<string, string>>;
  /** Of the command line. */
  readonly music: string | undefined;
}

type Part = readonly [words: string, of: (source: Source) => unknown];

const layer =
  (name: string): Part[1] =>
  ({ data }) =>
    data[name];

/** Words of the data layers that are no part of the design. */
const LAYERS = {
  price: 'price',
  status: 'status',
  open_house: 'open house',
  headline: 'headline',
  link: 'link',
  disclosure: 'disclosure',
  originals_url: 'address of the original photos',
  length: 'length',
  pace: 'pace',
  logo: 'logo',
  website: 'website',
  cta: 'last line of the card',
} as const;

/** In the order in which they are named. A name keeps its meaning: reports have it. */
const PARTS: Readonly<Record<string, Part>> = {
  address: ['address', ({ listing }) => listing.address],
  bedrooms: ['bedrooms', ({ listing }) => listing.bedrooms],
  bathrooms: ['bathrooms', ({ listing }) => [listing.bathrooms, listing.half_bathrooms]],
  square_feet: ['square feet', ({ listing }) => listing.interior_square_footage],
  ...Object.fromEntries(Object.entries(LAYERS).map(([name, words]) => [name, [words, layer(name)]])),
  photos: ['photos', ({ listing }) => listing.assets.map(photoOf)],
  captions: ['captions', captionsOf],
  music: ['music', ({ data, music }) => music ?? data.music],
  design: ['design', ({ templateId, data }) => [templateId, Object.entries(data).filter(isDesign).sort()]],
  agent_name: [
    "agent's name",
    ({ agent }) => agent && [agent.first_name, agent.last_name, agent.designation],
  ],
  agent_phones: ["agent's phone", ({ agent }) => agent?.phones],
  agent_emails: ["agent's e-mail", ({ agent }) => agent?.emails],
  agent_licenses: ["agent's license", ({ agent }) => agent?.licenses],
  agent_offices: ["agent's office", ({ agent }) => agent?.offices],
  portrait: ['portrait', ({ agent }) => agent?.picture],
};
/** Contents of the photos, which can change under the same address. */
const PHOTO_FILES = 'photo_files';

/** The parts of a video; none for an agent who is not in the listing. */
export function madeOf(
  { listing, options }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  { agentId, ratio, photoDigests }: VideoOfListing,
): MadeOf {
  const { agents } = listing;
  const hasRatio = (each: Agent): boolean => toAgentOptions(each, options).ratio === ratio;
  // A video without branding has the facts of the first agent of its ratio.
  const agent =
    agentId === null ? (agents.find(hasRatio) ?? agents[0]) : agents.find(({ id }) => id === agentId);
  if (agent === undefined) return {};
  const { templateId, templateData } = toAgentOptions(agent, options);
  const source: Source =
    agentId === null
      ? {
          listing,
          agent: null,
          templateId: null,
          data: dataOfTwin(templateData, options),
          music: options.music,
        }
      : { listing, agent, templateId, data: templateData, music: options.music };
  const parts = Object.entries(PARTS).map(([name, [, of]]) => [name, hash(of(source))]);
  if (photoDigests !== null) parts.push([PHOTO_FILES, hash([...photoDigests].sort())]);
  return Object.fromEntries(parts);
}

/** Words of the parts that differ, each once. A part that only one of the two knows does not count. */
export function changesSince(before: MadeOf, now: MadeOf): string[] {
  const names = [...Object.keys(PARTS), PHOTO_FILES].filter(
    (name) => Object.hasOwn(before, name) && Object.hasOwn(now, name) && before[name] !== now[name],
  );
  return [...new Set(names.map((name) => PARTS[name]?.[0] ?? 'photos'))];
}

function dataOfTwin(data: Source['data'], { unbrandedKeep = USUALLY_KEPT }: VideoTaskPayload['options']) {
  const dropped: readonly string[] = OPTIONAL_TEXTS.filter(
    (name) => !unbrandedKeep.some((kept) => kept === name),
  );
  return Object.fromEntries(Object.entries(toNeutralData(data)).filter(([name]) => !dropped.includes(name)));
}

function photoOf({ url, altered, original, kind, focus, emphasis }: Listing['assets'][number]) {
  return { url, altered, original, kind, focus, emphasis };
}

/** By photo, so that another order of the photos is no change of captions. */
function captionsOf({ listing, data }: Source): unknown {
  const captions = listing.assets.map(({ url, caption }, index) => [
    url,
    data[captionLayer(index)] ?? caption,
  ]);
  return captions.filter(([, caption]) => caption).sort();
}

function isDesign([name]: readonly [string, string]): boolean {
  return name !== 'music' && !Object.hasOwn(LAYERS, name) && !/^caption_\d+$/.test(name);
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(withoutEmpty(value) ?? null))
    .digest('hex')
    .slice(0, 12);
}

/** A field that is empty means the same as one that is absent. */
function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === false || value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const);
  const kept = fields.filter(([, field]) => field !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
