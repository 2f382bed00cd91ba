/** The photos that are sent to the server for the listing, in their order: sends two at a time, and makes thumbnails. */
import { computed, signal } from '@preact/signals';
import { announce } from '../../../../studio/components/announce.tsx';
import { ApiProblem, upload } from '../../../../studio/serve-page/browser/api.ts';
import { countWords, reasonWords } from '../../../../studio/serve-page/browser/words.ts';
import { draft } from './draft.ts';
import { assetUrls, withoutPhoto, withPhotos } from './listing-text.ts';

export interface Photo {
  /** Of this page only. */
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'ready' | 'failed';
  /** How much of it is sent. */
  readonly percent: number;
  /** Once it is ready. */
  readonly url: string | null;
  /** Why it failed, in words. */
  readonly fault: string | null;
  /** Null until it is made, and for a format that the browser cannot show. */
  readonly thumbnail: ImageBitmap | null;
}

/** The server decodes each, so more at a time would only wait there. */
const SENT_AT_ONCE = 2;
/** A busy service is asked again so often, if it says when and that is soon. */
const MAX_RETRIES = 5;
const MAX_WAIT_MS = 60_000;
/** Twice the width at which a thumbnail is shown. */
const THUMBNAIL_WIDTH_PX = 400;

/** In the order of the listing. */
export const photos = signal<readonly Photo[]>([]);

/** How many are on their way. */
export const unsentCount = computed(
  () => photos.value.filter(({ state }) => state === 'waiting' || state === 'sending').length,
);

/** Ready, but not in the text: it was pasted later, or it is no JSON. */
export const unlisted = computed(() => {
  if (photos.value.length === 0) return [];
  const listed = new Set(assetUrls(draft.value));
  return photos.value.filter(({ url }) => url !== null && !listed.has(url));
});

let lastKey = 0;
const running = new Map<number, AbortController>();
let drawing: Promise<void> = Promise.resolve();

/** Adds photos at the end and sends them. */
export function addPhotos(files: readonly File[]): void {
  const added = files.map(
    (file): Photo => ({
      key: ++lastKey,
      file,
      state: 'waiting',
      percent: 0,
      url: null,
      fault: null,
      thumbnail: null,
    }),
  );
  photos.value = [...photos.value, ...added];
  announce(`${countWords(added.length, 'photo')} added.`);
  for (const { key, file } of added) drawing = drawing.then(() => drawThumbnail(key, file));
  sendNext();
}

/** Sends a photo again that failed. */
export function retryPhoto(key: number): void {
  change(key, { state: 'waiting', percent: 0, fault: null });
  sendNext();
}

/** Takes a photo out of the listing too. */
export function removePhoto(key: number): void {
  const photo = photos.value.find((other) => other.key === key);
  if (photo === undefined) return;
  running.get(key)?.abort();
  photo.thumbnail?.close();
  photos.value = photos.value.filter((other) => other !== photo);
  if (photo.url !== null) draft.value = withoutPhoto(draft.value, photo.url);
  announce(`${photo.file.name} removed.`);
}

/** Moves a photo to a place from 0, in the listing too. */
export function movePhoto(key: number, to: number): void {
  const from = photos.value.findIndex((photo) => photo.key === key);
  const photo = photos.value[from];
  if (photo === undefined || to < 0 || to >= photos.value.length || to === from) return;
  photos.value = photos.value.toSpliced(from, 1).toSpliced(to, 0, photo);
  const listed = new Set(assetUrls(draft.value));
  writeListing(({ url }) => listed.has(url ?? ''));
  announce(`${photo.file.name} is now photo ${to + 1} of ${photos.value.length}.`);
}

/** Writes all photos that are ready into the text. @returns False while the text is no JSON. */
export function listAll(): boolean {
  writeListing(() => true);
  return unlisted.value.length === 0;
}

/** Forgets the photos of a listing that was taken. */
export function clearPhotos(): void {
  for (const { thumbnail } of photos.value) thumbnail?.close();
  photos.value = [];
}

function writeListing(isWanted: (photo: Photo) => boolean): void {
  const urls = photos.value.filter(isWanted).flatMap(({ url }) => url ?? []);
  if (urls.length > 0) draft.value = withPhotos(draft.value, urls, isExampleUrl);
}

/** An address of the example listing, see `page/example.ts`. */
function isExampleUrl(url: string): boolean {
  return url.startsWith('https://example.com/photos/') || url.includes('/page/example/');
}

function sendNext(): void {
  const next = photos.value.find(({ state }) => state === 'waiting');
  if (next === undefined || running.size >= SENT_AT_ONCE) return;
  const controller = new AbortController();
  running.set(next.key, controller);
  change(next.key, { state: 'sending' });
  void send(next, controller.signal).finally(() => {
    running.delete(next.key);
    sendNext();
    if (unsentCount.value === 0 && photos.value.length > 0) announceEnd();
  });
  sendNext();
}

async function send({ key, file }: Photo, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await uploadPatiently(file, (percent) => change(key, { percent }), signal);
    const wasListed = new Set(assetUrls(draft.value));
    change(key, { state: 'ready', percent: 100, url: body.url });
    writeListing((photo) => photo.key === key || wasListed.has(photo.url ?? ''));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiProblem)) throw error;
    change(key, { state: 'failed', fault: faultWords(error) });
    announce(`${file.name}: ${faultWords(error)}`, { isUrgent: true });
  }
}

/** As `upload`, and again after the `Retry-After` of a service that is busy. */
async function uploadPatiently(...args: Parameters<typeof upload>): ReturnType<typeof upload> {
  const signal = args[2];
  for (let retries = 0; ; retries += 1) {
    try {
      return await upload(...args);
    } catch (error) {
      const waitMs = retries < MAX_RETRIES ? busyMs(error) : null;
      if (waitMs === null) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** How long a service is busy that will take the photo then; null for another fault. */
function busyMs(error: unknown): number | null {
  if (!(error instanceof ApiProblem) || error.code === 'upload_quota_exceeded') return null;
  const { status, retryAfterMs } = error;
  const isBusy = (status === 429 || status === 503) && retryAfterMs !== null && retryAfterMs <= MAX_WAIT_MS;
  return isBusy ? retryAfterMs : null;
}

/** @throws The signal's reason, at once when it aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function announceEnd(): void {
  const ready = photos.value.filter(({ state }) => state === 'ready').length;
  announce(`${countWords(ready, 'photo')} of ${photos.value.length} ready.`);
}

/** Why a photo was not taken, as a sentence. */
function faultWords({ status, code, message, context }: ApiProblem): string {
  if (status === 0) return 'The connection was lost.';
  if (code === 'unusable_asset') {
    const { heading, detail } = reasonWords(message);
    return detail === '' ? `${heading}.` : `${heading}: ${detail}.`;
  }
  if (code === 'body_too_large') return 'Too large: a photo can have 25 MB.';
  if (code === 'upload_quota_exceeded') {
    return `No room: ${context?.max_files ?? 'too many'} photos of a day are stored already.`;
  }
  if (status === 401) return 'A key is needed.';
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

async function drawThumbnail(key: number, file: File): Promise<void> {
  if (!photos.value.some((photo) => photo.key === key)) return;
  try {
    const options = { resizeWidth: THUMBNAIL_WIDTH_PX, resizeQuality: 'medium' } as const;
    change(key, { thumbnail: await createImageBitmap(file, options) });
  } catch {
    // The browser cannot show this format. The server decides whether it can be used.
  }
}

function change(key: number, fields: Partial<Photo>): void {
  photos.value = photos.value.map((photo) => (photo.key === key ? { ...photo, ...fields } : photo));
}
