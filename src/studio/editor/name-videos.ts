/** Gives the agents of a listing new ids where nobody typed them, and the videos that there are the names of their ids. */
import path from 'node:path';
import { agentsByName, isIdByAddress, newAgentIds } from '../document/ids-by-name.ts';
import type { ListingEditor } from '../document/listing-document.ts';
import type { MadeVideos } from './made-videos.ts';
import type { PatchOperation } from './protocol.ts';
import type { StudioMemory } from './studio-memory.ts';

interface NamingOptions {
  readonly listingFile: string;
  readonly warn: (message: string, error: unknown) => void;
}

/**
 * The files first: a process that is killed in between finds them by their report, and the ids follow at the next call.
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
  const { agents, patch } = newAgentIds(document, namesIn(memory));
  const typed = String(document.id);
  const id = isIdByAddress(document, path.dirname(listingFile)) ? await made.freeId(typed) : typed;
  try {
    await made.rename(id, agents);
  } catch (error) {
    // Under their earlier names they are as good.
    warn('the videos cannot get new names', error);
    return new Map();
  }
  const naming: PatchOperation[] = id === typed ? [] : [{ op: 'replace', path: '/id', value: id }];
  await editor.edit('Name folder and files', [...naming, ...patch]);
  rememberNames(editor, memory);
  return agents;
}

/** So that the ids follow when the names change. */
export function rememberNames({ document }: ListingEditor, memory: StudioMemory): void {
  const known = namesIn(memory);
  const added = agentsByName(document).filter((id) => !known.includes(id));
  if (added.length > 0) memory.set('named', [...known, ...added]);
}

function namesIn(memory: StudioMemory): readonly unknown[] {
  const given = memory.get('named');
  return Array.isArray(given) ? given : [];
}
