/** The TypeScript types of our API document, made by openapi-typescript. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { createApiDocument } from '../../src/server/openapi/api-document.ts';

const GENERATOR = fileURLToPath(new URL('./generator/generate-types.js', import.meta.url));

/** Where the types are kept, for the compiler to hold the client's test against. */
export const API_TYPES_FILE = fileURLToPath(new URL('./api-types.ts', import.meta.url));

/** @returns What {@link API_TYPES_FILE} has to hold. */
export async function generateApiTypes(): Promise<string> {
  const document = JSON.stringify(createApiDocument('http://127.0.0.1:8080'));
  const { stdout } = await execa(process.execPath, [GENERATOR], {
    input: document,
    stripFinalNewline: false,
  });
  return `// Made by \`npm run api-types\`. Not to be edited: change the document instead.\n${stdout}`;
}
