/** `npm run api-types`: writes `api-types.ts` anew from the API document, after the document changed. */
import { writeFile } from 'node:fs/promises';
import { API_TYPES_FILE, generateApiTypes } from './generate-api-types.ts';

await writeFile(API_TYPES_FILE, await generateApiTypes());
