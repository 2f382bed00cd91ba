/**
 * The studio's state in the page. The server owns it. The page shows each edit at once, sends one after the other, and
 * takes what the server answers.
 */
import { computed, signal } from '@preact/signals';
import { announce } from '../components/announce.tsx';
import { followServer, RETRY_MS } from '../components/connection/follow-server.ts';
import { learnKey } from '../components/connection/session.ts';
import type { EditOptions } from '../components/listing.ts';
import { sentence } from '../components/words.ts';
import { isSame } from '../document/json.ts';
import type { ConflictAnswer, PatchOperation, StudioState } from '../editor/protocol.ts';
import { type Answer, ask } from './api.ts';
import { type PendingEdit, withEdits } from './pending-edit.ts';

/** The server's state, as far as the page has it. Null until the first answer. */
const known = signal<StudioState | null>(null);
/** Edits that the server has not confirmed, in the order they were made. */
const pending = signal<readonly PendingEdit[]>([]);

/** `lost`: the server does not answer. `stranger`: another program does. Edits wait. */
export const connection = signal<'connecting' | 'open' | 'lost' | 'stranger'>('connecting');

export const isAway = computed(() => connection.value === 'lost' || connection.value === 'stranger');

/** Why the last edit, upload or render was refused. Null: it was not. */
export const refusal = signal<string | null>(null);

/** What the page shows: the server's state with the edits of the page that are on their way. */
export const state = computed<StudioState | null>(() => {
  const base = known.value;
  const last = pending.value.at(-1);
  if (base === null || last === undefined) return base;
  return { ...base, listing: withEdits(base.listing, pending.value), undo: last.label, redo: null };
});

export const isSaving = computed(() => pending.value.length > 0);

/** Between two edits of a text that is being typed, ms. The first is sent at once. */
const TYPING_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
let typedAtMs = 0;
/** The edit that waits for {@link timer}: the last of {@link pending}. */
let typed: PendingEdit | null = null;
/** Resolves when everything before is answered. */
let turn: Promise<void> = Promise.resolve();
/** Changes that came while a request was on its way. */
let held: Partial<StudioState>[] | null = null;

/**
 * Shows a change at once; the server saves it and makes it a step of undo. Of what is typed fast only some is sent, and
 * the last.
 */
export function edit(
  label: string,
  patch: readonly PatchOperation[],
  { isTyping = false }: EditOptions,
): void {
  const key = isTyping ? `${label} ${patch.map(({ op, path }) => `${op} ${path}`).join(' ')}` : null;
  const next = { label, patch, key };
  if (typed !== null && typed.key === key) {
    pending.value = [...pending.value.slice(0, -1), next];
  } else {
    sendTyped();
    pending.value = [...pending.value, next];
  }
  refusal.value = null;
  if (!isTyping) {
    void inTurn(sendNext);
    return;
  }
  // What is typed fast is also seen while it is typed.
  if (typed === null) timer = setTimeout(sendTyped, Math.max(0, typedAtMs + TYPING_MS - performance.now()));
  typed = next;
}

export function undo(): void {
  void step('undo', 'Undone');
}

/** Makes the step again that {@link undo} took back. Waits for an undo that is on its way. */
export function redo(): void {
  void step('redo', 'Done again');
}

export function answerConflict(keep: ConflictAnswer['keep']): void {
  void request('POST', 'conflict', { keep });
}

/**
 * Any other request whose answer is the state, after the edits before it.
 *
 * @returns True when the server did it. Otherwise {@link refusal} says why.
 */
export async function request(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<boolean> {
  sendTyped();
  let isDone = false;
  await inTurn(async () => {
    const answer = await ask(method, path, body);
    isDone = answer.kind === 'ok';
    take(answer);
  });
  return isDone;
}

async function step(path: 'undo' | 'redo', word: string): Promise<void> {
  sendTyped();
  await inTurn(async () => {
    // Which step it is, and whether there is one, is known when everything before is answered.
    const label = known.value?.[path] ?? null;
    if (label === null) return;
    const answer = await ask('POST', path);
    take(answer);
    if (answer.kind === 'ok') announce(`${word}: ${label}.`);
  });
}

function sendTyped(): void {
  if (typed === null) return;
  clearTimeout(timer);
  typedAtMs = performance.now();
  typed = null;
  void inTurn(sendNext);
}

/** Sends the oldest edit. Stays with it until the server answers. */
async function sendNext(): Promise<void> {
  const [first] = pending.value;
  if (first === undefined || known.value === null) return;
  const { run, revision, listing } = known.value;
  const answer = await ask('POST', 'edits', { revision, label: first.label, patch: first.patch });
  if (answer.kind === 'lost') {
    await untilOpen();
    // Only the answer was lost: the edit is made.
    const isCounted = known.value.run === run && known.value.revision > revision;
    const isMade =
      (isCounted && known.value.undo === first.label) ||
      isSame(known.value.listing, withEdits(listing, [first]));
    if (!isMade) return sendNext();
    pending.value = pending.value.slice(1);
    return;
  }
  pending.value = pending.value.slice(1);
  take(answer);
}

function take(answer: Answer<StudioState>): void {
  if (answer.kind === 'lost') refuse('The studio does not answer. Start it again, and open this listing.');
  else if (answer.kind === 'refused') refuse(answer.message);
  else if (answer.kind === 'ok') known.value = answer.value;
  else {
    known.value = answer.state;
    refuse('The listing changed meanwhile, so this change was not made.');
  }
}

/** Shows and says why something was not done. */
export function refuse(message: string): void {
  refusal.value = sentence(message);
  announce(refusal.value);
}

function inTurn(work: () => Promise<void>): Promise<void> {
  turn = turn.then(async () => {
    held = [];
    await work();
    const changes = held;
    held = null;
    for (const change of changes) merge(change);
  });
  return turn;
}

/**
 * What came meanwhile can be older than the answer: its revision tells for the listing, and a newer event follows for
 * the rest.
 */
function merge(change: Partial<StudioState>): void {
  const base = known.value;
  const isOfRun = change.run === undefined || change.run === base?.run;
  if (base !== null && isOfRun && change.revision !== undefined && change.revision < base.revision) return;
  // The first event has the whole state.
  known.value = { ...base, ...change } as StudioState;
}

function receive(change: Partial<StudioState>): void {
  if (known.value === null || isAway.value) {
    connection.value = 'open';
    void learnKey();
  }
  // The listing after an edit of this page that is still unanswered would show that edit twice.
  held?.push(change);
  if (held === null || change.revision === undefined) merge(change);
}

let opened: (() => void)[] = [];

/** Asks again and again: the stream of events can outlive a request that was lost. */
function untilOpen(): Promise<void> {
  if (!isAway.value) connection.value = 'lost';
  const again = setInterval(() => void load(), RETRY_MS);
  return new Promise((resolve) =>
    opened.push(() => {
      clearInterval(again);
      resolve();
    }),
  );
}

/**
 * Follows the server by its events, of which the first after each interruption has the whole state. Called once.
 *
 * Nothing else is asked for the state while the events come: an answer can be older than an event that came before it.
 */
export function connect(): void {
  followServer({
    receive: (change) => receive(change as Partial<StudioState>),
    onAway: (why) => {
      connection.value = why;
    },
  });
}

async function load(): Promise<void> {
  const answer = await ask('GET', 'state');
  if (answer.kind !== 'ok') return;
  known.value = answer.value;
  connection.value = 'open';
  const waiting = opened;
  opened = [];
  for (const resolve of waiting) resolve();
}
