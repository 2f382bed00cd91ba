/** Texts for states, times, reasons and places. Pure. */
import type { Task, TaskState } from './task.ts';

export const STATES: readonly TaskState[] = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'];

const STATE_WORDS = { PENDING: 'Pending', RUNNING: 'Running', FAILED: 'Failed', SUCCEEDED: 'Succeeded' };

export function stateWord(state: TaskState): string {
  return STATE_WORDS[state] ?? state;
}

export function isActive(task: Pick<Task, 'state'>): boolean {
  return task.state === 'PENDING' || task.state === 'RUNNING';
}

const STAGE_WORDS: Readonly<Record<string, string>> = {
  assets: 'Fetching photos',
  storyboard: 'Laying out the scenes',
  render: 'Rendering',
  assemble: 'Putting videos together',
  publish: 'Checking and publishing',
};

/** `Rendering · 42 % · about 2 min left`. */
export function progressWords(task: Pick<Task, 'state' | 'progress'>): string {
  if (task.state === 'PENDING') return 'Waiting in the queue';
  const {
    percent,
    stage,
    eta_seconds: eta,
  } = task.progress ?? { percent: 0, stage: null, eta_seconds: null };
  const words = [STAGE_WORDS[stage ?? ''] ?? 'Working', `${Math.floor(percent)} %`];
  if (eta !== null) words.push(`about ${durationWords(eta)} left`);
  return words.join(' · ');
}

function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** The creation time of a task: its id is a UUIDv7, whose first 48 bits are milliseconds. Null for any other id. */
export function createdAt(taskId: string): Date | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(taskId);
  return match === null ? null : new Date(Number.parseInt(`${match[1]}${match[2]}`, 16));
}

export function dateWords(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** The end of a task's id. Its start is a time and similar for neighbouring tasks. */
export function shortId(taskId: string): string {
  return taskId.slice(-12);
}

/** What a task is called: the address of its listing, else the listing's id, else the end of its own. */
export function taskTitle(task: Pick<Task, 'id' | 'listing_address' | 'listing_id'>): string {
  const { id, listing_address: address, listing_id: listingId } = task;
  if (typeof address === 'string') return address;
  return typeof listingId === 'string' && listingId !== '' ? `Listing ${listingId}` : `Task ${shortId(id)}`;
}

/** The listing's id where {@link taskTitle} does not have it; else null. */
export function listingIdBeside(task: Pick<Task, 'listing_address' | 'listing_id'>): string | null {
  return typeof task.listing_address === 'string' ? (task.listing_id ?? null) : null;
}

export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `agents[0].video_options.ratio`, from a violation's `loc`; `the listing` for the whole body. */
export function locWords(loc: readonly (string | number)[]): string {
  let words = '';
  for (const step of loc.slice(1)) {
    if (typeof step === 'number') words += `[${step}]`;
    else words += words === '' ? step : `.${step}`;
  }
  return words === '' ? 'the listing' : words;
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  blocked_address: 'Address not allowed',
  unreachable: 'Could not be reached',
  timeout: 'Took too long',
  too_large: 'Too large',
  not_an_image: 'Not an image',
  unsupported_format: 'Format not supported',
  corrupt: 'Damaged',
  too_small: 'Too small',
  duplicate: 'Copy of an earlier photo',
};

/** `too_small: 200x100` as a heading and the detail behind it. */
export function reasonWords(reason: string): { readonly heading: string; readonly detail: string } {
  const [code = '', ...rest] = reason.split(': ');
  const heading = Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code] : undefined;
  return heading === undefined ? { heading: reason, detail: '' } : { heading, detail: rest.join(': ') };
}
