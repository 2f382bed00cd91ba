/** Applies a JSON Patch (RFC 6902) without changing its input. The server checks patches; this one only shows them early. */
import type { PatchOperation } from '../protocol.ts';

/**
 * The value after the operations.
 *
 * @throws Error when one does not apply.
 */
export function applyPatch(value: unknown, patch: readonly PatchOperation[]): unknown {
  return patch.reduce(applyOperation, value);
}

function applyOperation(value: unknown, operation: PatchOperation): unknown {
  const path = readPointer(operation.path);
  switch (operation.op) {
    case 'test':
      if (JSON.stringify(valueAt(value, path)) === JSON.stringify(operation.value)) return value;
      throw new Error(`${operation.path} is another value`);
    case 'add':
    case 'replace':
      return change(value, path, (holder, key) => put(holder, key, operation.value, operation.op === 'add'));
    case 'remove':
      return change(value, path, remove);
    default: {
      const from = readPointer(operation.from);
      const moved = valueAt(value, from);
      const rest = operation.op === 'move' ? change(value, from, remove) : value;
      return change(rest, path, (holder, key) => put(holder, key, moved, true));
    }
  }
}

/** Keys of a JSON Pointer (RFC 6901), as strings. */
export function readPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON Pointer of these keys. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at the path; undefined when there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (holder, key) =>
      isHolder(holder) && Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined,
    value,
  );
}

type Change = (holder: object, key: string) => unknown;

function change(value: unknown, [key, ...rest]: readonly string[], last: Change): unknown {
  if (key === undefined) throw new Error('the whole listing cannot be changed');
  if (!isHolder(value)) throw new Error(`nothing is at ${key}`);
  if (rest.length === 0) return last(value, key);
  const child = change(valueAt(value, [key]), rest, last);
  return put(value, key, child, false);
}

function put(holder: object, key: string, value: unknown, isInsert: boolean): unknown {
  if (!Array.isArray(holder)) return { ...holder, [key]: value };
  const index = key === '-' ? holder.length : Number(key);
  return isInsert ? holder.toSpliced(index, 0, value) : holder.with(index, value);
}

function remove(holder: object, key: string): unknown {
  if (Array.isArray(holder)) return holder.toSpliced(Number(key), 1);
  const { [key]: _, ...rest } = holder as Record<string, unknown>;
  return rest;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
