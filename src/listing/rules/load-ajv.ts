/** Loads Ajv when it is first needed: listings and built-in templates never need it, and it takes longer than a whole `--help`. */
import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { codeFile, IS_BUILT } from '../../platform/program-files.ts';

/** The class of Ajv for JSON Schema 2020-12. Synchronous, as validation is. */
export function loadAjv(): typeof Ajv2020 {
  // The build makes one file of the package.
  const module = IS_BUILT ? codeFile('listing/rules/ajv.cjs') : 'ajv/dist/2020.js';
  return (createRequire(import.meta.url)(module) as { Ajv2020: typeof Ajv2020 }).Ajv2020;
}
