/**
 * The listing schema as a function. A file of its own, because the types of validate-listing.ts are published, and need
 * no Ajv.
 */
import { compileSchema, type SchemaValidator } from './compile-schema.ts';
import { isEmailAddress } from './email-address.ts';
import { LISTING_SCHEMA } from './schema.ts';
import { validateUrl } from './validate-url.ts';

const compiled = new Map<string, SchemaValidator>();

/** The listing schema as a function, compiled at most once for each set of options. */
export function compileListingSchema({
  allowLocalFiles,
  collectAll,
}: {
  readonly allowLocalFiles: boolean;
  /** Whether to go on after the first error. */
  readonly collectAll: boolean;
}): SchemaValidator {
  const key = `${allowLocalFiles} ${collectAll}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const formats = {
    uri: (text: string) => validateUrl(text, allowLocalFiles) === null,
    email: isEmailAddress,
  };
  const validate = compileSchema('listing', LISTING_SCHEMA, formats, collectAll);
  compiled.set(key, validate);
  return validate;
}
