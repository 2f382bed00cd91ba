/** The listing as a document: edits, undo, saving, and changes of the file from outside. */
import fs from 'node:fs';
import { chmod, mkdtemp, open as openFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ListingEditor } from '../../src/studio/document/listing-document.ts';
import { type ListingFile, listingFileAt } from '../../src/studio/document/listing-file.ts';
import type { PatchOperation } from '../../src/studio/editor/protocol.ts';

const TEXT = `{
    "id": "L-1",
    "x-crm": { "b": 1, "a": [1,2] },
    "assets": [
        { "url": "a.jpg" },
        { "url": "b.jpg", "caption": "Kitchen" },
        { "url": "c.jpg" }
    ],
    "bedrooms": 3
}
`;

/** A file in memory that can fail. */
function memoryFile(text: string) {
  const file = {
    text: text as string | null,
    fault: null as string | null,
    path: '/listing.json',
    read: async () => (file.text === null ? null : Buffer.from(file.text)),
    write: async (next: string, known: Uint8Array | null): Promise<string | null> => {
      if (file.fault !== null) throw Object.assign(new Error(file.fault), { code: file.fault });
      if ((known && Buffer.from(known).toString()) !== file.text) return null;
      file.text = next;
      return next;
    },
    kept: [] as string[],
    keep: async (version: string) => `kept-${file.kept.push(version)}`,
    signature: async () => String(file.text),
  };
  return file satisfies ListingFile;
}

function open(text = TEXT) {
  const file = memoryFile(text);
  const clock = { nowMs: 0 };
  const editor = new ListingEditor(
    { file, name: 'listing.json', nowMs: () => clock.nowMs, onChange: () => {} },
    Buffer.from(text),
  );
  const edit = (label: string, ...patch: PatchOperation[]) => editor.edit(label, patch);
  return { file, editor, clock, edit };
}

const replace = (place: string, value: unknown): PatchOperation => ({ op: 'replace', path: place, value });

describe('an edit', () => {
  it('changes nothing of the file but its field: unknown fields, their order and the layout stay', async () => {
    const { file, edit } = open();
    await edit('Caption', replace('/assets/1/caption', 'The kitchen'));
    expect(file.text).toBe(TEXT.replace('Kitchen', 'The kitchen'));
    await edit('Caption', { op: 'add', path: '/assets/2/caption', value: 'A "new" bath' });
    expect(file.text).toContain('{ "url": "c.jpg", "caption": "A \\"new\\" bath" }\n');
    await edit('Caption', { op: 'remove', path: '/assets/2/caption' });
    expect(file.text).toBe(TEXT.replace('Kitchen', 'The kitchen'));
    await edit('Leave out', { op: 'remove', path: '/assets/0' });
    expect(file.text).toBe(
      TEXT.replace('Kitchen', 'The kitchen').replace('{ "url": "a.jpg" },\n        ', ''),
    );
    await edit('Add photo', { op: 'add', path: '/assets/-', value: { url: 'd.jpg' } });
    expect(JSON.parse(file.text!).assets.at(-1)).toEqual({ url: 'd.jpg' });
    expect(file.text).toContain('"x-crm": { "b": 1, "a": [1,2] },');
  });

  it('keeps tabs, CRLF and a missing last line break', async () => {
    const text = '{\r\n\t"id": "L-1",\r\n\t"assets": []\r\n}';
    const { file, edit } = open(text);
    await edit('Bedrooms', { op: 'add', path: '/bedrooms', value: 3 });
    expect(file.text).toBe('{\r\n\t"id": "L-1",\r\n\t"assets": [],\r\n\t"bedrooms": 3\r\n}');
  });

  it.each([
    ['a place that is not there', replace('/agents/4/id', 'x')],
    ['the prototype', { op: 'add', path: '/__proto__/polluted', value: 1 }],
    ['a constructor', { op: 'add', path: '/id/constructor/prototype/polluted', value: 1 }],
    ['a prototype in the value', replace('/id', JSON.parse('{"a":[{"__proto__":{"polluted":1}}]}'))],
    ['a place in a text', { op: 'add', path: '/id/0', value: 'x' }],
    ['an index that is none', { op: 'add', path: '/assets/1e0', value: {} }],
    ['the whole listing by another kind', replace('', [])],
    ['the whole listing by nothing', { op: 'remove', path: '' }],
    ['a pointer without a slash', replace('id', 'x')],
    ['a test that fails', { op: 'test', path: '/id', value: 'L-2' }],
  ] satisfies [string, PatchOperation][])('that names %s changes nothing', async (_, operation) => {
    const { file, editor, edit } = open();
    expect(await edit('Edit', replace('/bedrooms', 4), operation)).toEqual(expect.any(String));
    expect(file.text).toBe(TEXT);
    expect(editor.state).toMatchObject({ revision: 0, undo: null });
    expect('polluted' in {}).toBe(false);
  });

  it('cannot grow without limit by copies', async () => {
    const { edit } = open();
    const copies = Array.from(
      { length: 40 },
      (_, index): PatchOperation => ({ op: 'copy', from: '/x-crm', path: `/x-crm/copy${index}` }),
    );
    expect(await edit('Copy', ...copies)).toMatch(/20000 values/);
  });
});

