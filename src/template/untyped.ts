/** Parsed JSON of unknown shape, seen as an object or a list. Pure. */
import type { Json } from './format/value.ts';

/** Undefined for anything but an object. */
export function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Empty for anything but an object. */
export function toRecord(value: unknown): Json {
  return asRecord(value) ?? {};
}

/** Empty for anything but a list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
