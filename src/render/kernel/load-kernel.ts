/** Loads the compiled kernel, compiles it, or falls back on the TypeScript twin. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../program-files.ts';
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

/** The module's bytes: `kernel.wasm` of the build, or what `build-kernel.js` makes of the sources. */
async function readModule(): Promise<Buffer | undefined> {
  const builtFile = codeFile('render/kernel/kernel.wasm');
  if (existsSync(builtFile)) return readFile(builtFile);
  try {
    // By its place, which keeps it and the compiler out of the build.
    const builder = await import(pathToFileURL(codeFile('render/kernel/build-kernel.js')).href);
    return await readFile(await builder.findKernel());
  } catch {
    // No compiler, or no permission to write: the twin takes over.
    return undefined;
  }
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
