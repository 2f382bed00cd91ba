/** The OpenAPI 3.1 document of this API, built from the schemas and constants that the code uses. */
import { type JsonSchema, LISTING_SCHEMA } from '../../../listing/rules/schema.ts';
import { BETAS } from '../requests/beta.ts';
import { ALL_ROUTES } from '../routes/all-routes.ts';
import { ANSWER_SCHEMAS } from './answer-schemas.ts';
import { refusalResponses } from './refusals.ts';
import { WEBHOOK_SCHEMAS, WEBHOOKS } from './webhooks.ts';

/** The version of the interface, not of this program. */
const API_VERSION = '1.3.0';

/**
 * @param publicUrl - Public URL of the service.
 * @param hasUploads - Without uploads the document has nothing of them.
 */
export function createApiDocument(publicUrl: string, { hasUploads = true } = {}): JsonSchema {
  const offered = <T>(parts: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => hasUploads || !OF_UPLOADS.has(name)));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const route of ALL_ROUTES) {
    if (route.operation === undefined || (route.beta === 'uploads' && !hasUploads)) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: route.operation };
    Object.assign(schemas, route.schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'listing-video',
      version: API_VERSION,
      summary: 'Turns real-estate listings into videos, one for each agent.',
      description:
        'Send a listing: the service creates a task. Read the task until it has ended: its results have the URLs of the videos. ' +
        'The service ignores unknown properties. Where null is allowed, it means the same as an absent property.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: [
      { name: 'Tasks', description: 'Create and read tasks.' },
      { name: 'Organization', description: 'The caller’s organization and its credits.' },
      ...(hasUploads ? [{ name: 'Assets', description: 'Images for listings.' }] : []),
      { name: 'Templates', description: 'What videos can look like.' },
      { name: 'Webhooks', description: 'Requests that this service sends when tasks end.' },
      { name: 'Operation', description: 'For operators of the service.' },
    ],
    // The last entry stands for a service without keys, which trusts its caller.
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }, {}],
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: { ...listingSchemas(), ...ANSWER_SCHEMAS, ...schemas, ...WEBHOOK_SCHEMAS },
      responses: offered(refusalResponses()),
      parameters: parametersOf(offered(BETAS)),
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, made with `listing-video keys create`.',
        },
        apiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key.' },
      },
    },
  };
}

/** What a document without uploads leaves out. */
const OF_UPLOADS = new Set(['uploads', 'UploadRefused', 'UploadForbidden']);

/** @param betas - Their effects by their names. */
function parametersOf(betas: Readonly<Record<string, string>>): Readonly<Record<string, JsonSchema>> {
  const known = Object.entries(betas).map(([name, does]) => `\`${name}\`: ${does}`);
  return {
    ServiceBeta: {
      name: 'service-beta',
      in: 'header',
      required: false,
      description: `Experimental features to turn on, separated by commas. Unknown names are ignored. Known: ${known.join('; ')}.`,
      style: 'simple',
      schema: { type: 'array', items: { type: 'string' }, examples: [Object.keys(betas)] },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes retries safe: for 24 hours the same key with the same body returns the same task and creates nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: 'listing-HP-204128-2026-11-20',
    },
  };
}

/** `Listing` and every definition that it refers to, with references into `#/components/schemas`. */
function listingSchemas(): Record<string, JsonSchema> {
  const {
    $defs,
    $schema: _,
    $id: _id,
    ...listing
  } = moveReferences(LISTING_SCHEMA) as JsonSchema & {
    $defs: Record<string, JsonSchema>;
    properties: Record<string, JsonSchema>;
  };
  // `$schema` is for editors. The API ignores it like any unknown property.
  const { $schema: _editors, ...properties } = listing.properties as Record<string, JsonSchema>;
  return { Listing: { ...listing, properties }, ...$defs };
}

function moveReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
