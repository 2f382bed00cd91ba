/**
 * `node generate-types.js <openapi.json >types.ts`: the types of an API document as openapi-typescript writes them. A
 * program of its own, because its compiler is another than that of the repository (see package.json beside it).
 */
import { text } from 'node:stream/consumers';
import openapiTypes, { astToString } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin));
// A property with a default may be left out by whoever sends it: defaults alone do not make it required.
const types = await openapiTypes(document, { alphabetize: true, defaultNonNullable: false });
process.stdout.write(astToString(types));
