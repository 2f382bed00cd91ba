/** The field that was added just now and is still empty: nobody is told that it is missing before they type or leave it. */
import { signal } from '@preact/signals';
import { toPointer } from '../document/json.ts';
import type { ListingPath } from '../editor/protocol.ts';

const fresh = signal<string | null>(null);

/** Called when the field gets the focus for the first time. */
export function beginField(path: ListingPath): void {
  fresh.value = toPointer(path);
}

export function isFresh(path: ListingPath): boolean {
  return fresh.value !== null && fresh.value === toPointer(path);
}

/** The person typed in a field, or left it. */
export function endField(): void {
  fresh.value = null;
}
