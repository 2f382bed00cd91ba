/** What an input shows and changes: one value of the listing, or the same value of several agents. */

import { toPointer } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { edit, listingValue, view } from '../listing.ts';
import { putValue } from './listing-edits.ts';

export interface Target {
  /** Of the input, unique on the page. */
  readonly id: string;
  /** Where the value is in the listing. */
  readonly paths: readonly ListingPath[];
  readonly value: unknown;
  /** Undefined removes it. A value that is being typed waits for the next character. */
  readonly put: (value: unknown, options?: { readonly isTyping?: boolean }) => void;
}

/** @param label - Of the step of undo: `Change street`. */
export function fieldTarget(label: string, path: ListingPath): Target {
  return {
    id: toElementId(path),
    paths: [path],
    value: listingValue(path),
    put: (value, options) => edit(label, putValue(view.value!.listing, path, value), options),
  };
}

/** For `data-path`: pointers with spaces between them, as in a list of classes. */
export function toDataPath(paths: readonly ListingPath[]): string {
  return paths.map(toPointer).join(' ');
}

/** An id without the characters that mean something in lists of ids. */
export function toElementId(path: ListingPath): string {
  return `field${toPointer(path)
    .replaceAll(/[^A-Za-z0-9/-]/g, (sign) => `_${sign.codePointAt(0)}_`)
    .replaceAll('/', '-')}`;
}
