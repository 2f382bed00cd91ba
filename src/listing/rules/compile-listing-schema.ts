/** The listing schema as a function: made at build time, else compiled by Ajv, which loads only when needed. */
import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv2020Class, ValidateFunction } from 'ajv/dist/2020.js';
import { isEmailAddress } from './email-address.ts';
import { LISTING_SCHEMA } from './schema.ts';
import { validateUrl } from './validate-url.ts';

/** Of an Ajv for the listing schema. Its errors carry `data`, `schema` and `parentSchema`. */
export const AJV_OPTIONS = {
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  // A test holds the schema against the meta-schema; here it would cost every start 50 ms.
  validateSchema: false,
  meta: false,
  // Violations have their own wording.
  messages: false,
} as const;

export interface CompileOptions {
  readonly allowLocalFiles: boolean;
  /** Whether to go on after the first error. */
  readonly collectAll: boolean;
}

type Formats = Readonly<Record<string, (text: string) => boolean>>;

// Synchronous, as validation is. Loading Ajv takes longer than a whole `--help` can.
const load = createRequire(import.meta.url);
const compiled = new Map<string, ValidateFunction>();

/** Compiles the schema with {@link AJV_OPTIONS}, at most once for each set of options. */
export function compileListingSchema({ allowLocalFiles, collectAll }: CompileOptions): ValidateFunction {
  const key = `${allowLocalFiles} ${collectAll}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const formats = {
    uri: (text: string) => validateUrl(text, allowLocalFiles) === null,
    email: isEmailAddress,
  };
  const validate = (collectAll ? loadBuilt(formats) : null) ?? compile(collectAll, formats);
  compiled.set(key, validate);
  return validate;
}

/** The schema as code lies beside the compiled program; a source tree has none. */
function loadBuilt(formats: Formats): ValidateFunction | null {
  try {
    const built = load('./listing-validator.cjs') as { createValidator(formats: Formats): ValidateFunction };
    return built.createValidator(formats);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

function compile(allErrors: boolean, formats: Formats): ValidateFunction {
  const { Ajv2020 } = load('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020Class };
  return new Ajv2020({ ...AJV_OPTIONS, allErrors, formats }).compile(LISTING_SCHEMA);
}
