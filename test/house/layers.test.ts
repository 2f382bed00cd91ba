/** Checks every import in `src` against the layer table in src/README.md, and that one folder imports each package. */
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

/** Under everything: they import nothing but each other, and every layer may import them. */
const STAND_ALONE = [
  'build-assembly',
  'errors',
  'disk',
  'life-sign',
  'load-assembly',
  'limit-process',
  'load-sharp',
  'nearest-name',
  'network',
  'permission-flags',
  'program-files',
  'start-module',
];

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|js)$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .filter((file) => !file.includes(`${path.sep}assembly${path.sep}`));
const imports = files.flatMap(readImports);
const table = readLayerTable(readFileSync(path.join(SRC, 'README.md'), 'utf8'));

describe('the layers', () => {
  it('are all in the table of src/README.md', () => {
    const layers = new Set(files.map(layerOf));
    for (const standsAlone of STAND_ALONE) layers.delete(standsAlone);
    layers.delete('index');
    expect([...layers].filter((layer) => !table.has(layer))).toEqual([]);
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
    const unused = [...table].flatMap(([layer, allowed]) =>
      [...allowed]
        .filter((row) => !imports.some((edge) => isUseOf(edge, layer, row)))
        .map((row) => `${layer}: ${row}`),
    );
    expect(unused).toEqual([]);
  });

  it('have no circle of files, also not of types', () => {
    const targets = new Map(files.map((file): [string, string[]] => [file, []]));
    for (const { file, specifier } of imports) {
      if (specifier.startsWith('.')) targets.get(file)?.push(path.resolve(path.dirname(file), specifier));
    }
    expect(findCircles(targets).map((circle) => circle.map((file) => path.relative(SRC, file)))).toEqual([]);
  });

  it('import at most eight others each, except the one that joins all', () => {
    const wide = [...table].filter(([, allowed]) => allowed.size > 8);
    expect(wide.map(([layer]) => layer)).toEqual(['wiring']);
  });

  it('import each package in one folder only', () => {
    // sharp is the one tool that four layers need, each for another job, each through one file; p-limit is a queue.
    // The pages are made of Preact, and both servers of hono.
    const shared = new Set(['sharp', 'p-limit', 'preact', '@preact/signals', 'hono']);
    const folders = new Map<string, Set<string>>();
    for (const { file, specifier } of imports) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      folders.set(name, (folders.get(name) ?? new Set()).add(layerOf(file)));
    }
    const spread = [...folders].filter(([name, layers]) => layers.size > 1 && !shared.has(name));
    expect(spread.map(([name, layers]) => `${name}: ${[...layers].join(', ')}`)).toEqual([]);
  });

  it('import sharp in at most one file each', () => {
    const perLayer = new Map<string, Set<string>>();
    for (const { file, specifier, isTypeOnly } of imports) {
      if (specifier !== 'sharp' || isTypeOnly) continue;
      perLayer.set(layerOf(file), (perLayer.get(layerOf(file)) ?? new Set()).add(path.relative(SRC, file)));
    }
    expect([...perLayer.values()].filter((users) => users.size > 1).map((users) => [...users])).toEqual([]);
  });
});

describe('the rim', () => {
  const source = (file: string) => readFileSync(file, 'utf8');
  const users = (pattern: RegExp, allowed: readonly string[]) =>
    files
      .filter((file) => !allowed.includes(layerOf(file)) && pattern.test(source(file)))
      .map((file) => path.relative(SRC, file));

  it('is where the environment and the arguments are read', () => {
    expect(users(/process\.(env|argv)\b/, ['settings', 'wiring', 'cli'])).toEqual([]);
  });

  it('is where the terminal is written', () => {
    expect(users(/process\.(stdout|stderr)\b|console\./, ['cli'])).toEqual([]);
  });

  it('keeps listing, storyboard and timeline pure', () => {
    const pure = new Set(['listing', 'storyboard', 'timeline']);
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|process\.|setTimeout)\b|from 'node:(?!crypto|url|module)/;
    expect(
      files
        .filter((file) => pure.has(layerOf(file)) && impure.test(source(file)))
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

function layerOf(file: string): string {
  const [first = ''] = path.relative(SRC, file).split(path.sep);
  return first.replace(/\.(tsx?|js)$/, '');
}

/** True for an import by `layer` that needs the row: a row without `:types` needs more than types. */
function isUseOf({ file, specifier, isTypeOnly }: Import, layer: string, row: string): boolean {
  if (layerOf(file) !== layer || !specifier.startsWith('.')) return false;
  const to = layerOf(path.resolve(path.dirname(file), specifier));
  return row === `${to}:types` || (row === to && !isTypeOnly);
}

function isAllowed({ file, specifier, isTypeOnly }: Import): boolean {
  const from = layerOf(file);
  const to = layerOf(path.resolve(path.dirname(file), specifier));
  if (from === to || from === 'index' || STAND_ALONE.includes(to)) return true;
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

function readLayerTable(markdown: string): Map<string, Set<string>> {
  const rows = markdown.matchAll(/^\| `([a-z]+)` \| ([^|]*) \|/gm);
  return new Map(
    [...rows].map(([, layer = '', allowed = '']) => [
      layer,
      new Set([...allowed.matchAll(/`([a-z:]+)`/g)].map((m) => m[1] ?? '')),
    ]),
  );
}
