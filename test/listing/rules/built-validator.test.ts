/** The validator made at build time reports the same errors as Ajv at run time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildValidator } from '../../../src/listing/rules/build-validator.ts';
import { compileListingSchema } from '../../../src/listing/rules/compile-listing-schema.ts';
import { isEmailAddress } from '../../../src/listing/rules/email-address.ts';
import { LISTING_SCHEMA } from '../../../src/listing/rules/schema.ts';
import { validateUrl } from '../../../src/listing/rules/validate-url.ts';
import { aFullListing } from '../a-listing.ts';
import { randomListing } from '../random-listing.ts';

const load = createRequire(import.meta.url);
let folder: string;
let built: ValidateFunction;

beforeAll(async () => {
  // Inside the project, so that what the code requires of Ajv is found.
  folder = await mkdtemp(fileURLToPath(new URL('../../../node_modules/.validator-', import.meta.url)));
  const file = path.join(folder, 'listing-validator.cjs');
  await writeFile(file, buildValidator(LISTING_SCHEMA));
  built = load(file).createValidator({
    uri: (text: string) => validateUrl(text, false) === null,
    email: isEmailAddress,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the validator made at build time', () => {
  const compiled = compileListingSchema({ allowLocalFiles: false, collectAll: true });
  const check = (validate: ValidateFunction, input: unknown) => [validate(input), validate.errors];

  it('takes a full listing', () => {
    expect(check(built, aFullListing())).toEqual([true, null]);
  });

  it('finds the same errors in any listing', () => {
    fc.assert(
      fc.property(randomListing, (input) => {
        expect(check(built, input)).toEqual(check(compiled, input));
      }),
      { numRuns: 300 },
    );
  });
});
