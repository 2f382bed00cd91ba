/** The listing that is written here, as text. Forms and photos change it too. It stays while another view is open. */
import { computed, signal } from '@preact/signals';
import { findUnknownProperties } from '../../../../listing/rules/unknown-properties.ts';
import { announce } from '../../../components/announce.tsx';
import type { ListingSource, ListingView } from '../../../components/listing.ts';
import { addPhotos } from '../../../components/photos/photo-edits.ts';
import { clearUploads, uploads } from '../../../components/photos/uploads.ts';
import { EditHistory, typingPlace } from '../../../document/edit-history.ts';
import {
  applyPatch,
  isObject,
  type ListedPhoto,
  type ListingObject,
  leftOutBy,
  photoFiles,
  photosOf,
} from '../../../document/json.ts';
import { writeListingText } from '../../../document/listing-text.ts';
import type { LeftOutPhoto } from '../../../editor/protocol.ts';
import { offeredTemplates } from '../offered-templates.ts';
import { inBothShapes } from './both-shapes-field.tsx';
import { type Findings, fault, placeUnknown, stillOpen, toViolations } from './findings.ts';
import { keepSent, type SentDraft } from './sent-drafts.ts';
import { storePhoto } from './store-photo.ts';

const NO_STAGE = { warnings: [], phones: [], photos: [], images: [], videos: [] };
/** More unknown properties are those of another file. */
const MAX_UNKNOWN = 20;

/** The text as it stands in the editor. */
export const draft = signal('');

/** What was wrong with the text when it was sent last. */
export const findings = signal<Findings | null>(null);

export const steps = signal<{ readonly undo: string | null; readonly redo: string | null }>({
  undo: null,
  redo: null,
});

let history = new EditHistory<string>();
/** Photos that were stored from here, as the listing had them last. */
const stored = signal<ReadonlyMap<string, ListedPhoto>>(new Map());

const listing = computed(() => readListing(draft.value));

let lastListing: ListingObject = {};
/** While a text is typed that is not JSON yet, the forms keep their places. */
const shownListing = computed(() => {
  lastListing = listing.value ?? lastListing;
  return lastListing;
});

/** What of it is not corrected yet. */
export const openFindings = computed(() => stillOpen(findings.value, draft.value, shownListing.value));

/** What the service would ignore, most of it misspelled. */
export const unknownProperties = computed(() =>
  findUnknownProperties(listing.value)
    .slice(0, MAX_UNKNOWN)
    .map((warning) => placeUnknown(draft.value, warning)),
);

const view = computed(
  (): ListingView => ({
    ...NO_STAGE,
    templates: offeredTemplates.value,
    listing: shownListing.value,
    violations: toViolations(openFindings.value),
    left_out: leftOutOf(shownListing.value),
  }),
);

export const draftSource: ListingSource = {
  view,
  canEdit: computed(() => listing.value !== null),
  edit(label, patch) {
    const before = listing.peek();
    if (before === null) return;
    const after = applyPatch(before, patch);
    const text = draft.peek().trim() === '' ? '{}' : draft.peek();
    changeText(label, writeListingText(text, before, after), typingPlace(after, patch));
  },
  async storeFile(file, purpose, progress) {
    const answer = await storePhoto(file, progress);
    if ('url' in answer && purpose === 'photo') remember([{ url: answer.url }]);
    return answer;
  },
};

/** What happened to a file or a listing that was to be taken. */
export function say(heading: string, words: string): void {
  findings.value = fault(draft.peek(), heading, words);
}

/** @param typedAt - Where it was typed; null for what is no typing. */
export function changeText(label: string, text: string, typedAt: string | null): void {
  if (text === draft.peek()) return;
  history.add(label, draft.peek(), typedAt, Date.now());
  show(text);
}

/** Another listing, which gets the photos of this one that were stored from here. */
export function replaceText(text: string): void {
  const own = photosOf(listing.peek() ?? {}).filter(({ url }) => stored.peek().has(url));
  changeText('Replace the listing', text, null);
  const isListed = new Set(photoFiles(photosOf(listing.peek() ?? {})));
  const missing = own.filter(({ url }) => !isListed.has(url));
  if (missing.length > 0 && listing.peek() !== null)
    draftSource.edit('Add photos', addPhotos(listing.peek()!, missing), {});
}

export function undo(): void {
  step('undo', 'Undone');
}

export function redo(): void {
  step('redo', 'Done again');
}

/** Begins a new listing. This one was taken, and can be used again. */
export function finishDraft(taskId: string): void {
  const photos = [...stored.peek().values()];
  keepSent({ taskId, text: draft.peek(), isInBothShapes: inBothShapes.peek(), stored: photos });
  history = new EditHistory();
  stored.value = new Map();
  lastListing = {};
  idempotency = null;
  clearUploads();
  show('');
}

/** What is in the form meanwhile comes back by undo. */
export function takeSentAgain({ text, isInBothShapes, stored: photos }: SentDraft): void {
  remember(photos);
  changeText('Use a listing again', text, null);
  inBothShapes.value = isInBothShapes;
  findings.value = null;
  announce('The listing is in the form again.');
}

let idempotency: { readonly key: string; readonly text: string } | null = null;

/** One key for one text: if the answer is lost, sending the same text again must not create a second task. */
export function keyFor(text: string): string {
  if (idempotency?.text !== text) {
    // Not randomUUID, which browsers lack on plain http except for loopback.
    const parts = crypto.getRandomValues(new Uint32Array(4));
    idempotency = { key: `page-${Array.from(parts, (part) => part.toString(36)).join('-')}`, text };
  }
  return idempotency.key;
}

/** The listing; an empty one for a text without a character; null for what is no JSON object. */
export function readListing(text: string): ListingObject | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function step(direction: 'undo' | 'redo', word: string): void {
  const label = steps.peek()[direction];
  const text = history[direction](draft.peek());
  if (text === null) return;
  show(text);
  announce(`${word}: ${label}.`);
}

function show(text: string): void {
  const known = stored.peek();
  remember(photosOf(listing.peek() ?? {}).filter(({ url }) => known.has(url)));
  draft.value = text;
  steps.value = { undo: history.undoLabel, redo: history.redoLabel };
}

/** Photos that are on the server, with what the listing says of each. */
function remember(photos: readonly ListedPhoto[]): void {
  if (photos.length === 0) return;
  stored.value = new Map([...stored.peek(), ...photos.map((photo) => [photo.url, photo] as const)]);
}

function leftOutOf(shown: ListingObject): LeftOutPhoto[] {
  const coming = new Set(uploads.value.map(({ url }) => url));
  return leftOutBy(shown, [...stored.value.values()])
    .filter(({ url }) => !coming.has(url))
    .map((asset) => ({ url: asset.url, digest: null, problem: null, asset }));
}
