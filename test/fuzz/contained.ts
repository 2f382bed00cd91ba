/**
 * Runs a reader on hostile bytes and holds it to its bounds: it ends, and it allocates no more than its input explains.
 */
import { createContext, Script } from 'node:vm';

/** Generous: readers take milliseconds. Only a loop that never ends, or work far beyond the input, takes longer. */
const DEADLINE_MS = 10_000;

export interface Contained<T> {
  /** What `read` returned; undefined if it threw. */
  readonly value?: T;
  /** What `read` threw; undefined if it returned. */
  readonly error?: unknown;
  /** Bytes of all buffers and typed arrays that `read` made. */
  readonly allocatedBytes: number;
}

const sandbox: { work: () => void } = { work: () => {} };
const context = createContext(sandbox);
const script = new Script('work()');

/** Typed arrays whose sizes are counted. Views of existing memory cost nothing. */
const ARRAYS = [
  'Uint8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
] as const;
const BUFFER_METHODS = ['alloc', 'allocUnsafe', 'concat'] as const;

/**
 * Calls `read` once.
 *
 * @throws Error `Script execution timed out` if `read` does not end: V8 stops even a loop that never yields.
 */
export function contain<T>(read: () => T): Contained<T> {
  let result: { value?: T; error?: unknown } = {};
  const counter = countAllocations();
  sandbox.work = () => {
    try {
      result = { value: read() };
    } catch (error) {
      result = { error };
    }
  };
  try {
    runToEnd();
  } finally {
    counter.stop();
  }
  return { ...result, allocatedBytes: counter.bytes() };
}

/**
 * On a machine with too much work a deadline can pass before the reader got its share of the CPU: then it starts again.
 */
function runToEnd(): void {
  for (;;) {
    const before = process.cpuUsage();
    try {
      script.runInContext(context, { timeout: DEADLINE_MS });
      return;
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1_000 > DEADLINE_MS / 4) throw error;
    }
  }
}

function countAllocations(): { bytes(): number; stop(): void } {
  let bytes = 0;
  const restore: (() => void)[] = [];
  for (const name of ARRAYS) {
    const original = globalThis[name];
    const construct = (target: object, args: unknown[]): object => {
      const made = Reflect.construct(target as new (...args: unknown[]) => ArrayBufferView, args);
      if (!(args[0] instanceof ArrayBuffer)) bytes += made.byteLength;
      return made;
    };
    Object.assign(globalThis, { [name]: new Proxy(original, { construct }) });
    restore.push(() => Object.assign(globalThis, { [name]: original }));
  }
  for (const name of BUFFER_METHODS) {
    const original = Buffer[name] as (...args: unknown[]) => Buffer;
    const counting = (...args: unknown[]): Buffer => {
      const made = original.apply(Buffer, args);
      bytes += made.length;
      return made;
    };
    Object.assign(Buffer, { [name]: counting });
    restore.push(() => Object.assign(Buffer, { [name]: original }));
  }
  return {
    bytes: () => bytes,
    stop: () => {
      for (const undo of restore) undo();
    },
  };
}
