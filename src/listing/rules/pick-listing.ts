/** Copies a judged listing, known properties only. What a listing may hold is read from the schema, not written again. */
import type { Listing } from '../listing.ts';
import { childSchema, type JsonSchema, knownProperties, LISTING_SCHEMA } from './schema.ts';

/**
 * A deep copy of a valid listing without unknown properties, its keys in the order they came in.
 *
 * @param input - Must have passed validation.
 */
export function pickListing(input: unknown): Listing {
  const { $schema: _, ...listing } = pick(input, LISTING_SCHEMA) as Listing & { $schema?: unknown };
  return listing;
}

function pick(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const itemSchema = childSchema(schema, 0);
    return value.map((item) => (itemSchema === null ? item : pick(item, itemSchema)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const known = knownProperties(schema);
  const entries: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    if (known !== null && !known.has(key)) continue;
    if (child === undefined) continue;
    const schemaOfChild = childSchema(schema, key);
    entries.push([key, schemaOfChild === null ? child : pick(child, schemaOfChild)]);
  }
  // Not by assignment: `__proto__` is a fine metadata key and must stay one.
  return Object.fromEntries(entries);
}
