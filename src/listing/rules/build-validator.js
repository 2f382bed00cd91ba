/** Compiles the listing schema to plain code at build time, which saves every start the time Ajv takes. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A CommonJS module (validation is synchronous) with one function, `createValidator(formats)`, that returns what Ajv's
 * `compile` would return.
 *
 * @param {object} schema - The listing schema.
 * @param {object} options - Ajv's.
 * @returns {string} Its text.
 * @throws {Error} When Ajv refuses the schema.
 */
export function buildValidator(schema, options) {
  const { Ajv2020, _ } = require('ajv/dist/2020.js');
  const standaloneCode = require('ajv/dist/standalone').default;
  const ajv = new Ajv2020({
    ...options,
    code: { source: true, formats: _`require("formats")` },
    formats: { uri: () => true, email: () => true },
  });
  return `// Made from the listing schema by build-validator.js.
const load = require;
exports.createValidator = (formats) => {
  const module = { exports: {} };
  const require = (name) => (name === 'formats' ? formats : load(name));
  ${standaloneCode(ajv, ajv.compile(schema))}
  return module.exports;
};
`;
}
