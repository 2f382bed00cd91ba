/** Warnings for properties that no listing has. Most are misspelled, and the video would silently leave them out. */
import { nearestName } from '../../platform/nearest-name.ts';
import type { ListingWarning } from '../listing.ts';
import { type JsonSchema, LISTING_SCHEMA } from './schema.ts';
import type { Loc } from './violation.ts';
import { childSchema, knownProperties } from './walk-schema.ts';

/** A file that is no listing has thousands; nobody reads more than these. */
const MAX_WARNINGS = 100;

/**
 * Finds properties that the schema does not know, in document order. Keys of `metadata` and `template_data` are the
 * client's choice and never unknown. Works on invalid listings too.
 *
 * @returns At most 100 warnings, then one with the number of the rest.
 */
export function findUnknownProperties(input: unknown): ListingWarning[] {
  const warnings: ListingWarning[] = [];
  let total = 0;
  visit(input, LISTING_SCHEMA, ['body']);
  if (total > MAX_WARNINGS) {
    warnings.push({ loc: ['body'], message: `${total - MAX_WARNINGS} more unknown properties` });
  }
  return warnings;

  // The schema bounds the depth: an unknown property is not entered.
  function visit(value: unknown, schema: JsonSchema, loc: Loc): void {
    if (Array.isArray(value)) {
      const itemSchema = childSchema(schema, 0);
      if (itemSchema !== null)
        for (const [index, item] of value.entries()) visit(item, itemSchema, [...loc, index]);
      return;
    }
    const known = knownProperties(schema);
    if (known === null || typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (known.has(key)) {
        const schemaOfChild = childSchema(schema, key);
        if (schemaOfChild !== null) visit(child, schemaOfChild, [...loc, key]);
      } else if (++total <= MAX_WARNINGS) {
        warnings.push(warningOf(key, known, [...loc, key]));
      }
    }
  }
}

function warningOf(key: string, known: ReadonlySet<string>, loc: Loc): ListingWarning {
  const suggestion = nearestName(key, known);
  const message = `unknown property ${JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)}`;
  if (suggestion === undefined) return { loc, message: `${message} is ignored` };
  return { loc, message: `${message} is ignored; did you mean "${suggestion}"?`, suggestion };
}
