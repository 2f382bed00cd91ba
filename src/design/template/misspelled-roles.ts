/**
 * Keys of a palette that are probably misspelled. A template can have roles of its own, so a schema knows none of them
 * to be wrong: here it is a key that nothing uses, and that is nearly a role which the palette lacks. Pure.
 */
import type { SchemaFault } from '../../listing/rules/schema-faults.ts';
import { nearestName } from '../../platform/nearest-name.ts';
import { COLOR_KEYS, COLOR_LIST_KEYS, DERIVED_ROLES, REQUIRED_ROLES } from './check-template.ts';
import { asList, asRecord } from './format/value.ts';

/** @param value - Parsed JSON of a template's file. */
export function findMisspelledRoles(value: unknown): SchemaFault[] {
  const palette = asRecord(asRecord(value)?.palette);
  if (palette === undefined) return [];
  const texts = new Set<string>();
  const colors = new Set<string>([...REQUIRED_ROLES, ...DERIVED_ROLES]);
  collect(value, texts, colors);
  const lacking = [...colors].filter((role) => !Object.hasOwn(palette, role));
  return Object.keys(palette).flatMap((key): SchemaFault[] => {
    const isUsed = colors.has(key) || texts.has(key);
    const suggestion = isUsed ? undefined : nearestName(key, lacking);
    if (suggestion === undefined) return [];
    const problem = `is not used; did you mean "${suggestion}"?`;
    return [{ loc: ['palette', key], problem, isUnknownKey: true, suggestion }];
  });
}

/** All texts of the file, and those of them that name a color. */
function collect(value: unknown, texts: Set<string>, colors: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, colors);
  else
    for (const [key, child] of Object.entries(asRecord(value) ?? {})) {
      const names = COLOR_KEYS.has(key) ? [child] : COLOR_LIST_KEYS.has(key) ? asList(child) : [];
      for (const name of names) if (typeof name === 'string' && !name.startsWith('#')) colors.add(name);
      collect(child, texts, colors);
    }
}
