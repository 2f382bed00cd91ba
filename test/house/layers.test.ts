/** Checks every import in `src` against the table of rooms in src/README.md, and that one room imports each package. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

/** Folders inside a room, as `room/folder`, and the folders of their room that they must not import. */
const KEPT_APART: Readonly<Record<string, readonly string[]>> = {
  'design/text': ['template', 'storyboard', 'timeline'],
  'design/template': ['storyboard', 'timeline'],
  'design/storyboard': ['timeline'],
  'media/assets': ['render', 'encode'],
  'media/render': ['assets', 'encode'],
  'media/encode': ['assets', 'render'],
  'task/engine': ['files', 'postgres', 'accounts', 'webhooks', 'process'],
  'task/process': ['files', 'postgres', 'accounts', 'webhooks'],
  'api/client': ['server'],
  'api/server': ['client'],
};

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|js)$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .filter((file) => !file.includes(`${path.sep}assembly${path.sep}`));
const imports = files.flatMap(readImports);
const table = readRoomTable(readFileSync(path.join(SRC, 'README.md'), 'utf8'));
const rooms = [...table.keys()];

describe('the rooms', () => {
  it('are those in the table of src/README.md, with at most 45 arrows between them', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...rooms].sort());
    expect([...table.values()].flatMap((allowed) => [...allowed]).length).toBeLessThanOrEqual(45);
  });

  it('stand in the table above all that they import', () => {
    const upward = rooms.flatMap((room, at) =>
      [...table.get(room)!].filter((row) => rooms.indexOf(toName(row)) <= at).map((row) => `${room}: ${row}`),
    );
    expect(upward).toEqual([]);
  });

  it('import only what the table allows', () => {
    const broken = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter((edge) => !isAllowed(edge));
    expect(broken.map(({ file, specifier }) => `${path.relative(SRC, file)} imports ${specifier}`)).toEqual(
      [],
    );
  });

  it('use every import that the table allows', () => {
    const unused = [...table].flatMap(([room, allowed]) =>
      [...allowed]
        .filter((row) => !imports.some((edge) => isUseOf(edge, room, row)))
        .map((row) => `${room}: ${row}`),
    );
    expect(unused).toEqual([]);
  });

  it('keep some of their folders apart', () => {
    const mixed = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const [room, folder] = placeOf(file);
      const [toRoom, toFolder] = placeOf(path.resolve(path.dirname(file), specifier));
      return room === toRoom && KEPT_APART[`${room}/${folder}`]?.includes(toFolder ?? '');
    });
    expect(mixed.map(({ file, specifier }) => `${path.relative(SRC, file)} imports ${specifier}`)).toEqual(
      [],
    );
  });

  it('have at most 20 files in a folder', () => {
    const counts = new Map<string, number>();
    for (const entry of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const folder = path.relative(SRC, entry.parentPath);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  it('have no circle of files, also not of types', () => {
    const targets = new Map(files.map((file): [string, string[]] => [file, []]));
    for (const { file, specifier } of imports) {
      if (specifier.startsWith('.')) targets.get(file)?.push(path.resolve(path.dirname(file), specifier));
    }
    expect(findCircles(targets).map((circle) => circle.map((file) => path.relative(SRC, file)))).toEqual([]);
  });

  it('import each package in one room only', () => {
    // sharp is the one tool that several rooms need, each for another job; p-limit is a queue; both servers are of
    // hono; jsonc-parser reads a listing's text here and edits it in the studio.
    const shared = new Set(['sharp', 'p-limit', 'hono', 'jsonc-parser']);
    const folders = new Map<string, Set<string>>();
    for (const { file, specifier } of imports) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      folders.set(name, (folders.get(name) ?? new Set()).add(roomOf(file)));
    }
    const spread = [...folders].filter(([name, users]) => users.size > 1 && !shared.has(name));
    expect(spread.map(([name, users]) => `${name}: ${[...users].join(', ')}`)).toEqual([]);
  });

  it('import sharp in at most one file each', () => {
    const perFolder = new Map<string, Set<string>>();
    for (const { file, specifier, isTypeOnly } of imports) {
      if (specifier !== 'sharp' || isTypeOnly) continue;
      const folder = placeOf(file).join('/');
      perFolder.set(folder, (perFolder.get(folder) ?? new Set()).add(path.relative(SRC, file)));
    }
    expect([...perFolder.values()].filter((users) => users.size > 1).map((users) => [...users])).toEqual([]);
  });
});

