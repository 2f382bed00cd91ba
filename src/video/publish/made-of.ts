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
  readonly files: FilesOfVideo;
}

/** Digests of contents, which can change under the same names. What is absent is not known. */
export interface FilesOfVideo {
  /** Those that can be used. */
  readonly photos?: readonly string[] | undefined;
  /** All images by URL; null for one that cannot be used. */
  readonly images?: ReadonlyMap<string, string | null> | undefined;
  /** The user's own template; null for one that ships. */
  readonly template?: string | null | undefined;
  /** The user's own music; null for other music. */
  readonly music?: string | null | undefined;
}

interface Source {
  readonly listing: Listing;
  /** Null for a video without branding. */
  readonly agent: Agent | null;
  readonly templateId: string | null;
  readonly data: Readonly<Record<string, string>>;
  /** Of the command line. */
  readonly music: string | undefined;
  readonly files: FilesOfVideo;
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
  originals_url: 'address of the originals',
  length: 'length',
  pace: 'speed',
  logo: 'logo',
  website: 'website',
  cta: 'closing line',
  video_title: 'title',
  video_description: 'description',
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
  design: ['template', ({ templateId, data }) => [templateId, Object.entries(data).filter(isDesign).sort()]],
  agent_name: [
    "agent's name",
    ({ agent }) => agent && [agent.first_name, agent.last_name, agent.designation],
  ],
  agent_phones: ['phone', ({ agent }) => agent?.phones],
  agent_emails: ['e-mail', ({ agent }) => agent?.emails],
  agent_licenses: ['license', ({ agent }) => agent?.licenses],
  agent_offices: ['office', ({ agent }) => agent?.offices],
  portrait: ['portrait', ({ agent }) => agent?.picture],
};
/** Likewise for the contents of files: undefined where they are not known. */
const FILE_PARTS: Readonly<Record<string, Part>> = {
  photo_files: ['photos', ({ files }) => files.photos?.toSorted()],
  original_files: ['photos', originalsOf],
  logo_file: ['logo', ({ data, files }) => imageOf(data.logo, files)],
  // The studio knows it of an agent's video: one without branding has the same where the data names it.
  music_file: [
    'music',
    ({ agent, data, files }) => (agent === null && !data.music ? undefined : files.music),
  ],
  image_files: ['template', ({ data, files }) => files.images && designImages(data, files.images)],
  template_file: ['template', ({ agent, files }) => (agent === null ? undefined : files.template)],
  portrait_file: ['portrait', ({ agent, files }) => imageOf(agent?.picture, files)],
};
const ALL_PARTS = { ...PARTS, ...FILE_PARTS };
/** Parts whose words need the person's name. */
const PERSONAL = [
  'agent_phones',
  'agent_emails',
  'agent_licenses',
  'agent_offices',
  'portrait',
  'portrait_file',
];

/** Whose facts a video has. One without branding has those of the first agent of its ratio. */
export function agentOf(
  { listing: { agents }, options }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  { agentId, ratio }: Pick<VideoOfListing, 'agentId' | 'ratio'>,
): Agent | undefined {
  if (agentId !== null) return agents.find(({ id }) => id === agentId);
  return agents.find((each) => toAgentOptions(each, options).ratio === ratio) ?? agents[0];
}

/** The parts of a video; none for an agent who is not in the listing. */
export function madeOf(
  { listing, options }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  { agentId, ratio, files }: VideoOfListing,
): MadeOf {
  const agent = agentOf({ listing, options }, { agentId, ratio });
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
          files,
        }
      : { listing, agent, templateId, data: templateData, music: options.music, files };
  const parts = Object.entries(PARTS).map(([name, [, of]]) => [name, hash(of(source))]);
  const ofFiles = Object.entries(FILE_PARTS).flatMap(([name, [, of]]) => {
    const contents = of(source);
    return contents === undefined ? [] : [[name, hash(contents)]];
  });
  return Object.fromEntries([...parts, ...ofFiles]);
}

/**
 * Words of the parts that differ, each once. A part that only one of the two knows does not count.
 *
 * @param name - Of the agent.
 */
export function changesSince(before: MadeOf, now: MadeOf, name: string): string[] {
  const changed = Object.entries(ALL_PARTS).flatMap(([part, [words]]) => {
    const isKnown = Object.hasOwn(before, part) && Object.hasOwn(now, part);
    if (!isKnown || before[part] === now[part]) return [];
    return PERSONAL.includes(part) ? `${words} of ${name}` : words;
  });
  return [...new Set(changed)];
}

function originalsOf({ listing, files: { images } }: Source): unknown {
  const urls = listing.assets.flatMap(({ original }) => original ?? []);
  const digests = urls.map((url) => images?.get(url));
  return digests.includes(undefined) ? undefined : digests;
}

function imageOf(url: string | null | undefined, { images }: FilesOfVideo): string | null | undefined {
  return url ? images?.get(url) : null;
}

function designImages(data: Source['data'], images: ReadonlyMap<string, string | null>): unknown {
  return Object.entries(data)
    .filter(isDesign)
    .flatMap(([name, url]) => (images.get(url) ? [[name, images.get(url)]] : []))
    .sort();
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
