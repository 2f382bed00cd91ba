/** Which view the address in the browser names. */
import { computed, signal } from '@preact/signals';
import type { TaskState } from './task.ts';
import { STATES } from './words.ts';

export type View =
  | { readonly page: 'new' }
  | { readonly page: 'task'; readonly id: string }
  | { readonly page: 'tasks'; readonly state: TaskState | null; readonly startingAfter: string | null };

/** The part of the address that names the view, with its `#`. */
export const address = signal('');

export const view = computed(() => readView(address.value));

export const NEW_VIDEO = '#/new';

export function taskAddress(id: string): string {
  return `#/tasks/${id}`;
}

export function listAddress(state: TaskState | null, startingAfter: string | null): string {
  const query = new URLSearchParams();
  if (state !== null) query.set('state', state);
  if (startingAfter !== null) query.set('starting_after', startingAfter);
  return query.size === 0 ? '#/' : `#/?${query}`;
}

function readView(hash: string): View {
  const id = /^#\/tasks\/([\w-]+)/.exec(hash)?.[1];
  if (id !== undefined) return { page: 'task', id };
  if (hash.startsWith(NEW_VIDEO)) return { page: 'new' };
  const query = new URLSearchParams(hash.split('?')[1] ?? '');
  const asked = query.get('state');
  return {
    page: 'tasks',
    state: STATES.find((state) => state === asked) ?? null,
    startingAfter: query.get('starting_after'),
  };
}
