/** Bounded memory of what was used last. Pure. */

/** Makes `key` the last used, and removes the entries that were used longest ago. */
export function keepLast<V>(entries: Map<string, V>, key: string, value: V, max: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of [...entries.keys()].slice(0, -max)) entries.delete(oldest);
}
