/** Compiles JSON Schemas to plain code at build time, which saves every start the time that Ajv takes. */
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { AJV_OPTIONS, appendErrors } from './compile-schema.ts';

/** Every format that a schema uses; `compileSchema` says what each means. */
const FORMATS = ['uri', 'email', 'absolute-path'];

/**
 * The text of a CommonJS module (validation is synchronous) with one function, `createValidator(formats)`, that returns
 * what Ajv's `compile` would return.
 */
export function buildValidator(schema: object): string {
  const ajv = new Ajv2020({
    ...AJV_OPTIONS,
    code: { source: true, formats: _`formats` },
    formats: Object.fromEntries(FORMATS.map((name) => [name, () => true])),
  });
  return `// Made from a JSON Schema by build-validator.ts.
exports.createValidator = (formats) => {
  const module = { exports: {} };
  ${appendErrors(standalone.default(ajv, ajv.compile(schema)))}
  return module.exports;
};
`;
}
