/** The listing schema as a function: the one made at build time, else by Ajv, which is loaded only when needed. */
import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv2020Class, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvOptions } from './ajv-options.ts';
import { isEmailAddress } from './email-address.ts';
import { LISTING_SCHEMA } from './schema.ts';
import { validateUrl } from './validate-url.ts';

export interface CompileOptions {
  readonly allowLocalFiles: boolean;
  /** Whether to go on after the first error. */
  readonly collectAll: boolean;
}

interface BuiltValidator {
  createValidator(formats: Readonly<Record<string, (text: string) => boolean>>): ValidateFunction;
}

// Synchronous, as validation is; and loading Ajv takes longer than a whole `--help` may.
const load = createRequire(import.meta.url);
const compiled = new Map<string, ValidateFunction>();

/** Compiles the schema at most once for each set of options; errors as {@link ajvOptions} says. */
export function compileListingSchema({ allowLocalFiles, collectAll }: CompileOptions): ValidateFunction {
  const key = `${allowLocalFiles} ${collectAll}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const formats = {
    uri: (text: string) => validateUrl(text, allowLocalFiles) === null,
    email: isEmailAddress,
  };
  const built = collectAll ? loadBuilt() : null;
  const validate = built?.createValidator(formats) ?? compile(collectAll, formats);
  compiled.set(key, validate);
  return validate;
}

/** Beside the compiled program lies the schema as code; a source tree has none. */
function loadBuilt(): BuiltValidator | null {
  try {
    return load('./listing-validator.cjs') as BuiltValidator;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

function compile(collectAll: boolean, formats: Record<string, (text: string) => boolean>): ValidateFunction {
  const { Ajv2020 } = load('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020Class };
  return new Ajv2020({ ...ajvOptions(collectAll), formats }).compile(LISTING_SCHEMA);
}
