/** The listings that this tab has sent: the service gives none back. They stay in the session of the tab. */
import { signal } from '@preact/signals';
import { isObject, type ListedPhoto } from '../../../document/json.ts';

export interface SentDraft {
  readonly taskId: string;
  readonly text: string;
  readonly isInBothShapes: boolean;
  /** Photos that were stored from here. */
  readonly stored: readonly ListedPhoto[];
}

const STORAGE_NAME = 'listing-video sent';
const MAX_KEPT = 20;

/** Newest first. */
export const sentDrafts = signal<readonly SentDraft[]>(readStored());

export function keepSent(sent: SentDraft): void {
  sentDrafts.value = [sent, ...sentDrafts.peek()].slice(0, MAX_KEPT);
  // A browser has room for some 5 MB: the newest that fit.
  for (let count = MAX_KEPT; count > 0 && !store(sentDrafts.peek().slice(0, count)); count--);
}

/** When the key is forgotten: the next person must not see these listings. */
export function forgetSent(): void {
  sentDrafts.value = [];
  store([]);
}

function store(drafts: readonly SentDraft[]): boolean {
  try {
    sessionStorage.setItem(STORAGE_NAME, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
}

function readStored(): SentDraft[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSent) : [];
  } catch {
    return [];
  }
}

/** An earlier version of the page can have stored something else. */
function isSent(value: unknown): value is SentDraft {
  return isObject(value) && typeof value.text === 'string' && Array.isArray(value.stored);
}
