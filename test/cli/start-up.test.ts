/** What `--help` and `--version` load: commander, chalk and small files, nothing else. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Every file and package that `entry` imports before it does anything; `import()` waits until it is needed. */
function staticImports(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of source.matchAll(
      /^(?:import|export)\s(?!type\b)[^'";]*?from\s+'([^']+)'/gm,
    )) {
      if (specifier.startsWith('.')) queue.push(path.resolve(path.dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { files: [...files], packages: [...packages].sort() };
}

it('loads no packages but those that every command uses', () => {
  const { files, packages } = staticImports(MAIN);
  expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([
    ...['chalk', 'commander', 'fastest-levenshtein'],
  ]);
  const folders = new Set(
    files.map((file) => path.relative(path.dirname(path.dirname(MAIN)), file).split(path.sep)[0]),
  );
  expect([...folders].sort()).toEqual([...['cli', 'platform', 'task']]);
  // Each file costs some 0.3 ms.
  expect(files.length).toBeLessThan(56);
});
