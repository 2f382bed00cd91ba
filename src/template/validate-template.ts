/** Finds every fault in the file of a template, each with its line and column. */
import { readFile } from 'node:fs/promises';
import { ListingVideoError } from '../errors.ts';
import { locateInSource } from '../listing/json/json-places.ts';
import type { FormatFault } from './check-template.ts';
import { type JsonStep, parseJsonPath, toJsonPath } from './json-path.ts';
import { type FoundTemplate, readTemplate } from './load-template.ts';

/** A fault with its place in the file. */
export interface TemplateFault extends FormatFault {
  /** From 1; null if the text has no such place. */
  readonly line: number | null;
  readonly column: number | null;
}

export interface TemplateValidation {
  readonly faults: readonly TemplateFault[];
  /** Null if the file could not be read. */
  readonly text: string | null;
}

interface Fault {
  readonly loc: readonly JsonStep[];
  readonly problem: string;
  readonly isUnknownKey: true | undefined;
}

/**
 * Finds what the published schema finds, and what a schema cannot know: names that stand for nothing, missing scenes.
 *
 * @throws {@link ListingVideoError} `template_invalid` only for a file that cannot be read at all.
 */
export async function validateTemplateFile(place: FoundTemplate): Promise<TemplateValidation> {
  const bytes = await readFile(place.file).catch((cause: unknown) => {
    throw new ListingVideoError('template_invalid', `cannot read the template ${place.file}`, { cause });
  });
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  const { faults, notJson } = await faultsOf(place);
  return { faults: notJson === undefined ? placeFaults(faults, text) : [notJson], text };
}

async function faultsOf(
  place: FoundTemplate,
): Promise<{ faults: readonly FormatFault[]; notJson?: TemplateFault }> {
  try {
    // Of a template that ships too, all that the schema says is checked here.
    await readTemplate({ ...place, isBuiltIn: false });
    return { faults: [] };
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'template_invalid') throw error;
    const context = error.context ?? {};
    if (Array.isArray(context.faults)) return { faults: context.faults as readonly FormatFault[] };
    const { line = null, column = null } = context as { line?: number; column?: number };
    const problem = error.message.replace(/^.*?: (?=not )/, 'is ');
    return { faults: [], notJson: { path: '$', problem, line, column } };
  }
}

/** Faults that another check found, each with its place in the text. */
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
