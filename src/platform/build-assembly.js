/**
 * Compiles the AssemblyScript of the program. Plain JavaScript, so that the build can call it before anything is
 * compiled.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('..', import.meta.url));

/** The modules, by their place below `dist/`, with their memories. The sources are in `assembly/` beside that place. */
const MEMORIES = {
  // Finished frames are read by another thread. The maximum agrees with kernel-memory.ts.
  'media/render/kernel/kernel.wasm': ['--sharedMemory', '--maximumMemory', '16384'],
  'media/assets/decode/yuv-planes.wasm': [],
};

/** The places of all modules below `dist/`. */
export const MODULES = Object.keys(MEMORIES);

/**
 * A module compiled from these sources, from an earlier call or compiled now, which takes up to 6 s of CPU. It is kept
 * in `node_modules/.cache`, or in the system's temp folder where that cannot be written.
 *
 * @param {string} module - One of {@link MODULES}.
 * @returns {Promise<string>} Path of the `.wasm`.
 * @throws {Error} When `assemblyscript` is not installed or refuses the sources.
 */
export async function findModule(module) {
  const folder = path.join(SRC, path.dirname(module), 'assembly');
  const hash = createHash('sha256');
  const sources = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  for (const name of sources) hash.update(await readFile(path.join(folder, name)));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  const file = `${path.basename(module, '.wasm')}-${hash.digest('hex').slice(0, 16)}.wasm`;
  const name = path.join('listing-video', file);
  const [kept, spare] = [path.join(SRC, '../../node_modules/.cache', name), path.join(os.tmpdir(), name)];
  for (const found of [kept, spare]) if (existsSync(found)) return found;
  return compile(module, folder, kept).catch((error) =>
    error.code === undefined ? Promise.reject(error) : compile(module, folder, spare),
  );
}

/**
 * Compiles `index.ts` of `folder` to `outFile`, written aside and renamed.
 *
 * The module imports its memory, holds no data of its own and needs no runtime.
 *
 * @param {string} module - Decides the kind of memory.
 * @param {string} folder - Of the sources.
 * @param {string} outFile - Where the `.wasm` goes; its folder is made.
 * @returns {Promise<string>} `outFile`.
 * @throws {Error} With the compiler's messages when it refuses the source; when `assemblyscript` is not installed.
 */
async function compile(module, folder, outFile) {
  const { default: asc } = await import('assemblyscript/asc');
  let wasm;
  const { error, stderr } = await asc.main(
    [
      'index.ts',
      ...['--baseDir', folder],
      ...['--outFile', 'module.wasm'],
      ...['-O3', '--converge', '--noAssert'],
      ...['--runtime', 'stub'],
      ...['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
      ...['--importMemory', '--initialMemory', '1', ...MEMORIES[module]],
    ],
    {
      writeFile(_name, contents) {
        wasm = contents;
      },
    },
  );
  if (error || wasm === undefined) {
    throw new Error(`${module} did not compile: ${stderr?.toString() ?? ''}`, { cause: error });
  }
  await mkdir(path.dirname(outFile), { recursive: true });
  const asideFile = `${outFile}.${process.pid}.${Date.now()}.tmp`;
  try {
    await writeFile(asideFile, wasm);
    await rename(asideFile, outFile);
    return outFile;
  } finally {
    await rm(asideFile, { force: true });
  }
}
