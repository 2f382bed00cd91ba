/** Loads the compiled kernel, compiles it, or falls back on the TypeScript twin. */
import { loadAssembly } from '../../../platform/load-assembly.ts';
import { catmullRomTable } from './catmull-rom.ts';
import type { KernelFunctions } from './kernel-functions.ts';
import { KernelMemory } from './kernel-memory.ts';
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

/**
 * Loads the kernel with a new memory.
 *
 * @param options.backend - `typescript` selects the twin; default: SIMD when there is a module and the machine supports
 *   it.
 */
export async function loadKernel(options: { readonly backend?: KernelBackend } = {}): Promise<Kernel> {
  const memory = new KernelMemory();
  const lut = memory.allocate(8 * 1024);
  memory.view(lut, 8 * 1024).set(new Uint8Array(catmullRomTable().buffer));
  if (options.backend !== 'typescript') {
    const functions = await loadAssembly<KernelFunctions>(
      'media/render/kernel/kernel.wasm',
      memory.wasmMemory,
    );
    if (functions !== undefined) return { backend: 'wasm-simd', memory, functions, lut };
  }
  return { backend: 'typescript', memory, functions: createTwin(memory), lut };
}
