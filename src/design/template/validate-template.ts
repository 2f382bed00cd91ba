/** Finds every fault in the file of a template, each with its line and column. */
import { readFile } from 'node:fs/promises';
import { ListingVideoError } from '../../platform/errors.ts';
import type { FormatFault } from './check-template.ts';
import { type FoundTemplate, readTemplate } from './load-template.ts';
import { placeFaults, type TemplateFault } from './place-faults.ts';

export interface TemplateValidation {
  readonly faults: readonly TemplateFault[];
  /** Null if the file could not be read. */
  readonly text: string | null;
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
