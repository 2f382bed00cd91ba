/** Builders for parts of the API document that occur often. Pure. Fields keep the given order. */
import type { JsonSchema } from '../../../listing/rules/schema.ts';
import type { Beta } from '../requests/beta.ts';

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

export function uri(description: string, ...examples: readonly string[]): JsonSchema {
  return { type: 'string', format: 'uri', description, ...(examples.length === 0 ? {} : { examples }) };
}

export function listOf(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

export function header(description: string, schema: JsonSchema = { type: 'string' }): JsonSchema {
  return { description, schema };
}

export function parameter(
  place: 'query' | 'header',
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): JsonSchema {
  return { name, in: place, required: false, description, schema };
}

/** The header that turns on the beta of a path. */
export function betaParameter(name: Beta): JsonSchema {
  return {
    name: 'service-beta',
    in: 'header',
    required: true,
    description: `Must contain \`${name}\`. Without it this path is unknown: 404 \`not_found\`.`,
    style: 'simple',
    schema: { type: 'array', items: { type: 'string' }, examples: [[name]] },
  };
}

/** The parameter of a path that exists without betas. */
export const BETA_PARAMETER = { $ref: '#/components/parameters/ServiceBeta' };

export const RETRY_AFTER = header('Seconds to wait before the next request.', {
  type: 'integer',
  minimum: 0,
});

export const REQUEST_ID_HEADER = {
  'X-Request-Id': header(
    'The id of the request in the log of the service. It is the client’s own id if that is valid.',
  ),
};

/** Headers of every answer of a path that exists without betas. */
export const ANSWER_HEADERS = {
  ...REQUEST_ID_HEADER,
  'service-beta': header('The betas that are on. Absent when there are none.'),
};

/** Headers of every answer of a beta's path. */
export const BETA_ANSWER_HEADERS = {
  ...REQUEST_ID_HEADER,
  'service-beta': header('The betas that are on.'),
};

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
