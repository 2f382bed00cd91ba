/** The files of one worker share its modules (see vitest.config.ts), so a mocked module would stay for the files after it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

it('no test mocks a module', () => {
  const mocking = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bvi\s*\.\s*(?:do)?mock\(/i.test(readFileSync(path.join(TESTS, file), 'utf8')));
  expect(mocking).toEqual([]);
});
