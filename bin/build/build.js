/**
 * Builds `dist/` from `src/`: the bundles, the types of the library, the WebAssembly modules, the manual page, and the plain
 * files that are read at run time. Run by `npm run build` and by `bin/prepare.js`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findModule, MODULES } from '../../src/platform/build-assembly.js';
import { bundleProgram } from './bundle-program.js';
import { makeFiles } from './make-files.js';
import { missingTools } from './tools.js';
import { writeTypes } from './write-types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SRC = path.join(ROOT, 'src');
const DIST = path.join(ROOT, 'dist');
/** Files beside the code that it reads at run time. */
const COPIED = new Set(['.json', '.css', '.svg', '.html', '.bash', '.zsh', '.fish', '.ps1']);
/** The guides of `listing-video help`; other Markdown is for readers of the code. */
const GUIDES = path.join(SRC, 'cli', 'help');
/** Scripts that browsers load as they are. */
const PAGE = path.join(SRC, 'studio', 'serve-page');
/** Compiler settings of the folders that browsers load. */
const SETTINGS = 'tsconfig.json';
/** Styles that are read as they are; those of other folders are in bundles. */
const TOKENS = path.join(SRC, 'studio', 'components', 'tokens.css');

/** True when `dist/` is there, with the declarations of the library if `isForPackage`, and no source file is newer than it. */
export function isBuilt({ isForPackage }) {
  const stamp = path.join(DIST, 'main.js');
  if (!existsSync(stamp) || (isForPackage && !existsSync(path.join(DIST, 'index.d.ts')))) return false;
  const builtMs = statSync(stamp).mtimeMs;
  return listFiles(SRC).every((file) => statSync(file).mtimeMs <= builtMs);
}

/**
 * Builds in a folder of its own and swaps it in, so that a program that starts meanwhile sees the old build or the new one,
 * never half of one.
 *
 * @param {{ readonly isForPackage: boolean }} options - False leaves out the declarations of the library and the packed fonts, which
 *   take most of the time. A checkout has its fonts in `node_modules`.
 * @throws Error when the compilers report errors; `dist/` is then as it was.
 */
export async function build({ isForPackage }) {
  const staging = path.join(ROOT, `dist.${process.pid}.tmp`);
  rmSync(staging, { recursive: true, force: true });
  try {
    mkdirSync(staging);
    copyFiles(staging);
    await Promise.all([
      isForPackage && writeTypes(ROOT, staging),
      ...MODULES.map((module) => copyModule(module, staging)),
      bundleProgram(ROOT, staging),
      makeFiles(ROOT, staging, { isForPackage }),
    ]);
    replaceFolder(staging, DIST);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function copyFiles(staging) {
  for (const file of listFiles(SRC)) {
    const folder = path.dirname(file);
    const ending = path.extname(file);
    const isGuide = folder === GUIDES && ending === '.md';
    const isScript = folder === PAGE && ending === '.js';
    const isData =
      COPIED.has(ending) &&
      path.basename(file) !== SETTINGS &&
      (ending !== '.css' || folder === PAGE || file === TOKENS) &&
      !file.includes(`${path.sep}assembly${path.sep}`);
    if (isGuide || isScript || isData) cpSync(file, path.join(staging, path.relative(SRC, file)));
  }
}

async function copyModule(module, staging) {
  const file = path.join(staging, module);
  const compiled = await findModule(module);
  mkdirSync(path.dirname(file), { recursive: true });
  cpSync(compiled, file);
}

/** Two processes can build at the same time: the first start of a checkout, twice. Then either build is right. */
function replaceFolder(from, to) {
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(path.join(to, 'main.js'))) throw error;
  }
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingTools();
  if (missing.length === 0) await build({ isForPackage: true });
  else {
    console.error(`cannot build: ${missing.join(', ')} cannot be found (run \`npm ci\`)`);
    process.exitCode = 1;
  }
}
