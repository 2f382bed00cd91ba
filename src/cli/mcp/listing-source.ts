/** What an assistant can name as the listing of a call: a file, a listing in the call itself, or photos and a few facts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent, Listing } from '../../listing/listing.ts';
import { isNamedAltered } from '../../listing/words/altered-label.ts';
import { pathToRead } from '../../platform/disk/allowed-folders.ts';
import { packageFile } from '../../platform/program-files.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { usageError } from '../cli-error.ts';
import type { GivenAnswers } from '../init/answers.ts';
import { gatherListing } from '../init/gather-listing.ts';
import { openInterview } from '../init/interview.ts';
import { formatSkipped } from '../listings/format-skipped.ts';
import type { Assistant } from './assistant.ts';
import type { ToolArguments } from './tool.ts';

export interface ListingSource {
  /** What a command reads: a path, or `-` for `stdin`. */
  readonly word: string;
  readonly stdin: string | null;
  /** What was made of photos and facts; null for any other source. */
  readonly made: Listing | null;
  /** Sentences about it. */
  readonly notes: readonly string[];
}

/** Tasks whose agents are looked for, the newest first. */
const MAX_TASKS = 20;

/** @throws ListingVideoError `usage`: what to ask a person for. */
export async function readSource(args: ToolArguments, assistant: Assistant): Promise<ListingSource> {
  const given = (['listing_file', 'listing', 'photos'] as const).filter((name) => args[name] !== undefined);
  if (given.length !== 1)
    throw usageError(
      given.length === 0 ? 'there is no listing' : `${given.join(' and ')} are two listings`,
      'give one of: listing_file, a listing in the call, photos (a folder) with facts',
    );
  if (args.listing_file !== undefined) {
    assistant.locate(args.listing_file);
    return { word: args.listing_file, stdin: null, made: null, notes: [] };
  }
  if (args.listing !== undefined)
    return { word: '-', stdin: JSON.stringify(args.listing), made: null, notes: [] };
  const { made, notes } = await fromPhotos(args, assistant);
  return { word: '-', stdin: JSON.stringify(made), made, notes };
}

async function fromPhotos(
  args: ToolArguments,
  assistant: Assistant,
): Promise<{ made: Listing; notes: readonly string[] }> {
  const notes: string[] = [];
  const { agent } = args;
  const remembered = agent === undefined ? await lastAgents(assistant) : null;
  if (agent === undefined && remembered === null)
    throw usageError(
      'the agent is not known: no video was made on this machine before',
      'ask for the name of the agent, and for phone, license and office, and give them as agent',
    );
  const { listing, photos } = await gatherListing(
    openInterview(null, {}, async () => undefined),
    {
      cwd: assistant.root,
      folder: assistant.root,
      folders: assistant.folders,
      given: {
        ...toAnswers(args),
        altered: args.altered,
        agents: [toAgentAnswers(agent ?? { name: 'Agent' })],
      },
      shapes: { ratio: undefined, alsoRatio: undefined },
      templateIds: [DEFAULT_TEMPLATE_ID],
      look: async () => ({ opening: null, unusable: new Map(), copies: new Map(), floorPlans: [] }),
      onSkipped: (skipped) => notes.push(...formatSkipped(skipped)),
      onHint: (hint) => notes.push(hint),
    },
  );
  // The law asks for a label, and a file name is no proof.
  if (args.altered === undefined)
    for (const photo of photos.filter(isNamedAltered))
      notes.push(
        `${path.basename(photo)} looks altered by its file name: ask the person, and list it in altered`,
      );
  if (remembered === null) return { made: listing, notes };
  const { video_options } = listing.agents[0]!;
  const names = remembered.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim());
  notes.push(`the agent of the newest video was used: ${names.join(', ')}`);
  return {
    made: { ...listing, agents: remembered.map((each) => ({ ...each, video_options: video_options! })) },
    notes,
  };
}

function toAnswers(args: ToolArguments): GivenAnswers {
  const { address = {}, bedrooms, bathrooms, half_bathrooms, interior_square_footage } = args;
  const { street, city, state, postal_code } = address;
  return defined({
    ...{ photos: args.photos, order: args.order, first: args.first, id: args.id },
    ...{ street, city, state, postalCode: postal_code },
    ...{ bedrooms, bathrooms, halfBathrooms: half_bathrooms, squareFeet: interior_square_footage },
    ...{ price: args.price, status: args.status, openHouse: args.open_house },
    ...{ headline: args.headline, link: args.link },
  });
}

function toAgentAnswers({ name, ...others }: ToolArguments) {
  return defined({ agent: name, ...others });
}

/** As options of the command line give them: texts. */
function defined(values: ToolArguments): Readonly<Record<string, string>> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/**
 * The agents of the newest video of this machine, not of a client of its server, and not of the sample house; null
 * without one. A portrait that cannot be read is left out.
 */
async function lastAgents(assistant: Assistant): Promise<readonly Agent[] | null> {
  const sample = JSON.parse(await readFile(packageFile('fixtures/listing.json'), 'utf8')) as Listing;
  const { engine } = await assistant.backend();
  const { data } = await engine.list({ limit: MAX_TASKS });
  for (const { id } of data.filter(({ origin }) => origin === 'cli')) {
    const payload = await engine.payload(id).catch(() => null);
    if (payload !== null && payload.listing.id !== sample.id)
      return payload.listing.agents.map((agent) => toOwn(agent, payload, assistant));
  }
  return null;
}

function toOwn({ picture, ...agent }: Agent, { baseDir }: VideoTaskPayload, { folders }: Assistant): Agent {
  if (!picture || /^https?:/i.test(picture)) return picture ? { ...agent, picture } : agent;
  const file = baseDir === null || /^file:/i.test(picture) ? null : path.resolve(baseDir, picture);
  const real = file && pathToRead(file, null, folders);
  return real ? { ...agent, picture: real } : agent;
}
