/** Ends a "process" at its n-th file operation, in the middle of a write if that is what it does. */
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

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * Counts the file operations of `node:fs/promises` from now on and calls `die` instead of the n-th. `die` must never
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
  const guard = (call: Call): Call => {
    return async (...args) => {
      count++;
      if (count > n) return new Promise(() => {});
      if (count === n) return die();
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
      const guarded = guard(original);
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
