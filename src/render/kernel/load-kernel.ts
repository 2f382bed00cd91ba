/** Loads the compiled kernel, compiles it, or falls back on the TypeScript twin. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { catmullRomTable } from './catmull-rom.ts';
import type { KernelFunctions } from './kernel-functions.ts';
import { KernelMemory, webAssembly } from './kernel-memory.ts';
import { createTwin } from './twin.ts';

/** The two implementations of {@link KernelFunctions}. */
export type KernelBackend = 'wasm-simd' | 'typescript';

/** The functions with the memory they work on. */
export interface Kernel {
  readonly backend: KernelBackend;
  readonly memory: KernelMemory;
  readonly functions: KernelFunctions;
  /** Address of the Catmull-Rom weights. */
  readonly lut: number;
}

const HERE = path.dirname(fileURLToPath(import.meta.url));

/**
 * The module's bytes: `kernel.wasm` beside the compiled program. In a source tree it is compiled once for each version of
 * the AssemblyScript, into `node_modules/.cache` (into the system's temp folder where that cannot be written).
 */
async function readModule(): Promise<Buffer | undefined> {
  const builtFile = path.join(HERE, 'kernel.wasm');
  if (existsSync(builtFile)) return readFile(builtFile);
  const assemblyDir = path.join(HERE, 'assembly');
  if (!existsSync(assemblyDir)) return undefined;
  const hash = createHash('sha256');
  const sources = (await readdir(assemblyDir)).filter((name) => name.endsWith('.ts')).sort();
  for (const name of sources) hash.update(await readFile(path.join(assemblyDir, name)));
  hash.update(await readFile(path.join(HERE, 'build-kernel.js')));
  const name = path.join('listing-video', `kernel-${hash.digest('hex').slice(0, 16)}.wasm`);
  const cacheFiles = [path.join(HERE, '../../../node_modules/.cache', name), path.join(os.tmpdir(), name)];
  for (const file of cacheFiles) if (existsSync(file)) return readFile(file);
  for (const file of cacheFiles) {
    try {
      // @ts-expect-error -- plain JavaScript without declarations, and absent from the published package's types.
      const { buildKernel } = await import('./build-kernel.js');
      await buildKernel(file);
      return await readFile(file);
    } catch {
      // No compiler (installed without development packages) or no permission to write here: try the next place, else the twin.
    }
  }
  return undefined;
}

/**
 * Loads the kernel with a new memory.
 *
 * @param options.backend - `typescript` selects the twin; default: SIMD when there is a module and the machine supports it.
 */
export async function loadKernel(options: { readonly backend?: KernelBackend } = {}): Promise<Kernel> {
  const memory = new KernelMemory();
  const lut = memory.allocate(8 * 1024);
  memory.view(lut, 8 * 1024).set(new Uint8Array(catmullRomTable().buffer));
  if (options.backend !== 'typescript') {
    const bytes = await readModule();
    // `validate` is false where the engine lacks SIMD or threads.
    if (bytes !== undefined && webAssembly.validate(bytes)) {
      const { instance } = await webAssembly.instantiate(bytes, { env: { memory: memory.wasmMemory } });
      const functions = instance.exports as unknown as KernelFunctions;
      return { backend: 'wasm-simd', memory, functions, lut };
    }
  }
  return { backend: 'typescript', memory, functions: createTwin(memory), lut };
}
