/** What the server says of fields: violations and warnings in sentences, numbers as the videos show them. */

import { toPointer } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { view, violationsOf } from '../listing.ts';
import { ratioWords, sentence } from '../words.ts';

/** Each sentence once. @param paths - The same field of several agents. */
export function faultsOf(paths: readonly ListingPath[]): string[] {
  return [...new Set(paths.flatMap((path) => violationsOf(path).map(({ message }) => sentence(message))))];
}

/** Each sentence once, with the ratio that it concerns where that is one. */
export function warningsOf(paths: readonly ListingPath[]): string[] {
  const own = new Set(paths.map(toPointer));
  const ratios = new Map<string, Set<string>>();
  for (const { path, message, ratio } of view.value?.warnings ?? []) {
    if (path === null || !own.has(toPointer(path))) continue;
    const found = ratios.get(message) ?? new Set();
    ratios.set(message, found.add(ratio === null ? '' : ratioWords(ratio)));
  }
  return [...ratios].map(([message, found]) => {
    const [only = ''] = found;
    const isOfOne = found.size === 1 && only !== '' && !message.includes(only);
    return sentence(isOfOne ? `in ${only}: ${message}` : message);
  });
}

/** As the videos write the number; null where that is how it is typed, or where it cannot be read. */
export function shownPhone([path]: readonly ListingPath[]): string | null {
  const own = path === undefined ? null : toPointer(path);
  return view.value?.phones.find((phone) => toPointer(phone.path) === own)?.text ?? null;
}
