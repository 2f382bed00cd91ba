/** Walks over a value along the listing schema: rules, number of values, copy without unknown properties. */
import type { Listing } from '../listing.ts';
import { type JsonSchema, LISTING_SCHEMA } from './schema.ts';

/** Of an object (a string key) or an array (any index), references resolved; null without a rule for that member. */
export function childSchema(schema: JsonSchema, step: string | number): JsonSchema | null {
  const properties = (schema.properties ?? {}) as JsonSchema;
  const child =
    typeof step === 'number'
      ? schema.items
      : Object.hasOwn(properties, step)
        ? properties[step]
        : schema.additionalProperties;
  if (typeof child !== 'object' || child === null) return null;
  const reference = (child as JsonSchema).$ref;
  if (typeof reference !== 'string') return child as JsonSchema;
  return (LISTING_SCHEMA.$defs as Record<string, JsonSchema>)[reference.replace('#/$defs/', '')] ?? null;
}

const knownNames = new WeakMap<JsonSchema, ReadonlySet<string>>();

/** Names of the properties of an object; null for a map, whose keys the client chooses. */
export function knownProperties(schema: JsonSchema): ReadonlySet<string> | null {
  if (schema.properties === undefined || schema.additionalProperties !== undefined) return null;
  let names = knownNames.get(schema);
  if (names === undefined) {
    names = new Set(Object.keys(schema.properties as JsonSchema));
    knownNames.set(schema, names);
  }
  return names;
}

/**
 * Whether a value holds more than `limit` values that the schema has rules for. Unknown properties do not count.
 * Stops as soon as the answer is known.
 */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  return countValues(value, LISTING_SCHEMA, limit) > limit;
}

/** At most a little over `limit`. The schema bounds the depth. */
function countValues(value: unknown, schema: JsonSchema, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const schemaOfChild = childSchema(schema, step);
    if (schemaOfChild === null) continue;
    count += countValues((value as Record<string | number, unknown>)[step], schemaOfChild, limit - count);
    if (count > limit) break;
  }
  return count;
}

/** A deep copy without unknown properties, keys in their order. @param input - Must have passed validation. */
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
  const entries = Object.entries(value)
    .filter(([key, child]) => child !== undefined && (known === null || known.has(key)))
    .map(([key, child]) => {
      const schemaOfChild = childSchema(schema, key);
      return [key, schemaOfChild === null ? child : pick(child, schemaOfChild)];
    });
  // Not by assignment, which would set a prototype for the valid metadata key `__proto__`.
  return Object.fromEntries(entries);
}