describe('undo', () => {
  it('reaches 100 steps back, and redo forward again, byte by byte', async () => {
    const { file, editor, edit } = open();
    for (let step = 1; step <= 100; step += 1)
      await edit(`Move ${step}`, { op: 'move', from: `/assets/${step % 3}`, path: '/assets/0' });
    const after = file.text;
    expect(editor.state.undo).toBe('Move 100');
    while (editor.state.undo !== null) await editor.undo();
    expect(JSON.parse(file.text!)).toEqual(JSON.parse(TEXT));
    expect(editor.state.redo).toBe('Move 1');
    while (editor.state.redo !== null) await editor.redo();
    expect(JSON.parse(file.text!)).toEqual(JSON.parse(after!));
    await editor.undo();
    await edit('Bedrooms', replace('/bedrooms', 5));
    expect(editor.state).toMatchObject({ undo: 'Bedrooms', redo: null });
  });

  it('takes typing in one field as one step, until a pause or another field', async () => {
    const { editor, edit, clock } = open();
    await edit('Caption', { op: 'add', path: '/assets/0/caption', value: 'H' });
    await edit('Caption', replace('/assets/0/caption', 'Hall'));
    clock.nowMs += 10_000;
    await edit('Caption', replace('/assets/0/caption', 'Hallway'));
    await edit('Caption', replace('/assets/1/caption', 'K'));
    await editor.undo();
    await editor.undo();
    expect(editor.document.assets).toMatchObject([{ caption: 'Hall' }, { caption: 'Kitchen' }, {}]);
    await editor.undo();
    expect(editor.state.undo).toBeNull();
    // One text of two photos, which is emptied on the way, is one step.
    const both = (text: string) =>
      ['/assets/0/alt', '/assets/1/alt'].map((path) => ({ op: 'add' as const, path, value: text }));
    await edit('Alt', ...both('K'));
    await edit('Alt', { op: 'remove', path: '/assets/0/alt' }, { op: 'remove', path: '/assets/1/alt' });
    await edit('Alt', ...both('Hall'));
    await editor.undo();
    expect(editor.state.undo).toBeNull();
    // Two photos that leave the same place are two steps.
    await edit('Leave out', { op: 'remove', path: '/assets/0' });
    await edit('Leave out', { op: 'remove', path: '/assets/0' });
    await editor.undo();
    expect(editor.document.assets).toHaveLength(2);
  });
});

