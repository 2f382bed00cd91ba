/**
 * Joins the modules of `src/` and the packages that they use in few files, which load much faster: `main.js` (the command
 * line), `index.js` (the library), a file for each thread and child process, and `chunks/` with what they share or load later.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundlePage } from '../../src/studio/pages/bundle-page.js';
import { formatLicenses } from './format-licenses.js';
import { groupModules } from './group-modules.js';

/** Of every bundle. Names stay, so that stack traces can be read without a map. */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the line of the code that threw.
  lineLimit: 160,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
  // Groups import modules for their order, also those without side effects. Writing a hundred thousand such warnings takes 20 s.
  logOverride: { 'ignored-bare-import': 'silent' },
  // Folders of a checkout may be links, as `node_modules` often is in a second work tree; names then still start at the root.
  preserveSymlinks: true,
};

const MAP = { sourcemap: true, sourcesContent: false };

/** What CommonJS packages expect beside `require`. The tests of fluent-ffmpeg replace its code. */
const DEFINED = { __dirname: 'import.meta.dirname', 'process.env.FLUENTFFMPEG_COV': 'undefined' };

/** Gives CommonJS packages in a bundle Node's own modules. */
const REQUIRE =
  "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);";

/** What runs together, as the modules that lead to it: see `groupModules`. */
const GROUPS = [
  // Every command.
  ['src/cli/main.ts'],
  // Commands with settings, and those that use the store.
  [
    'src/cli/load-settings.ts',
    'src/platform/settings/machine-facts.ts',
    'src/wiring/open-backend.ts',
    'src/task/new-task-id.ts',
  ],
  // Commands that read listings.
  [
    'src/cli/listings/collect-inputs.ts',
    'src/cli/listings/read-listing.ts',
    'src/cli/listings/listing-result.ts',
    'src/cli/listings/format-validation.ts',
    'src/cli/terminal/print-json.ts',
    'src/listing/json/parse-json.ts',
    'src/listing/rules/validate-listing.ts',
    'src/listing/rules/unknown-properties.ts',
  ],
  // A listing whose videos are up to date.
  [
    'src/cli/create/run-create.ts',
    'src/video/make-videos.ts',
    'src/media/encode/ffmpeg/find-ffmpeg.ts',
    'src/cli/terminal/terminal-abilities.ts',
    'node_modules/supports-hyperlinks/index.js',
  ],
];

/** Pages with code to bundle, as folders below `src/`. */
const PAGES = ['studio/page', 'studio/start-page', 'studio/serve-page/browser'];

/** Of packages that `dist/` contains otherwise: see make-files.js. The code of AssemblyScript's runtime is in every module. */
const NOT_BUNDLED = ['swagger-ui-dist', '@expo-google-fonts/eb-garamond', 'assemblyscript'].map(
  (name) => `node_modules/${name}/package.json`,
);

/** Writes the bundles and `licenses.txt`, the licenses of all packages in `dist/`, into `staging`. */
export async function bundleProgram(root, staging) {
  const options = {
    ...OPTIONS,
    absWorkingDir: root,
    external: externalPackages(root),
    alias: {
      cosmiconfig: path.join(root, 'bin', 'build', 'no-config-file.js'),
      // Its main file loads the others in a way that cannot be bundled.
      'jsonc-parser': path.join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js'),
    },
    define: { ...DEFINED, BUILD_DIGEST: JSON.stringify(digestSources(root)) },
  };
  const [pageInputs, ...built] = await Promise.all([
    bundlePages(root, staging),
    bundleTogether(root, staging, options),
    ...findStartFiles(root).map(({ file, module }) => bundleAlone(staging, options, file, module)),
    // Loaded by `require`, and rarely: see compile-schema.ts.
    build({
      ...options,
      stdin: { contents: "export { Ajv2020 } from 'ajv/dist/2020.js'", resolveDir: root },
      format: 'cjs',
      outfile: path.join(staging, 'listing', 'rules', 'ajv.cjs'),
      minify: true,
      define: {},
    }),
  ]);
  for (const { path: file, text } of built.flatMap(({ outputFiles }) => outputFiles)) {
    const needsRequire = file.endsWith('.js') && text.includes('typeof require');
    writeFile(file, needsRequire ? REQUIRE + text : text);
  }
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(
    path.join(staging, 'licenses.txt'),
    formatLicenses(root, [...inputs, ...pageInputs, ...NOT_BUNDLED]),
  );
}

/** @returns The files in the bundles of pages. */
async function bundlePages(root, staging) {
  const all = await Promise.all(
    PAGES.map(async (page) => {
      const { files, inputs } = await bundlePage(path.join(root, 'src'), page);
      for (const [name, content] of files) writeFile(path.join(staging, page, name), content);
      return inputs;
    }),
  );
  return all.flat();
}

/** The command line and the library share `chunks/`, and load what they need of them. */
async function bundleTogether(root, staging, options) {
  const all = {
    ...options,
    entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: staging,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    define: { ...options.define, WAY_TO_DIST: '".."' },
  };
  const { metafile } = await build(all);
  return build({ ...all, ...MAP, plugins: [groupModules(root, metafile, GROUPS)] });
}

/** The code of a thread or a child process, in one file: each starts with nothing loaded. */
function bundleAlone(staging, options, file, module) {
  const way = path.posix.relative(path.posix.dirname(file), '.') || '.';
  return build({
    ...options,
    ...MAP,
    entryPoints: [module],
    outfile: path.join(staging, file),
    format: 'esm',
    define: { ...options.define, WAY_TO_DIST: JSON.stringify(way) },
  });
}

/** Differs for every change of the sources, and of the packages. */
function digestSources(root) {
  const src = path.join(root, 'src');
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const name of readdirSync(src, { recursive: true }).sort()) {
    if (/\.[jt]sx?$/.test(name)) hash.update(`${name}\0`).update(readFileSync(path.join(src, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** What users install beside the program. Development packages go into the bundles. */
function externalPackages(root) {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/**
 * The `.js` files in which a thread or a child process starts, and the module that each starts through tsx in a source tree. In the
 * build the module itself is at the place of that file.
 */
function findStartFiles(root) {
  const src = path.join(root, 'src');
  return readdirSync(src, { recursive: true }).flatMap((name) => {
    if (!name.endsWith('.js')) return [];
    const text = readFileSync(path.join(src, name), 'utf8');
    const [, module] = /startModule\(import\.meta\.url, '\.\/([\w-]+)'\)/.exec(text) ?? [];
    if (module === undefined) return [];
    return [{ file: name, module: path.join(src, path.dirname(name), `${module}.ts`) }];
  });
}

function writeFile(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
