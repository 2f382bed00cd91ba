/** The listing's own schema as components of the API document. Pure: it only moves references. */
import { type JsonSchema, LISTING_SCHEMA } from '../../listing/rules/schema.ts';

/** `Listing` and every definition that it refers to, with references into `#/components/schemas`. */
export function listingSchemas(): Record<string, JsonSchema> {
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