describe('a change of the file from outside', () => {
  it('is taken over, said, and can be undone', async () => {
    const { file, editor } = open();
    file.text = TEXT.replace('"bedrooms": 3', '"bedrooms": 4').replace('Kitchen', 'Kitchen, new');
    await editor.check();
    expect(editor.state.revision).toBe(0);
    await editor.check();
    expect(editor.state).toMatchObject({
      revision: 1,
      listing: { bedrooms: 4 },
      reloaded: '1970-01-01T00:00:00.000Z',
      save: { state: 'saved' },
    });
    await editor.undo();
    expect(file.text).toBe(TEXT);
  });

  it('that comes from an older version keeps the work of the studio aside, and can be taken back', async () => {
    const { file, editor, edit } = open();
    const look = async () => {
      await editor.check();
      await editor.check();
    };
    await edit('Bedrooms', replace('/bedrooms', 5));
    file.text = file.text!.replace('L-1', 'L-2');
    await look();
    expect(editor.state).toMatchObject({ listing: { bedrooms: 5, id: 'L-2' }, kept: [] });
    await edit('Bedrooms', replace('/bedrooms', 6));
    file.text = TEXT;
    await look();
    expect(editor.state).toMatchObject({
      listing: { bedrooms: 3 },
      kept: ['kept-1'],
      save: { state: 'saved' },
    });
    expect(JSON.parse(file.kept[0]!)).toMatchObject({ bedrooms: 6, id: 'L-2' });
    await editor.resolveConflict('before');
    expect(JSON.parse(file.text)).toMatchObject({ bedrooms: 6, id: 'L-2' });
    expect(editor.state.kept).toEqual(['kept-1', 'kept-2']);
    expect(JSON.parse(file.kept[1]!)).toEqual(JSON.parse(TEXT));
    // Without a reload to take back, or a question, there is nothing to give up.
    for (const keep of ['mine', 'theirs'] as const) await editor.resolveConflict(keep);
    await editor.resolveConflict('before');
    expect(editor.state.kept).toHaveLength(2);
  });

  it('is taken back alone: an edit that comes while the other version is kept stays', async () => {
    const { file, editor, edit } = open();
    file.text = TEXT.replace('L-1', 'L-2');
    await editor.sync();
    const { keep } = file;
    let editing: Promise<unknown> = Promise.resolve();
    file.keep = async (version) => {
      editing = edit('Bedrooms', replace('/bedrooms', 5));
      return keep(version);
    };
    await editor.resolveConflict('before');
    await editing;
    expect(JSON.parse(file.text)).toMatchObject({ id: 'L-2', bedrooms: 5 });
  });

  it('that would give up work is not taken over before an edit that comes meanwhile is kept, too', async () => {
    const { file, editor, edit } = open();
    await edit('Bedrooms', replace('/bedrooms', 5));
    file.text = TEXT;
    const { keep } = file;
    let editing: Promise<unknown> = Promise.resolve();
    file.keep = async (version) => {
      file.keep = keep;
      editing = edit('Bathrooms', { op: 'add', path: '/bathrooms', value: 1 });
      return keep(version);
    };
    await editor.sync();
    await editing;
    expect(editor.state).toMatchObject({ conflict: true, listing: { bedrooms: 5, bathrooms: 1 } });
    expect(file.text).toBe(TEXT);
    await editor.resolveConflict('theirs');
    expect(JSON.parse(file.kept.at(-1)!)).toMatchObject({ bedrooms: 5, bathrooms: 1 });
  });

  it('is noticed too when it comes right after the studio saved', async () => {
    const { file, editor, edit } = open();
    const { write } = file;
    file.write = async (text, known) => {
      const signature = await write(text, known);
      file.text = text.replace('L-1', 'L-2');
      return signature;
    };
    await edit('Bedrooms', replace('/bedrooms', 5));
    await editor.check();
    await editor.check();
    expect(editor.document).toMatchObject({ id: 'L-2', bedrooms: 5 });
  });

  it('that is the same as here is no question', async () => {
    const { file, editor, edit } = open();
    file.fault = 'ENOSPC';
    await edit('Bedrooms', replace('/bedrooms', 5));
    expect(editor.state.save).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('the disk is full'),
    });
    file.fault = null;
    file.text = TEXT.replace('"bedrooms": 3', '"bedrooms": 5');
    await editor.sync();
    expect(editor.state).toMatchObject({ save: { state: 'saved' }, conflict: false });
  });

  it.each(['mine', 'theirs'] as const)(
    'beside changes that are not saved is asked about: %s',
    async (keep) => {
      const { file, editor, edit } = open();
      file.fault = 'EROFS';
      await edit('Bedrooms', replace('/bedrooms', 5));
      expect(editor.state.save.message).toContain('read-only');
      file.fault = null;
      file.text = TEXT.replace('"bedrooms": 3', '"bedrooms": 4').replace('L-1', 'L-2');
      await editor.sync();
      expect(editor.state).toMatchObject({ conflict: true, save: { state: 'failed' } });
      expect(file.text).toContain('"bedrooms": 4');
      // The work goes on meanwhile.
      await edit('Bathrooms', { op: 'add', path: '/bathrooms', value: 1 });
      await editor.resolveConflict(keep);
      const mine = { id: 'L-1', bedrooms: 5, bathrooms: 1 };
      const theirs = { id: 'L-2', bedrooms: 4 };
      expect(JSON.parse(file.text)).toMatchObject(keep === 'mine' ? mine : theirs);
      expect(editor.state).toMatchObject({ conflict: false, save: { state: 'saved' }, kept: ['kept-1'] });
      expect(JSON.parse(file.kept[0]!)).toMatchObject(keep === 'mine' ? theirs : mine);
      if (keep === 'mine') return;
      // What was given up is one step away.
      await editor.undo();
      expect(JSON.parse(file.text)).toMatchObject(mine);
    },
  );

  it.each([
    ['cannot be parsed', '{ "id": '],
    ['is no object', '[]'],
    ['is gone', null],
  ])('after which it %s keeps the edits, and they are saved later', async (_, text) => {
    const { file, editor, edit } = open();
    file.text = text;
    await editor.sync();
    expect(editor.state.save.state).toBe('failed');
    file.fault = 'EACCES';
    await edit('Bedrooms', replace('/bedrooms', 5));
    expect(editor.state.save.state).toBe('failed');
    expect(file.text).toBe(text);
    file.fault = null;
    file.text = TEXT;
    await editor.check();
    await editor.check();
    expect(JSON.parse(file.text)).toMatchObject({ bedrooms: 5 });
    expect(editor.state.save.state).toBe('saved');
  });
});

