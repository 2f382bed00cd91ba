/** Compiles the AssemblyScript kernel. Plain JavaScript, so that the build can call it before anything is compiled. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compiles `assembly/index.ts` (beside this file) to `outFile`, written aside and renamed.
 *
 * The module imports one shared memory, holds no data of its own and needs no runtime.
 *
 * @param {string} outFile - Where the `.wasm` goes; its folder is made.
 * @throws {Error} With the compiler's messages when it refuses the source; when `assemblyscript` is not installed.
 */
export async function buildKernel(outFile) {
  const { default: asc } = await import('assemblyscript/asc');
  const baseDir = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assembly');
  let wasm;
  const { error, stderr } = await asc.main(
    [
      'index.ts',
      ...['--baseDir', baseDir],
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
  } finally {
    await rm(asideFile, { force: true });
  }
}
