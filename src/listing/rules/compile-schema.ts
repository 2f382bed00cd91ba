/** A JSON Schema as a function: made at build time, else compiled by Ajv, which loads only when needed. */
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { codeFile, IS_BUILT } from '../../platform/program-files.ts';

/** Of every Ajv here. Errors carry `data`, `schema` and `parentSchema`. */
export const AJV_OPTIONS = {
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  // Tests hold the schemas against the meta-schema; here it would cost every start 50 ms.
  validateSchema: false,
  meta: false,
  // Callers have their own wording.
  messages: false,
} as const;

/**
 * Makes the code of Ajv take time in proportion to the errors. It copies all earlier errors after each part that a
 * schema of its own describes: 20,000 invalid agents cost 4 s. A test fails if another version of Ajv writes this
 * differently.
 */
export function appendErrors(code: string): string {
  const append = '((all, more) => { for (const error of more) all.push(error); return all; })';
  return code.replace(/\bvErrors\.concat\(([\w.$]+\.errors)\)/g, `${append}(vErrors, $1)`);
}

/** True for a value that the schema allows; for any other its `errors` say why. */
export type SchemaValidator<T = unknown> = ValidateFunction<T>;
export type SchemaError = ErrorObject;
export type SchemaFormats = Readonly<Record<string, (text: string) => boolean>>;

interface BuiltValidator {
  createValidator<T>(formats: SchemaFormats): SchemaValidator<T>;
}

/** @param name - Of the file that `bin/prepare.js` makes of the schema: `<name>-validator.cjs`. */
export function compileSchema<T>(
  name: string,
  schema: object,
  formats: SchemaFormats = {},
  allErrors = true,
): SchemaValidator<T> {
  if (allErrors && IS_BUILT) return loadBuilt(name).createValidator(formats);
  const Ajv2020 = loadAjv();
  const options = { ...AJV_OPTIONS, allErrors, formats, code: { process: appendErrors } };
  return new Ajv2020(options).compile<T>(schema);
}

/** The schema as code lies beside the built program; a source tree has none. */
function loadBuilt(name: string): BuiltValidator {
  return createRequire(import.meta.url)(codeFile(`listing/rules/${name}-validator.cjs`)) as BuiltValidator;
}

/**
 * The class of Ajv for JSON Schema 2020-12, loaded when it is first needed: listings and built-in templates never
 * need it, and it takes longer than a whole `--help`. Synchronous, as validation is.
 */
export function loadAjv(): typeof Ajv2020 {
  // The build makes one file of the package.
  const module = IS_BUILT ? codeFile('listing/rules/ajv.cjs') : 'ajv/dist/2020.js';
  return (createRequire(import.meta.url)(module) as { Ajv2020: typeof Ajv2020 }).Ajv2020;
}