it('a program that writes between reading and replacing is noticed', async () => {
  const { file, editor, edit } = open();
  const { read } = file;
  const another = TEXT.replace('"bedrooms": 3', '"bedrooms": 4');
  file.read = async () => {
    const bytes = await read();
    file.text = another;
    return bytes;
  };
  await edit('Caption', replace('/assets/1/caption', 'The kitchen'));
  expect([file.text, editor.state.conflict]).toEqual([another, true]);
});

it('a program that writes into the file while it is replaced gets its file back', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-studio-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const name = path.join(folder, 'listing.json');
  await writeFile(name, TEXT);
  // It has opened the file before, and writes at the moment of the rename.
  const other = await openFile(name, 'r+');
  const file = listingFileAt(name);
  const { renameSync } = fs;
  onTestFinished(() => {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  });
  fs.renameSync = (from, to) => {
    fs.writeSync(other.fd, '{"id":"L-9"}', 0);
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  expect(await file.write('{}', Buffer.from(TEXT))).toBeNull();
  await other.close();
  expect(await readFile(name, 'utf8')).toMatch(/^{"id":"L-9"}/);
  expect(await readdir(folder)).toEqual(['listing.json']);
  expect(await file.keep('a')).toBe('listing.json.kept-1');
  expect(await file.keep('b')).toBe('listing.json.kept-2');
  expect(await readFile(`${name}.kept-1`, 'utf8')).toBe('a');
});

it('a file that cannot be replaced is not tried for ever, and is saved when it can be', async () => {
  const { file, editor, edit } = open();
  const { write } = file;
  file.write = async () => null;
  await edit('Caption', replace('/assets/1/caption', 'The kitchen'));
  expect(editor.state.save).toEqual({
    state: 'failed',
    message:
      'listing.json changes all the time. Your changes are kept here and saved as soon as that works again.',
  });
  file.write = write;
  await editor.check();
  await editor.check();
  expect(editor.state.save.state).toBe('saved');
  expect(file.text).toContain('The kitchen');
});

it('a file is saved where each name has an inode number of its own, as on a folder that sshfs mounts', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-studio-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const name = path.join(folder, 'listing.json');
  await writeFile(name, TEXT);
  const { statSync } = fs;
  onTestFinished(() => {
    Object.assign(fs, { statSync });
    syncBuiltinESMExports();
  });
  // Seen there: 175 for a file, 176 for a link to it. A rename keeps the number.
  const statAsThere = (file: string, options: fs.StatSyncOptions) => {
    const found = statSync(file, options);
    if (found !== undefined && file.endsWith('.before')) Object.assign(found, { ino: Number(found.ino) + 1 });
    return found;
  };
  Object.assign(fs, { statSync: statAsThere });
  syncBuiltinESMExports();
  const file = listingFileAt(name);
  expect(await file.write('{}', Buffer.from(TEXT))).toBe(await file.signature());
  expect(await file.write('[]', Buffer.from(TEXT))).toBeNull();
  expect(await readFile(name, 'utf8')).toBe('{}');
  expect(await readdir(folder)).toEqual(['listing.json']);
});

it('a file on disk keeps its rights, and no reader sees half of it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-studio-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const name = path.join(folder, 'listing.json');
  await writeFile(name, TEXT);
  await chmod(name, 0o640);
  const file = listingFileAt(name);
  expect(await file.write('{}', Buffer.from(TEXT))).toBe(await file.signature());
  expect(await readFile(name, 'utf8')).toBe('{}');
  expect((await stat(name)).mode & 0o777).toBe(0o640);
  await rm(name);
  expect(await file.read()).toBeNull();
});
