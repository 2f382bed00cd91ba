/** Ends a "process" at its n-th change of the disk, in the middle of a write if that is what it does. */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs/promises';

const FUNCTIONS = [
  'access',
  'link',
  'mkdir',
  'open',
  'readFile',
  'readdir',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'unlink',
  'utimes',
  'writeFile',
] as const;
const HANDLE_METHODS = ['close', 'datasync', 'read', 'readFile', 'stat', 'sync', 'writeFile'] as const;

/** What other processes do before one of these changes nothing for it. */
const BLIND: ReadonlySet<string> = new Set(['close', 'datasync', 'sync']);

/** A process that dies before one of these leaves the disk as one that dies before its next change. */
const READING: ReadonlySet<string> = new Set([...BLIND, 'access', 'read', 'readFile', 'readdir', 'stat']);

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * Counts what `node:fs/promises` changes from now on and calls `die` instead of the n-th change. `die` must never
 * return, or return a promise that never settles; of a write, half the content is written before.
 */
export function crashAt(
  n: number,
  die: () => Promise<never>,
): { readonly count: number; restore(): Promise<void> } {
  let count = 0;
  let isOver = false;
  const closers: (() => Promise<unknown>)[] = [];
  const patched = fs as unknown as Record<string, Call>;
  const originals = FUNCTIONS.map((name) => [name, patched[name]!] as const);

  const underWay = new Set<Promise<unknown>>();
  const guard = (name: string, call: Call): Call => {
    return async (...args) => {
      if (count >= n) return new Promise(() => {});
      const isReading = READING.has(name) || (name === 'open' && (args[1] ?? 'r') === 'r');
      if (!isReading && ++count === n) return die();
      const operation = call(...args);
      underWay.add(operation);
      const [end] = await Promise.allSettled([operation]);
      underWay.delete(operation);
      // The kernel can finish a running operation, but the dead process does not see the result.
      if (count >= n) return new Promise(() => {});
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    };
  };
  for (const [name, original] of originals) {
    patched[name] = guard(
      name,
      name === 'open' ? async (...args) => guardHandle(await original(...args)) : original,
    );
  }

  const guardHandle = (handle: unknown): unknown => {
    const methods = handle as Record<string, Call>;
    const close = methods.close!.bind(handle);
    if (isOver) void close();
    else closers.push(close);
    for (const name of HANDLE_METHODS) {
      const original = methods[name]!.bind(handle);
      const guarded = guard(name, original);
      methods[name] =
        name !== 'writeFile'
          ? guarded
          : async (content) => {
              if (count + 1 === n) {
                const half = original(String(content).slice(0, String(content).length / 2));
                underWay.add(half);
                await half;
              }
              return guarded(content);
            };
    }
    return handle;
  };

  return {
    get count() {
      return count;
    },
    async restore() {
      // Whatever can still run without the disk runs into the guard; after that nothing of it ever runs again.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.allSettled(underWay);
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      for (const [name, original] of originals) patched[name] = original;
      // The kernel closes the files of a dead process; here the test must close them.
      for (const close of closers) await close();
    },
  };
}

/** What {@link crashPoints} needs of a harness. */
interface Machine {
  setLiveness(processName: string, liveness: 'dead'): void;
  newId(): string;
  close(): Promise<void>;
}

/** Notes what a process promised, for the checks after its death. */
type NotePromise = (fact: string, value?: string) => void;

/**
 * @returns A function that runs `scenario` once per change of the disk, dying there, and `recover` after each death. It
 *   returns how often.
 */
export function crashPoints<Harness extends Machine, Process>(machine: {
  readonly openHarness: () => Promise<Harness>;
  readonly openProcess: (harness: Harness, name: string) => Process;
  /** Called after each death, before `recover`. */
  readonly afterDeath?: (harness: Harness, id: string) => Promise<void>;
  readonly afterRecovery?: (harness: Harness, second: Process) => Promise<void>;
}) {
  return async (
    prepare: (helper: Process, id: string) => Promise<void>,
    scenario: (victim: Process, id: string, promise: NotePromise) => Promise<void>,
    recover: (
      second: Process,
      id: string,
      promised: ReadonlyMap<string, string>,
      harness: Harness,
    ) => Promise<void>,
  ): Promise<number> => {
    const { openProcess, afterDeath, afterRecovery } = machine;
    for (let n = 1; ; n++) {
      const harness = await machine.openHarness();
      try {
        const id = harness.newId();
        await prepare(openProcess(harness, 'helper'), id);
        harness.setLiveness('helper', 'dead');
        const promised = new Map<string, string>();
        const victim = openProcess(harness, 'victim');
        const isDone = await untilCrash(n, () =>
          scenario(victim, id, (fact, value = '') => promised.set(fact, value)),
        );
        harness.setLiveness('victim', 'dead');
        await afterDeath?.(harness, id);
        const second = openProcess(harness, 'second');
        await recover(second, id, promised, harness);
        await afterRecovery?.(harness, second);
        if (isDone) return n;
      } finally {
        await harness.close();
      }
    }
  };
}

/** False if the work died at its n-th change of the disk, true if it has fewer. */
async function untilCrash(n: number, work: () => Promise<void>): Promise<boolean> {
  let crash = { restore: async () => {} };
  const died = new Promise<false>((resolve) => {
    crash = crashAt(n, () => {
      resolve(false);
      return new Promise(() => {});
    });
  });
  try {
    return await Promise.race([work().then(() => true), died]);
  } finally {
    await crash.restore();
  }
}

/** Whose operations `pauseAt` counts. */
const paused = new AsyncLocalStorage<true>();

/**
 * Runs `work` and stops it before the n-th file operation that reads or changes something, as SIGSTOP stops a process.
 * Other code goes on meanwhile.
 *
 * @returns `stopped` resolves when the work stands still, or with its end if it has fewer operations. `go` lets it
 *   continue.
 */
export function pauseAt<T>(
  n: number,
  work: () => Promise<T>,
): {
  readonly stopped: Promise<'stopped' | 'ended'>;
  go(): Promise<PromiseSettledResult<T>>;
  restore(): void;
} {
  let count = 0;
  let go: () => void = () => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  let standStill: (how: 'stopped' | 'ended') => void = () => {};
  const stopped = new Promise<'stopped' | 'ended'>((resolve) => {
    standStill = resolve;
  });
  const guard = (name: string, call: Call): Call => {
    if (BLIND.has(name)) return call;
    return async (...args) => {
      if (paused.getStore() === true && ++count === n) {
        standStill('stopped');
        await mayGo;
      }
      return call(...args);
    };
  };
  const patched = fs as unknown as Record<string, Call>;
  const originals = FUNCTIONS.map((name) => [name, patched[name]!] as const);
  for (const [name, original] of originals) {
    patched[name] = guard(
      name,
      name !== 'open'
        ? original
        : async (...args) => {
            const handle = await original(...args);
            const methods = handle as Record<string, Call>;
            for (const method of HANDLE_METHODS)
              methods[method] = guard(method, methods[method]!.bind(handle));
            return handle;
          },
    );
  }
  const end = Promise.allSettled([paused.run(true, work)]).then(([result]) => {
    standStill('ended');
    return result;
  });
  return {
    stopped,
    go: () => {
      go();
      return end;
    },
    restore: () => {
      for (const [name, original] of originals) patched[name] = original;
    },
  };
}
