/**
 * Photos that are dropped in or chosen: stored two at a time, then added to the listing in one step and in their order.
 */
import { computed, effect, signal, untracked } from '@preact/signals';
import { countWords } from '../../../listing/words/count-words.ts';
import { announce } from '../announce.tsx';
import { canEdit, edit, storeFile, view } from '../listing.ts';
import { addPhotos } from './photo-edits.ts';
import { rememberFile } from './pictures.tsx';

export interface Upload {
  /** Of this page only. */
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed';
  readonly percent: number;
  /** Once it is stored. */
  readonly url: string | null;
  /** Why it failed, as a sentence. */
  readonly problem: string | null;
}

/** The server decodes each, so more at a time would only wait there. */
const SENT_AT_ONCE = 2;

/** What is not in the listing yet. */
export const uploads = signal<readonly Upload[]>([]);

export const unsentCount = computed(
  () => uploads.value.filter(({ state }) => state === 'waiting' || state === 'sending').length,
);

let lastKey = 0;
const running = new Map<number, AbortController>();

export function uploadPhotos(files: readonly File[]): void {
  const added = files.map((file): Upload => {
    lastKey += 1;
    return { key: lastKey, file, state: 'waiting', percent: 0, url: null, problem: null };
  });
  uploads.value = [...uploads.value, ...added];
  sendNext();
}

export function retryUpload(key: number): void {
  change(key, { state: 'waiting', percent: 0, problem: null });
  sendNext();
}

export function removeUpload(key: number): void {
  running.get(key)?.abort();
  uploads.value = uploads.value.filter((upload) => upload.key !== key);
}

/** Forgets the photos of a listing that was taken. */
export function clearUploads(): void {
  uploads.value = [];
}

// A text that was no JSON can become a listing.
effect(() => {
  if (canEdit.value) untracked(addStored);
});

function sendNext(): void {
  const next = uploads.value.find(({ state }) => state === 'waiting');
  if (next === undefined || running.size >= SENT_AT_ONCE) return;
  const controller = new AbortController();
  running.set(next.key, controller);
  change(next.key, { state: 'sending' });
  void send(next, controller.signal).finally(() => {
    running.delete(next.key);
    sendNext();
    addStored();
  });
  sendNext();
}

async function send({ key, file }: Upload, signal: AbortSignal): Promise<void> {
  const onPercent = (percent: number) => change(key, { percent });
  const stored = await storeFile(file, 'photo', { onPercent, signal });
  if (signal.aborted) return;
  if ('problem' in stored) {
    change(key, { state: 'failed', problem: stored.problem });
    announce(`${file.name}: ${stored.problem}`, { isUrgent: true });
    return;
  }
  rememberFile(stored.url, file);
  change(key, { state: 'stored', url: stored.url });
}

/** When all that can be stored is. */
function addStored(): void {
  const listing = view.value?.listing;
  const stored = uploads.value.flatMap(({ url }) => (url === null ? [] : { url }));
  if (listing === undefined || !canEdit.value || stored.length === 0 || unsentCount.value > 0) return;
  uploads.value = uploads.value.filter(({ state }) => state === 'failed');
  const failed = uploads.value.length;
  const words = countWords(stored.length, 'photo');
  edit(`Add ${words}`, addPhotos(listing, stored));
  announce(`${words} added.${failed > 0 ? ` ${countWords(failed, 'file')} could not be used.` : ''}`);
}

function change(key: number, fields: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.key === key ? { ...upload, ...fields } : upload));
}
