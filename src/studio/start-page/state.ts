/** What the start page shows, and what it does. */
import { signal } from '@preact/signals';
import { announce } from '../components/announce.tsx';
import { followServer } from '../components/connection/follow-server.ts';
import { learnKey } from '../components/connection/session.ts';
import type { FileProgress, StoredFile } from '../components/listing.ts';
import type { AddedFile } from '../editor/protocol.ts';
import type { ImportView, OpenAnswer, OpenRequest, StartState } from '../start/protocol.ts';
import { AWAY, get, post, postFile } from './api.ts';

/** Null until the first answer. */
export const state = signal<StartState | null>(null);
/** Why the server does not answer; null: it does. */
export const away = signal<string | null>(null);
/** Why the last thing was refused. */
export const refusal = signal<string | null>(null);
/** What is being done, in words; null: nothing. */
export const busy = signal<string | null>(null);
export const imported = signal<(ImportView & { readonly file: string }) | null>(null);
/** Street and number, as the person types them. */
export const street = signal('');

/** Of the photos that are sent for one listing. The server forgets it when the listing is open. */
const DRAFT = crypto.randomUUID();
/** Of the folder that was dropped. */
let folderName = '';

export function connect(): void {
  followServer({
    receive: (given) => {
      state.value = given as StartState;
      away.value = null;
      void learnKey();
    },
    onAway: (why) => {
      away.value = why === 'lost' ? AWAY : 'Another program answers at this address. Start the studio again.';
    },
  });
  // After a listing was worked on in another tab, or on the way back to this one.
  const look = () => {
    if (document.visibilityState === 'visible' && state.value !== null) void lookAgain();
  };
  addEventListener('visibilitychange', look);
  addEventListener('pageshow', () => {
    busy.value = null;
    look();
  });
}

async function lookAgain(): Promise<void> {
  const answer = await get<StartState>('start');
  if ('value' in answer) state.value = answer.value;
}

/** Leads to the studio of a listing. */
export async function open(request: OpenRequest, words: string): Promise<void> {
  if (busy.value !== null) return;
  begin(words);
  const answer = await post<OpenAnswer>('open', request);
  if ('value' in answer) location.assign(answer.value.url);
  else refuse(answer.problem);
}

export function withStreet(): { readonly street?: string } {
  const words = street.value.trim();
  return words === '' ? {} : { street: words };
}

/** Opens the listing of the photos that were sent. */
export async function openDraft(): Promise<void> {
  await open({ draft: DRAFT, ...withStreet() }, 'Opening the listing …');
}

/** @param words - For the folder of the photos, where no address is known. */
export function nameDraft(words: string): void {
  folderName = words;
}

export async function storePhoto(file: File, _: string, { signal }: FileProgress): Promise<StoredFile> {
  const words = street.value.trim() || folderName;
  const query = new URLSearchParams({ draft: DRAFT, name: file.name, words });
  const answer = await postFile<AddedFile>(`files?${query}`, file, signal ?? null);
  return 'value' in answer ? answer.value : answer;
}

export async function importFile(file: File): Promise<void> {
  if (busy.value !== null) return;
  begin(`Importing ${file.name} …`);
  imported.value = null;
  const answer = await postFile<ImportView>(`imports?${new URLSearchParams({ name: file.name })}`, file);
  if ('problem' in answer) {
    refuse(`${file.name}: ${answer.problem}`);
    return;
  }
  busy.value = null;
  imported.value = { ...answer.value, file: file.name };
}

function begin(words: string): void {
  refusal.value = null;
  busy.value = words;
  announce(words);
}

export function refuse(words: string): void {
  busy.value = null;
  refusal.value = words;
  announce(words, { isUrgent: true });
}
