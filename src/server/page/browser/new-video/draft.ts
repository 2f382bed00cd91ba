/** The listing that is written here. It stays while another view is open. */
import { computed, signal } from '@preact/signals';
import { readListing } from './listing-text.ts';

/** The text as it stands in the editor. */
export const draft = signal('');

/** The listing in it; null while the text is no JSON object. */
export const draftListing = computed(() => readListing(draft.value));

let idempotencyKey: string | null = null;
let idempotencyText: string | null = null;

/** One key for one text: if the answer is lost, sending the same text again must not create a second task. */
export function keyFor(text: string): string {
  if (idempotencyKey === null || idempotencyText !== text) {
    // Not randomUUID, which browsers lack on plain http except for loopback.
    const parts = crypto.getRandomValues(new Uint32Array(4));
    idempotencyKey = `page-${Array.from(parts, (part) => part.toString(36)).join('-')}`;
    idempotencyText = text;
  }
  return idempotencyKey;
}

/** Begins a new listing, after this one was taken. */
export function clearDraft(): void {
  draft.value = '';
  idempotencyKey = null;
  idempotencyText = null;
}
