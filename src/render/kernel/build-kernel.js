/** Compiles the AssemblyScript kernel. Plain JavaScript, so that the build can call it before anything is compiled. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const SOURCES = path.join(HERE, 'assembly');

/**
 * The compiled kernel of these sources, from an earlier call or compiled now, which takes 6 s of CPU. It is kept in `node_modules/.cache`,
 * or in the system's temp folder where that cannot be written.
 *
 * @returns {Promise<string>} Path of the `.wasm`.
 * @throws {Error} When `assemblyscript` is not installed or refuses the sources.
 */
export async function findKernel() {
  const hash = createHash('sha256');
  const sources = (await readdir(SOURCES)).filter((name) => name.endsWith('.ts')).sort();
  for (const name of sources) hash.update(await readFile(path.join(SOURCES, name)));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  const name = path.join('listing-video', `kernel-${hash.digest('hex').slice(0, 16)}.wasm`);
  const [kept, spare] = [path.join(HERE, '../../../node_modules/.cache', name), path.join(os.tmpdir(), name)];
  for (const file of [kept, spare]) if (existsSync(file)) return file;
  return buildKernel(kept).catch((error) =>
    error.code === undefined ? Promise.reject(error) : buildKernel(spare),
  );
}

/**
 * Compiles `assembly/index.ts` to `outFile`, written aside and renamed.
 *
 * The module imports one shared memory, holds no data of its own and needs no runtime.
 *
 * @param {string} outFile - Where the `.wasm` goes; its folder is made.
 * @returns {Promise<string>} `outFile`.
 * @throws {Error} With the compiler's messages when it refuses the source; when `assemblyscript` is not installed.
 */
async function buildKernel(outFile) {
  const { default: asc } = await import('assemblyscript/asc');
  let wasm;
  const { error, stderr } = await asc.main(
    [
      'index.ts',
      ...['--baseDir', SOURCES],
      ...['--outFile', 'kernel.wasm'],
      ...['-O3', '--converge', '--noAssert'],
      ...['--runtime', 'stub'],
      ...['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
      ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '16384'],
    ],
    {
      writeFile(_name, contents) {
        wasm = contents;
      },
    },
  );
  if (error || wasm === undefined) {
    throw new Error(`the frame kernel did not compile: ${stderr?.toString() ?? ''}`, { cause: error });
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
