/**
 * What the build relies on: where files are found, and the licenses of the packages in the bundles. Needs the build.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error Plain JavaScript without types.
import { groupModules } from '../../bin/build/group-modules.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SRC = path.join(ROOT, 'src');
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const sources = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .filter((file) => !file.includes(`${path.sep}assembly${path.sep}`));

describe('the bundles', () => {
  it('find files through program-files.ts, because code is elsewhere than its source', () => {
    const byOwnPlace =
      /new URL\([^)]*import\.meta|fileURLToPath\(import\.meta|import\.meta\.(?:dirname|filename)/;
    const found = sources.filter((file) => byOwnPlace.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => path.relative(SRC, file))).toEqual(['platform/program-files.ts']);
  });

  it('bring the license of every package that they contain', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const installed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const imported = sources.flatMap((file) =>
      Array.from(
        readFileSync(file, 'utf8').matchAll(
          /^(?:import|export) (?!type)[^;]*?from '(@[\w-]+\/[\w.-]+|(?!node:)[a-z][\w.-]*)/gm,
        ),
        ([, name]) => name!,
      ),
    );
    const bundled = [...new Set(imported)].filter((name) => !(name in installed));
    expect(bundled.length).toBeGreaterThan(15);
    const licenses = readFileSync(path.join(ROOT, 'dist', 'licenses.txt'), 'utf8');
    const names = Array.from(licenses.matchAll(/^(\S+) \d[\w.+-]* \(.+\)$/gm), ([, name]) => name);
    expect(bundled.filter((name) => !names.includes(name))).toEqual([]);
    // Every part after a line of dashes is a heading, an empty line, and the text.
    for (const part of licenses.split(/^-{78}\n/m).slice(1)) expect(part).toMatch(/^\S+ \d.* \(.+\)\n\n\S/);
  });

  it('do not depend on where the checkout is, so that packages of one commit have the same bytes', async () => {
    const [entry, shared] = ['src/cli/main.ts', 'src/listing/listing.ts'];
    const imports = [{ path: shared, kind: 'import-statement' as const }];
    const inputs = { [entry]: { bytes: 1, imports }, [shared]: { bytes: 1, imports: [] } };
    const outputs = { 'main.js': { entryPoint: entry, bytes: 1, inputs: {}, imports: [], exports: [] } };
    const plugin = groupModules(ROOT, { inputs, outputs }, [[shared]]);
    let load: ((file: { path: string }) => { contents: string }) | undefined;
    await plugin.setup({ onLoad: (_: unknown, call: typeof load) => (load = call) } as never);
    const { contents } = load!({ path: path.join(ROOT, entry) });
    expect(contents).toMatch(/^import ".\/..\/listing\/listing.ts";/);
  });

  it('load the code of a bucket and of a database only when a setting names one', () => {
    const dist = path.join(ROOT, 'dist');
    const chunks = readdirSync(path.join(dist, 'chunks')).map((name) => path.join(dist, 'chunks', name));
    // Of the code that signs requests, of `pg`, and of graphile-worker.
    for (const mark of ['AWS4-HMAC-SHA256', 'SCRAM-SERVER-FINAL-MESSAGE', 'GraphileWorkerInternalError'])
      expect(chunks.filter((file) => readFileSync(file, 'utf8').includes(mark))).toHaveLength(1);
    const commands = [
      'src/cli/main.ts',
      'src/cli/create/run-create.ts',
      'src/cli/serve/run-server.ts',
      'src/wiring/open-backend.ts',
      'src/video/make-videos.ts',
      'src/wiring/server/open-service.ts',
      'src/wiring/server/open-worker.ts',
    ];
    const imported = commands.flatMap((file) => [...staticImports(path.join(ROOT, file))]);
    expect(imported.length).toBeGreaterThan(100);
    const folders = ['storage', 'postgres'].map((name) => path.join(SRC, name) + path.sep);
    expect(imported.filter((file) => folders.some((folder) => file.startsWith(folder)))).toEqual([]);
  });

  it('of pages are small', () => {
    // The page of `serve` has the rules of a listing, for words about what the API refuses.
    for (const [page, maxBytes] of [
      ['studio/page', 150_000],
      ['studio/start-page', 60_000],
      ['studio/serve-page/browser', 180_000],
    ] as const) {
      const { size } = statSync(path.join(ROOT, 'dist', page, 'main.js'));
      expect(size, page).toBeLessThan(maxBytes);
    }
  });

  it('are all that a user installs of them', () => {
    const names = ['tsx', 'esbuild', 'libphonenumber-js', 'commander', 'undici', 'typescript'];
    expect(names.filter((name) => name in manifest.dependencies)).toEqual([]);
  });
});

/** Every source file that loads together with this one. */
function staticImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+\.ts)';/gm,
  );
  for (const [, specifier] of statements) staticImports(path.join(path.dirname(file), specifier!), found);
  return found;
}
