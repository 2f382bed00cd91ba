/** Applies a JSON Patch (RFC 6902) without changing its input. The server checks patches; this one only shows them early. */
import { applyPatch as applyInPlace, type Operation } from 'rfc6902';
import type { PatchOperation } from '../editor/protocol.ts';

/**
 * The value after the operations.
 *
 * @throws Error when one does not apply.
 */
export function applyPatch<T>(value: T, patch: readonly PatchOperation[]): T {
  const copy = structuredClone(value);
  const fault = applyInPlace(copy, patch as Operation[]).find((each) => each !== null);
  if (fault !== undefined) throw fault;
  return copy;
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

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
