/** Every hint follows `try: `, so it continues that line: a small letter first, and no full stop at its end. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const HINT = /(?:\bhint:|_HINT =)\s*(?<quote>['"`])(?<text>.*?)(?<!\\)\k<quote>[,;\s}]/g;

it('no hint starts with a capital letter or ends with a full stop', () => {
  const hints = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts'))
    .flatMap((entry) => {
      const source = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
      return [...source.matchAll(HINT)].map(({ groups }) => groups!.text!);
    });
  expect(hints.length).toBeGreaterThan(50);
  // A name in capitals is no sentence: `NODE_EXTRA_CA_CERTS names a file`.
  expect(hints.filter((hint) => /^[A-Z](?![A-Z])|\.$/.test(hint))).toEqual([]);
});
