/** Finds the lines and columns of faults in the file of a template. */
import { locateInSource } from '../../listing/json/json-places.ts';
import type { FormatFault } from './check-template.ts';
import { type JsonStep, parseJsonPath, toJsonPath } from './json-path.ts';

export interface TemplateFault extends FormatFault {
  /** From 1; null if the text has no such place. */
  readonly line: number | null;
  readonly column: number | null;
}

interface Fault {
  readonly loc: readonly JsonStep[];
  readonly problem: string;
  readonly isUnknownKey: true | undefined;
}

export function placeFaults(faults: readonly FormatFault[], text: string): TemplateFault[] {
  return faults
    .map(({ path, problem, unknown_key: isUnknownKey }) =>
      withPlace({ loc: parseJsonPath(path), problem, isUnknownKey }, text),
    )
    .sort(byPlace);
}

/** Adds the place of the value; of a key that is not known; of the nearest value around one that is missing. */
function withPlace({ loc, problem, isUnknownKey }: Fault, text: string): TemplateFault {
  const key = isUnknownKey === true ? locateInSource(text, ['body', ...loc, '[key]']) : null;
  if (key !== null) return { path: toJsonPath(loc), problem, line: key.line, column: key.column };
  for (let length = loc.length; length >= 0; length--) {
    const place = locateInSource(text, ['body', ...loc.slice(0, length)]);
    if (place) return { path: toJsonPath(loc), problem, line: place.line, column: place.column };
  }
  return { path: toJsonPath(loc), problem, line: null, column: null };
}

function byPlace(a: TemplateFault, b: TemplateFault): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
