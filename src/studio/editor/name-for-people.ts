/** Gives a listing and its agents new ids where nobody typed them, and the files that there are new names. */
import path from 'node:path';
import type { ListingEditor } from '../document/listing-document.ts';
import type { MadeVideos } from './made-videos.ts';
import { givenAfter, idByAddress, newNames, readGivenIds } from './names-for-people.ts';
import type { StudioMemory } from './studio-memory.ts';

interface NamingOptions {
  readonly listingFile: string;
  readonly warn: (message: string, error: unknown) => void;
}

/**
 * The files first: a process that is killed in between finds them by the report, and the ids follow at the next call.
 *
 * @returns New ids of agents by the earlier ones.
 */
export async function nameForPeople(
  editor: ListingEditor,
  made: MadeVideos,
  memory: StudioMemory,
  { listingFile, warn }: NamingOptions,
): Promise<ReadonlyMap<string, string>> {
  const { document } = editor;
  const given = readGivenIds(memory.get('named'));
  const wanted = idByAddress(document, path.dirname(listingFile), given);
  const id = wanted === null ? document.id : await made.freeId(wanted);
  const names = newNames(document, id === document.id ? null : String(id), given);
  if (names.patch.length === 0) return names.agents;
  try {
    await made.rename(String(id), names.agents);
  } catch (error) {
    // Under their earlier names they are as good.
    warn('the videos cannot get new names', error);
    return new Map();
  }
  await editor.edit('Name folder and files', names.patch);
  memory.set('named', givenAfter(given, names));
  return names.agents;
}
