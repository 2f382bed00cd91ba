/** Texts for states, times and places. Pure. */
import { progressWords } from '../../components/words.ts';
import type { Task, TaskState } from './task.ts';

export const STATES: readonly TaskState[] = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'];

const STATE_WORDS = {
  PENDING: 'Pending',
  RUNNING: 'Running',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  SUCCEEDED: 'Succeeded',
};

type ShownState = keyof typeof STATE_WORDS;

/** A task that a person cancelled did not go wrong. */
export function shownState({
  state,
  failure_message: why,
}: Pick<Task, 'state' | 'failure_message'>): ShownState {
  return state === 'FAILED' && why === 'cancelled' ? 'CANCELLED' : state;
}

export function stateWord(state: ShownState): string {
  return STATE_WORDS[state] ?? state;
}

export function isActive(task: Pick<Task, 'state'>): boolean {
  return task.state === 'PENDING' || task.state === 'RUNNING';
}

/** `Rendering · 42 % · about 2 min left`. */
export function taskProgressWords({ state, progress }: Pick<Task, 'state' | 'progress'>): string {
  if (state === 'PENDING') return 'Waiting in the queue';
  return progressWords(progress ?? { percent: 0, stage: null, eta_seconds: null });
}

/** The creation time of a task: its id is a UUIDv7, whose first 48 bits are milliseconds. Null for any other id. */
export function createdAt(taskId: string): Date | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(taskId);
  return match === null ? null : new Date(Number.parseInt(`${match[1]}${match[2]}`, 16));
}

export function dateWords(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** The end of a task's id. Its start is a time and similar for neighboring tasks. */
export function shortId(taskId: string): string {
  return taskId.slice(-12);
}

/** What a task is called: the address of its listing, else the listing's id, else the end of its own. */
export function taskTitle(task: Pick<Task, 'id' | 'listing_address' | 'listing_id'>): string {
  const { id, listing_address: address, listing_id: listingId } = task;
  if (typeof address === 'string') return address;
  return typeof listingId === 'string' && listingId !== '' ? `Listing ${listingId}` : `Task ${shortId(id)}`;
}

/** What the names of a task's files begin with: the street, else as {@link taskTitle}. */
export function fileTitle(task: Pick<Task, 'id' | 'listing_address' | 'listing_id'>): string {
  return task.listing_address?.split(', ')[0] || (task.listing_id ?? taskTitle(task));
}

/** The name of the agent of a result; the id where it is not known. */
export function resultTitle(
  { agent_names, results }: Pick<Task, 'agent_names' | 'results'>,
  at: number,
): string {
  return agent_names?.[at] || (results[at]?.agent_id ?? '');
}

/** The listing's id where {@link taskTitle} does not have it; else null. */
export function listingIdBeside(task: Pick<Task, 'listing_address' | 'listing_id'>): string | null {
  return typeof task.listing_address === 'string' ? (task.listing_id ?? null) : null;
}
