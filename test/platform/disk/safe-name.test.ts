/** File names for hostile ids: safe everywhere, readable, and different for any two ids. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, hashedName, safeName, safeNames } from '../../../src/platform/disk/safe-name.ts';
import { outputFolderOf } from '../../../src/video/publish/output-folder-of.ts';
import { folderOf } from '../../cli/listing-files.ts';

const HASH = /~[0-9a-f]{12}$/;
const anyId = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', '.', '-', '/', '\\', ' ', '~', 'é', 'e\u0301', '\u202e', '\ud800'),
  }),
  fc.constantFrom('CON', 'con.mp4', 'LPT¹', '..', '.', '', 'ß', 'SS', 'ﬁ', 'fi', 'İ', 'i̇'),
);

describe('safeName', () => {
  it.each(['L-1', 'MLS-48213', 'ann@example.com', 'agent_1', '12.5', 'größe', '物件-7', 'a=b,c+d'])(
    'keeps %s as it is',
    (id) => expect(safeName(id)).toBe(id),
  );

  it.each([
    ['12 Main St', /^12-Main-St~/],
    ['../../etc/passwd', /^etc-passwd~/],
    ['a/b\\c', /^a-b-c~/],
    ['CON', /^id-CON~/],
    ['nul.txt', /^id-nul\.txt~/],
    ['com¹', /^id-com¹~/],
    ['..', /^id~/],
    ['', /^id~/],
    ['name.', /^name~/],
    ['-rf', /^rf~/],
    ['.hidden', /^hidden~/],
    ['evil\u202egpj', /^evil-gpj~/],
    ['x'.repeat(500), /^x{107}~/],
    ['e\u0301', /^é~/],
    ['a~0123456789ab', /^a-0123456789ab~/],
  ])('makes %j readable and adds a hash', (id, shape) => {
    expect(safeName(id)).toMatch(shape);
    expect(safeName(id)).toMatch(HASH);
  });

  it('is always a name that every platform accepts', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        for (const name of [safeName(id), hashedName(id)]) {
          expect(name).toMatch(/^[\p{L}\p{M}\p{N}_@+=,][\p{L}\p{M}\p{N}._@+=,~-]*$/u);
          expect(name).toBe(name.normalize('NFC'));
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
          expect(name).not.toMatch(/[.-]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never gives two ids one name', () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        fc.pre(one !== other);
        expect(safeName(one)).not.toBe(safeName(other));
        expect(hashedName(one)).not.toBe(safeName(other));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('safeNames', () => {
  it('keeps ids apart that differ in case only, in any order', () => {
    const [ann, ANN, bob] = safeNames(['ann', 'ANN', 'bob']);
    expect(ann).toMatch(/^ann~/);
    expect(ANN).toMatch(/^ANN~/);
    expect(bob).toBe('bob');
    expect(safeNames(['bob', 'ANN', 'ann'])).toEqual([bob, ANN, ann]);
  });

  it('gives distinct ids names that are distinct on any file system', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 12 }), (ids) => {
        expect(new Set(safeNames(ids).map(foldCase)).size).toBe(ids.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('outputFolderOf', () => {
  it('is <out>/<id>, also when it exists already', async () => {
    const out = await folderOf({ 'L-1/report.json': '{}' });
    expect(await outputFolderOf(out, 'L-1')).toBe(`${out}/L-1`);
    expect(await outputFolderOf(`${out}/missing`, 'L-1')).toBe(`${out}/missing/L-1`);
  });

  it('is not the folder of another listing whose id differs in case', async () => {
    const out = await folderOf({ 'l-1/report.json': '{}' });
    expect(await outputFolderOf(out, 'L-1')).toBe(`${out}/${hashedName('L-1')}`);
  });
});
