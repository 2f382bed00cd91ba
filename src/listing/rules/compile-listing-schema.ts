/** The listing schema as a function. */
import { compileSchema, type SchemaValidator } from './compile-schema.ts';
import { isEmailAddress } from './email-address.ts';
import { LISTING_SCHEMA } from './schema.ts';
import { validateUrl } from './validate-url.ts';

export interface CompileOptions {
  readonly allowLocalFiles: boolean;
  /** Whether to go on after the first error. */
  readonly collectAll: boolean;
}

const compiled = new Map<string, SchemaValidator>();

/** Compiles the schema at most once for each set of options. */
export function compileListingSchema({ allowLocalFiles, collectAll }: CompileOptions): SchemaValidator {
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
