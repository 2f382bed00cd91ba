/** Builders for parts of the API document that occur often. Pure. Fields keep the given order. */
import type { JsonSchema } from '../../listing/rules/schema.ts';

/** A reference to a schema of the document. */
export function refer(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of an object without other properties. */
export function object(fields: JsonSchema): JsonSchema {
  return { type: 'object', ...fields, additionalProperties: false };
}

export function text(description: string, ...examples: readonly string[]): JsonSchema {
  return { type: 'string', description, ...(examples.length === 0 ? {} : { examples }) };
}

/** An optional parameter of a query. */
export function queryParameter(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'query', required: false, description, schema };
}

/**
 * A response with a JSON body.
 *
 * @param schemaName - Of the body, in `#/components/schemas`.
 */
export function jsonResponse(
  description: string,
  headers: JsonSchema,
  schemaName: string,
  examples: JsonSchema,
): JsonSchema {
  const content = { 'application/json': { schema: refer(schemaName), examples } };
  return { description, headers, content };
}
