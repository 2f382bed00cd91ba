/** The listing schema as a function. Only this file loads Ajv, and only when the first listing is judged. */
import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv2020Class, ValidateFunction } from 'ajv/dist/2020.js';
import { judgeEmail } from './judge-email.ts';
import { judgeUrl } from './judge-url.ts';
import { LISTING_SCHEMA } from './schema.ts';

const compiled = new Map<boolean, ValidateFunction>();

/**
 * Compiles the schema at most once for each value of `allowLocalFiles`.
 *
 * The function collects all errors, with `data`, `schema` and `parentSchema` on each.
 */
export function compileListingSchema(allowLocalFiles: boolean): ValidateFunction {
  const known = compiled.get(allowLocalFiles);
  if (known !== undefined) return known;
  // `require`, because loading Ajv takes longer than a whole `--help` may, and validation is synchronous.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020Class };
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // A listing may hold millions of broken values; nobody reads Ajv's own sentences about them.
    messages: false,
    formats: {
      uri: (text: string) => judgeUrl(text, allowLocalFiles) === null,
      email: (text: string) => judgeEmail(text) === null,
    },
  });
  const validate = ajv.compile(LISTING_SCHEMA);
  compiled.set(allowLocalFiles, validate);
  return validate;
}