describe('the rim', () => {
  const source = (file: string) => readFileSync(file, 'utf8');
  const users = (pattern: RegExp, allowed: readonly string[]) =>
    files
      .filter((file) => !allowed.includes(roomOf(file)) && pattern.test(source(file)))
      .map((file) => path.relative(SRC, file));

  it('is where the environment and the arguments are read', () => {
    expect(users(/process\.(env|argv)\b/, ['wiring', 'cli'])).toEqual([
      'platform/settings/process-environment.ts',
    ]);
  });

  it('is where the terminal is written', () => {
    expect(users(/process\.(stdout|stderr)\b|console\./, ['cli'])).toEqual([]);
  });

  it('keeps listing, storyboard and timeline pure', () => {
    const pure = ['listing', 'design/storyboard', 'design/timeline'].map(
      (folder) => path.join(SRC, folder) + path.sep,
    );
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|process\.|setTimeout)\b|from 'node:(?!crypto|url|module)/;
    expect(
      files
        .filter((file) => pure.some((folder) => file.startsWith(folder)) && impure.test(source(file)))
        .map((file) => path.relative(SRC, file)),
    ).toEqual([]);
  });
});

/** One circle for each import that leads back to a file on the way to it. */
function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return circles;
}

/** Room and folder in it; no folder for a file of the room itself. */
function placeOf(file: string): [room: string, folder: string | undefined] {
  const [room = '', ...rest] = path.relative(SRC, file).split(path.sep);
  return [room.replace(/\.(tsx?|js)$/, ''), rest.length > 1 ? rest[0] : undefined];
}

function roomOf(file: string): string {
  return placeOf(file)[0];
}

/** `video` of `video:types`. */
function toName(row: string): string {
  return row.split(':')[0]!;
}

/** True for an import by `room` that needs the row: a row without `:types` needs more than types. */
function isUseOf({ file, specifier, isTypeOnly }: Import, room: string, row: string): boolean {
  if (roomOf(file) !== room || !specifier.startsWith('.')) return false;
  const to = roomOf(path.resolve(path.dirname(file), specifier));
  return row === `${to}:types` || (row === to && !isTypeOnly);
}

function isAllowed({ file, specifier, isTypeOnly }: Import): boolean {
  const from = roomOf(file);
  const to = roomOf(path.resolve(path.dirname(file), specifier));
  if (from === to) return true;
  const allowed = table.get(from) ?? new Set();
  return allowed.has(to) || (isTypeOnly && allowed.has(`${to}:types`));
}

function readImports(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(
    /^(?:import|export)\s+(type\s+)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm,
  )) {
    found.push({ file, specifier: match[2] ?? match[3] ?? '', isTypeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\b(typeof\s+)?import\(\s*'([^']+)'\s*\)/g)) {
    found.push({ file, specifier: match[2] ?? '', isTypeOnly: match[1] !== undefined });
  }
  return found;
}

function readRoomTable(markdown: string): Map<string, Set<string>> {
  const rows = markdown.matchAll(/^\| `([a-z]+)` \| ([^|]*) \|/gm);
  return new Map(
    [...rows].map(([, room = '', allowed = '']) => [
      room,
      new Set([...allowed.matchAll(/`([a-z:]+)`/g)].map((m) => m[1] ?? '')),
    ]),
  );
}
