/** Stores as several processes see them, with a clock and deaths that the test decides. */
import { rm } from 'node:fs/promises';
import type { Liveness, ProcessIdentity } from '../../src/platform/disk/process-identity.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { BeforeEnd, ClaimResult, TaskClaim, TaskStore } from '../../src/task/task-store.ts';
import { summarizePayload } from '../../src/video/video-task-summary.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';

export const START_MS = Date.UTC(2026, 10, 20, 14, 3, 7, 123);

export interface StoreHarness {
  /** The store as the process of this name sees it. */
  open(processName?: string, beforeEnd?: BeforeEnd): TaskStore;
  /** What every process sees of this one from now on. */
  setLiveness(processName: string, liveness: Liveness): void;
  nowMs: number;
  /** A fresh id, made at the clock's time. */
  newId(): string;
  close(): Promise<void>;
}

export function identity(name: string): ProcessIdentity {
  return { pid: 4242, host: 'test', boot: 'boot', space: 'space', started: name };
}

export const FAILURE = { code: 'render_failed', message: 'x', context: {} };

/** The claim of a task that must have been claimed. */
export function claimOf(result: ClaimResult | null): TaskClaim {
  if (result?.kind !== 'claimed') throw new Error(`not claimed: ${result?.kind}`);
  return result.claim;
}

/** UUIDv7 with the given time and number; greater numbers sort later within a millisecond. */
export function idAt(timeMs: number, number: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const tail = number.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
}

/** The stores that `openStore` opens, for processes that the test names. */
export function harness(
  openStore: (options: {
    self: ProcessIdentity;
    liveness: (owner: ProcessIdentity) => Liveness;
    nowMs: () => number;
    beforeEnd?: BeforeEnd;
  }) => TaskStore,
  close: () => Promise<void>,
): StoreHarness {
  const livenesses = new Map<string, Liveness>();
  let made = 0;
  const self: StoreHarness = {
    nowMs: START_MS,
    open: (name = 'first', beforeEnd) =>
      openStore({
        ...(beforeEnd === undefined ? {} : { beforeEnd }),
        self: identity(name),
        liveness: (owner) => livenesses.get(owner.started ?? '') ?? 'alive',
        nowMs: () => self.nowMs,
      }),
    setLiveness: (name, liveness) => livenesses.set(name, liveness),
    newId: () => idAt(self.nowMs, made++),
    close,
  };
  return self;
}

export async function openMemoryHarness(): Promise<StoreHarness> {
  const entries = new Map<string, unknown>();
  return harness(
    (options) => createMemoryTaskStore({ ...options, entries }),
    async () => {},
  );
}

export async function openFileHarness(): Promise<StoreHarness & { readonly home: string }> {
  const home = temporaryFolder();
  const made = harness(
    (options) => createFileTaskStore({ ...options, home, durable: false, summarize: summarizePayload }),
    () => rm(home, { recursive: true, force: true }),
  );
  return Object.assign(made, { home });
}
