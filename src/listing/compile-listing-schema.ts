/** The listing schema as a function. Only this file loads Ajv, and only when the first listing is judged. */
import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv2020Class, ValidateFunction } from 'ajv/dist/2020.js';
import { judgeEmail } from './judge-email.ts';
import { judgeUrl } from './judge-url.ts';
import { LISTING_SCHEMA } from './schema.ts';

export interface CompileOptions {
  readonly allowLocalFiles: boolean;
  /** Whether to go on after the first error. */
  readonly collectAll: boolean;
}

const compiled = new Map<string, ValidateFunction>();

/**
 * Compiles the schema at most once for each set of options.
 *
 * The function's errors carry `data`, `schema` and `parentSchema`.
 */
export function compileListingSchema({ allowLocalFiles, collectAll }: CompileOptions): ValidateFunction {
  const key = `${allowLocalFiles} ${collectAll}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  // `require`, because loading Ajv takes longer than a whole `--help` may, and validation is synchronous.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020Class };
  const ajv = new Ajv2020({
    allErrors: collectAll,
    verbose: true,
    allowUnionTypes: true,
    // The schema is ours and a test holds it against the meta-schema; to do so here would cost 50 ms of every start.
    validateSchema: false,
    meta: false,
    // Violations have their own wording.
    messages: false,
    formats: {
      uri: (text: string) => judgeUrl(text, allowLocalFiles) === null,
      email: (text: string) => judgeEmail(text) === null,
    },
  });
  const validate = ajv.compile(LISTING_SCHEMA);
  compiled.set(key, validate);
  return validate;
}
