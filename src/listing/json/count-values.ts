/** How much there is to judge in a would-be listing. */
import { childSchema, type JsonSchema, LISTING_SCHEMA } from '../rules/schema.ts';

/**
 * Whether a value holds more than `limit` values that the listing schema has a say in. Unknown properties do not count:
 * nobody looks at them. Stops as soon as the answer is known.
 */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  return countValues(value, LISTING_SCHEMA, limit) > limit;
}

/** At most a little over `limit`. Depth is bounded by the schema. */
function countValues(value: unknown, schema: JsonSchema, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
  let count = 1;
  for (const step of steps) {
    const schemaOfChild = childSchema(schema, step);
    if (schemaOfChild === null) continue;
    count += countValues((value as Record<string | number, unknown>)[step], schemaOfChild, limit - count);
    if (count > limit) break;
  }
  return count;
}
