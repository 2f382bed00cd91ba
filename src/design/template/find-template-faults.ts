/**
 * Every fault of a template, each once. One misspelled key would bring a hundred faults with it, so the rest of the
 * file is checked as if the key were spelled right. Pure; it loads Ajv.
 */

import { findSchemaFaults, type SchemaFault } from '../../listing/rules/schema-faults.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { checkTemplate, type FormatFault } from './check-template.ts';
import { asRecord } from './format/value.ts';
import { type JsonStep, parseJsonPath, toJsonPath } from './json-path.ts';
import { findMisspelledRoles } from './misspelled-roles.ts';

const NAME = 'is not a name of lower-case letters, digits and dashes that begins with a letter or digit';

/** What the patterns of the published schema ask for. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  '^#[0-9A-Fa-f]{6}$': 'is not a color such as #F4EFE4',
  '^[^/\\\\]+\\.([tT][tT][fF]|[oO][tT][fF]|[wW][oO][fF][fF]2)$':
    'is not the name of a TTF, OTF or WOFF2 file in the folder fonts',
  '^[a-z0-9][a-z0-9-]*$': NAME,
  '^[a-z0-9][a-z0-9-]{0,63}$': `${NAME}, at most 64 of them`,
  '^[a-z][a-z0-9-]*$': 'is not a name of lower-case letters, digits and dashes that begins with a letter',
  '^[a-z][a-z0-9-]{0,63}$':
    'is not a name of lower-case letters, digits and dashes that begins with a letter, at most 64 of them',
  '^[a-z][a-z0-9_]*$':
    'is not a name of lower-case letters, digits and underscores that begins with a letter',
  '^!?[a-z0-9_-]+$':
    'is not a name of lower-case letters, digits, dashes and underscores, with ! before it for its opposite',
};

interface Rename {
  readonly loc: readonly JsonStep[];
  readonly to: string;
}

/** As {@link checkTemplate}, with what the published schema finds. */
export function findTemplateFaults(value: unknown, schema: object, file: string, id?: string): FormatFault[] {
  const misspelled = [
    ...findSchemaFaults(schema, value, PATTERN_WORDS).filter((fault) => isMisspelled(fault, value)),
    ...findMisspelledRoles(value),
  ];
  const renames = misspelled.map(({ loc, suggestion }): Rename => ({ loc, to: suggestion! }));
  const meant = renames.length === 0 ? value : rename(value, renames, []);
  const ofFormat = formatFaults(meant, file, id);
  // Both find some faults twice. The sentences of the hand-written checks are more exact.
  const taken = new Set(ofFormat.map(({ loc }) => JSON.stringify(loc)));
  const ofSchema = findSchemaFaults(schema, meant, PATTERN_WORDS);
  // Of a value that can have several forms the schema says that it has none of the others.
  const isAround = (outer: SchemaFault) => ofFormat.some(({ loc }) => isInside(loc, outer.loc));
  const others = [
    ...ofFormat,
    ...ofSchema.filter((fault) => !taken.has(JSON.stringify(fault.loc)) && !isAround(fault)),
  ];
  return [
    ...misspelled,
    ...others.map((fault) => ({ ...fault, loc: renames.reduce(asWritten, fault.loc) })),
  ].map(({ loc, problem, isUnknownKey }) => ({
    path: toJsonPath(loc),
    problem,
    ...(isUnknownKey === true && { unknown_key: true }),
  }));
}

function isInside(loc: readonly JsonStep[], outer: readonly JsonStep[]): boolean {
  return loc.length > outer.length && outer.every((step, index) => step === loc[index]);
}

/** The key that was meant is not there too. */
function isMisspelled({ loc, suggestion }: SchemaFault, value: unknown): boolean {
  if (suggestion === undefined) return false;
  let parent = value;
  for (const step of loc.slice(0, -1)) parent = (parent as Record<JsonStep, unknown> | undefined)?.[step];
  return asRecord(parent) !== undefined && !Object.hasOwn(parent as object, suggestion);
}

function rename(value: unknown, renames: readonly Rename[], loc: readonly JsonStep[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => rename(item, renames, [...loc, index]));
  const fields = asRecord(value);
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, child]) => {
      const place = [...loc, key];
      const found = renames.find((one) => JSON.stringify(one.loc) === JSON.stringify(place));
      return [found?.to ?? key, rename(child, renames, place)];
    }),
  );
}

/** The place with the key as the file has it. */
function asWritten(loc: readonly JsonStep[], { loc: written, to }: Rename): readonly JsonStep[] {
  const last = written.length - 1;
  const isBelow = loc[last] === to && written.slice(0, last).every((step, index) => step === loc[index]);
  return isBelow ? [...written, ...loc.slice(written.length)] : loc;
}

function formatFaults(value: unknown, file: string, id: string | undefined): SchemaFault[] {
  try {
    checkTemplate(value, file, id);
    return [];
  } catch (error) {
    if (!(error instanceof ListingVideoError) || !Array.isArray(error.context?.faults)) throw error;
    const faults = error.context.faults as readonly FormatFault[];
    return faults.map(({ path, problem }) => ({ loc: parseJsonPath(path), problem }));
  }
}
