/** The API key: one question for all waiting requests. The key is kept in this tab's session only. */
import { signal } from '@preact/signals';

const STORAGE_NAME = 'listing-video key';

/** The key in use; null without one. */
export const key = signal<string | null>(readStored());

/**
 * The question that `key-dialog.tsx` shows: why the last key was refused, or an empty text. Null while there is none.
 */
export const question = signal<string | null>(null);

let asked: Promise<boolean> | null = null;
let answerIt: ((isGiven: boolean) => void) | null = null;

/**
 * Asks the person for a key.
 *
 * @param refused - The key that the service refused.
 * @returns True when there is a new key to try, false when the person cancelled.
 */
export function askForKey(words: string, refused: string | null): Promise<boolean> {
  // Another request was refused with the same key, and the person has entered a new one since.
  if (key.value !== refused) return Promise.resolve(true);
  asked ??= new Promise((resolve) => {
    change(null);
    question.value = words;
    answerIt = resolve;
  });
  return asked;
}

/** Ends the question. @param given - Null when the person cancelled. */
export function answerQuestion(given: string | null): void {
  if (given !== null) change(given);
  question.value = null;
  answerIt?.(given !== null);
  asked = null;
  answerIt = null;
}

export function forgetKey(): void {
  change(null);
}

function change(next: string | null): void {
  key.value = next;
  try {
    if (next === null) sessionStorage.removeItem(STORAGE_NAME);
    else sessionStorage.setItem(STORAGE_NAME, next);
  } catch {
    // Storage can be turned off: the key then lasts until the page is closed.
  }
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_NAME);
  } catch {
    return null;
  }
}
