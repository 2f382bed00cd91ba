/**
 * Builds `dist/` from `src/` where a compiler is installed: TypeScript, the WebAssembly kernel, the manual page, and the
 * plain files that are read at run time. Run by npm's `prepare` (so after `npm ci`), by `npm run build`, and by the launcher of a checkout
 * whose scripts were not run. Without a compiler it does nothing: the launcher then runs `src/` through tsx.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');
/** Files beside the code that it reads or starts at run time. */
const COPIED = new Set(['.js', '.json', '.css', '.svg', '.html', '.bash', '.zsh', '.fish']);
/** The guides of `listing-video help`; other Markdown is for readers of the code. */
const GUIDES = path.join(SRC, 'cli', 'help');

/** True when `dist/` is there and no source file is newer than it. */
export function isBuilt() {
  const stamp = path.join(DIST, 'cli', 'main.js');
  if (!existsSync(stamp)) return false;
  const builtMs = statSync(stamp).mtimeMs;
  return !existsSync(SRC) || listFiles(SRC).every((file) => statSync(file).mtimeMs <= builtMs);
}

/** True when this checkout has the compiler (a dev dependency) and sources to compile. */
export function canBuild() {
  return existsSync(SRC) && findCompiler() !== null;
}

/**
 * Compiles into a folder of its own and swaps it in, so that a program that starts meanwhile sees the old build or the
 * new one, never half of one.
 *
 * @throws Error when the compiler reports errors; `dist/` is then as it was.
 */
export async function build() {
  const compiler = findCompiler();
  if (!compiler) throw new Error('cannot build: typescript is not installed (run `npm ci`)');
  const staging = path.join(ROOT, `dist.${process.pid}.tmp`);
  rmSync(staging, { recursive: true, force: true });
  try {
    const tsc = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', staging], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
    });
    if (tsc.status !== 0) throw new Error('the TypeScript compiler reported errors');
    for (const file of listFiles(SRC)) {
      const isGuide = path.dirname(file) === GUIDES && path.extname(file) === '.md';
      const isCopied = COPIED.has(path.extname(file)) && !file.includes(`${path.sep}assembly${path.sep}`);
      if (!isGuide && !isCopied) continue;
      const target = path.join(staging, path.relative(SRC, file));
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(file, target);
    }
    const kernelBuilder = path.join(SRC, 'render', 'kernel', 'build-kernel.js');
    if (existsSync(kernelBuilder)) {
      const { buildKernel } = await import(pathToFileURL(kernelBuilder).href);
      await buildKernel(path.join(staging, 'render', 'kernel', 'kernel.wasm'));
    }
    await writeSchemas(staging);
    await bundlePackage(
      path.join(staging, 'listing', 'words', 'phone-library.js'),
      'libphonenumber-js, MIT licence, (c) its authors; metadata of libphonenumber, Apache 2.0, (c) Google',
    );
    await bundlePackage(
      path.join(staging, 'encode', 'mp4-reader.js'),
      'mediabunny, MPL 2.0, (c) its authors; its source is the npm package mediabunny',
    );
    copyPageFiles(path.join(staging, 'server', 'page', 'packages'));
    await writeManual(staging);
    copyPublishedSchemas(staging);
    const fonts = path.join('text', 'fonts');
    const { packFonts } = await import(pathToFileURL(path.join(staging, 'text', 'pack-fonts.js')).href);
    await packFonts(path.join(staging, fonts), path.join(DIST, fonts));
    rmSync(DIST, { recursive: true, force: true });
    renameSync(staging, DIST);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The schemas as code, and those of listings and reports as files for editors and programs, each from its one source. */
async function writeSchemas(staging) {
  const load = (name) => import(pathToFileURL(path.join(staging, name)).href);
  const { LISTING_SCHEMA, listingFileSchema } = await load('listing/rules/schema.js');
  const { OUTCOME_SCHEMA, PAYLOAD_SCHEMA } = await load('video/video-task-schema.js');
  const { buildValidator } = await load('listing/rules/build-validator.js');
  const folder = path.join(staging, 'listing', 'rules');
  const schemas = { listing: LISTING_SCHEMA, 'task-payload': PAYLOAD_SCHEMA, 'task-outcome': OUTCOME_SCHEMA };
  for (const [name, schema] of Object.entries(schemas)) {
    writeFileSync(path.join(folder, `${name}-validator.cjs`), buildValidator(schema));
  }
  const { reportSchema } = await load('video/publish/report.js');
  const files = { 'listing/listing': listingFileSchema(), 'video/report': reportSchema() };
  for (const [name, schema] of Object.entries(files)) {
    writeFileSync(path.join(staging, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  }
}

/** Replaces a module that re-exports a package by one file with what is used of it, which loads much faster. */
async function bundlePackage(file, notice) {
  const { build: bundle } = await import('esbuild');
  await bundle({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    absWorkingDir: ROOT,
    nodePaths: [path.join(ROOT, 'node_modules')],
    banner: { js: `/*! ${notice} */` },
    logLevel: 'error',
  });
}

/**
 * What browsers load of the viewer of the API, and the font of the pages, with their licences. The viewer's package itself would bring a dependency that reports
 * each installation to a third party.
 */
function copyPageFiles(folder) {
  const viewer = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(folder, { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt']) {
    cpSync(path.join(viewer, name), path.join(folder, name));
  }
  for (const name of ['LICENSE', 'NOTICE'])
    cpSync(path.join(viewer, name), path.join(folder, `swagger-ui.${name}`));
  const fonts = path.join(ROOT, 'node_modules', '@expo-google-fonts', 'eb-garamond');
  cpSync(path.join(fonts, '400Regular', 'EBGaramond_400Regular.ttf'), path.join(folder, 'eb-garamond.ttf'));
  cpSync(path.join(fonts, 'LICENSE_FONT'), path.join(folder, 'eb-garamond.LICENSE'));
}

/** Manifests name their schema by this path of the package, so it stays where the first version had it. */
function copyPublishedSchemas(staging) {
  const folder = path.join(staging, 'cli', 'batch');
  mkdirSync(folder, { recursive: true });
  for (const name of ['batch-events.schema.json', 'batch-manifest.schema.json'])
    cpSync(path.join(SRC, 'cli', 'create', name), path.join(folder, name));
}

/** The manual page, from the commands themselves. */
async function writeManual(staging) {
  const { formatManual } = await import(pathToFileURL(path.join(staging, 'cli', 'format-manual.js')).href);
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(path.join(staging, 'man'));
  writeFileSync(path.join(staging, 'man', 'listing-video.1'), formatManual(version));
}

function findCompiler() {
  try {
    const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
    const bin = path.join(path.dirname(manifest), 'bin', 'tsc');
    return existsSync(bin) ? bin : null;
  } catch {
    return null;
  }
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const forced = process.argv.includes('--force');
  if (!canBuild()) {
    process.exitCode = forced ? 1 : 0;
    if (forced) console.error('cannot build: typescript is not installed (run `npm ci`)');
  } else if (forced || !isBuilt()) {
    await build();
  }
}
