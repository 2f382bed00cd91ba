/** Listings of a file of NDJSON: their places are those of the file, and their memory is that of their own lines. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { formatValidation } from '../../src/cli/listings/format-validation.ts';
import { readListings, textOf } from '../../src/cli/listings/read-listing.ts';
import { folderOf, listing } from './listing-files.ts';

async function readNdjson(text: string) {
  const cwd = await folderOf();
  const file = path.join(cwd, 'new.ndjson');
  writeFileSync(file, text);
  const context = { cwd, untrusted: false, stdin: Readable.from([]), signal: new AbortController().signal };
  return readListings([{ name: 'new.ndjson', path: file, problem: null }], context);
}

const plain = { red: { bold: String }, dim: String, bold: String, yellow: String };

describe('a file of NDJSON', () => {
  it('keeps no more text than it has', async () => {
    const text = '{"id":1}\n'.repeat(5_000);
    const results = await readNdjson(text);
    const kept = results.map(({ source }) => source.text?.length ?? 0).reduce((sum, length) => sum + length);
    expect([results.length, results.at(-1)?.source.file]).toEqual([5_000, 'new.ndjson:5000']);
    expect(kept).toBeLessThanOrEqual(text.length);
  });

  it('is read once: the text of a valid line is kept, for rules that are checked later', async () => {
    const lines = ['one', 'two'].map((id) => JSON.stringify(listing(id)));
    const [, second] = await readNdjson(lines.join('\n'));
    rmSync(second!.source.path!);
    expect(await textOf(second!.source)).toBe(lines[1]);
  });

  it('shows a value and a fault at their line in the file', async () => {
    const [wrong, cut] = await readNdjson('\n\n{"id":1}\n\n{"id":"x",');
    const shown = (await formatValidation(wrong!, plain as never, { frameColumns: 80 })).join('\n');
    expect(shown).toMatch(/id: .*\n +3 \| \{"id":1\}\n +\| {7}\^/);
    expect(cut).toMatchObject({
      detail: [
        {
          msg: 'new.ndjson:5:11: not JSON: it ends before the { of line 5 is closed',
          ctx: { line: 5, column: 11 },
        },
      ],
    });
  });
});
