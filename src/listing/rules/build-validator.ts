/** Compiles the listing schema to plain code at build time, which saves every start the time that Ajv takes. */
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { AJV_OPTIONS } from './compile-listing-schema.ts';
import { LISTING_SCHEMA } from './schema.ts';

/**
 * The text of a CommonJS module (validation is synchronous) with one function, `createValidator(formats)`, that returns
 * what Ajv's `compile` would return.
 */
export function buildValidator(): string {
  const ajv = new Ajv2020({
    ...AJV_OPTIONS,
    code: { source: true, formats: _`require("formats")` },
    formats: { uri: () => true, email: () => true },
  });
  return `// Made from the listing schema by build-validator.ts.
const load = require;
exports.createValidator = (formats) => {
  const module = { exports: {} };
  const require = (name) => (name === 'formats' ? formats : load(name));
  ${standalone.default(ajv, ajv.compile(LISTING_SCHEMA))}
  return module.exports;
};
`;
}
