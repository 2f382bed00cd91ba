/**
 * Joins the modules of `src/` and the packages that they use in few files, which load much faster: `main.js` (the command
 * line), `index.js` (the library), a file for each thread and child process, and `chunks/` with what they share or load later.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { formatLicenses } from './format-licenses.js';

/** Of every bundle. Names stay, so that stack traces can be read without a map. */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
};

/** What CommonJS packages expect beside `require`. The tests of fluent-ffmpeg replace its code. */
const DEFINED = { __dirname: 'import.meta.dirname', 'process.env.FLUENTFFMPEG_COV': 'undefined' };

/** Gives CommonJS packages in a bundle Node's own modules. */
const REQUIRE =
  "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);";

/** Writes the bundles and `licenses.txt`, the licences of all packages in them, into `staging`. */
export async function bundleProgram(root, staging) {
  const common = { ...OPTIONS, absWorkingDir: root, outdir: staging, external: externalPackages(root) };
  const [program, ajv] = await Promise.all([
    build({
      ...common,
      entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', ...findStartFiles(root) },
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      sourcemap: true,
      sourcesContent: false,
      define: DEFINED,
    }),
    // Loaded by `require`, and rarely: see load-ajv.ts.
    build({
      ...common,
      stdin: { contents: "export { Ajv2020 } from 'ajv/dist/2020.js'", resolveDir: root },
      format: 'cjs',
      outdir: undefined,
      outfile: path.join(staging, 'listing', 'rules', 'ajv.cjs'),
      minify: true,
    }),
  ]);
  for (const { path: file, text } of [...program.outputFiles, ...ajv.outputFiles]) {
    const needsRequire = file.endsWith('.js') && text.includes('typeof require');
    writeFile(file, needsRequire ? REQUIRE + text : text);
  }
  const inputs = [program, ajv].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(path.join(staging, 'licenses.txt'), formatLicenses(root, inputs));
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
  const found = {};
  for (const name of readdirSync(src, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(path.join(src, name), 'utf8');
    const [, module] = /startModule\(import\.meta\.url, '\.\/([\w-]+)'\)/.exec(text) ?? [];
    if (module !== undefined) found[name.slice(0, -3)] = path.join(src, path.dirname(name), `${module}.ts`);
  }
  return found;
}

function writeFile(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
