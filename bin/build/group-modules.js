/**
 * Keeps modules that start together in one chunk. esbuild makes a chunk for each set of entries that share a module, which are
 * hundreds, and reading a file takes longer than running most. So every entry that needs a module of a group is made to import
 * the whole group.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A plugin for esbuild.
 *
 * @param {string} root - Of the checkout.
 * @param {import('esbuild').Metafile} metafile - Of the same entries without the plugin.
 * @param {readonly (readonly string[])[]} groupedStarts - Modules, from the root. What those of a row load without `import()` becomes a
 *   group, less the groups before it.
 */
export function groupModules(root, metafile, groupedStarts) {
  const graph = new Graph(metafile);
  const groups = [];
  for (const starts of groupedStarts) {
    for (const start of starts) if (!graph.has(start)) throw new Error(`${start} is not in the program`);
    const known = new Set(groups.flat());
    const files = new Set(starts.flatMap((start) => [...graph.loadedBy(start)]));
    groups.push([...files].filter((file) => !known.has(file)));
  }
  const additions = new Map();
  for (const entry of graph.entries()) {
    const loaded = graph.loadedBy(entry);
    const files = groups
      .filter((group) => group.some((file) => loaded.has(file)))
      .flat()
      // Such a module must run after the entry.
      .filter((file) => !graph.loadedBy(file).has(entry));
    if (files.length > 0) additions.set(path.join(root, entry), files);
  }
  return {
    name: 'group-modules',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path: file }) => {
        const files = additions.get(file);
        if (files === undefined) return undefined;
        // Not absolute: the columns of the source map, and with them the names of chunks, would depend on where the checkout is.
        const wayTo = (each) =>
          `./${path.relative(path.dirname(file), path.join(root, each)).replaceAll(path.sep, '/')}`;
        const imports = files.map((each) => `import ${JSON.stringify(wayTo(each))};`).join('');
        // On the first line, so that the source map stays right.
        return { contents: imports + readFileSync(file, 'utf8'), loader: file.endsWith('ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** Which files import which. */
class Graph {
  #imports = new Map();
  #entries = new Set();
  #loaded = new Map();

  constructor({ inputs, outputs }) {
    for (const [file, { imports }] of Object.entries(inputs)) {
      const own = imports.filter(({ external }) => !external);
      this.#imports.set(
        file,
        own.filter(({ kind }) => kind !== 'dynamic-import').map((each) => each.path),
      );
      for (const { kind, path: target } of own) if (kind === 'dynamic-import') this.#entries.add(target);
    }
    for (const { entryPoint } of Object.values(outputs)) if (entryPoint) this.#entries.add(entryPoint);
  }

  has(file) {
    return this.#imports.has(file);
  }

  entries() {
    return this.#entries;
  }

  /** The files that run before and with `file`. */
  loadedBy(file) {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known;
    const loaded = new Set([file]);
    for (const each of loaded) for (const target of this.#imports.get(each) ?? []) loaded.add(target);
    this.#loaded.set(file, loaded);
    return loaded;
  }
}
