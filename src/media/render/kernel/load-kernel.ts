/** Loads the compiled kernel, and compiles it where TypeScript runs without a build. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { loadAssembly } from '../../../platform/load-assembly.ts';
import { catmullRomTable } from './catmull-rom.ts';
import type { KernelFunctions } from './kernel-functions.ts';
import { KernelMemory } from './kernel-memory.ts';

/** The functions with the memory they work on. */
export interface Kernel {
  readonly memory: KernelMemory;
  readonly functions: KernelFunctions;
  /** Address of the Catmull-Rom weights. */
  readonly lut: number;
}

/**
 * Loads the kernel with a new memory.
 *
 * @throws {@link ListingVideoError} `render_failed` when this processor or this Node cannot run it.
 */
export async function loadKernel(): Promise<Kernel> {
  const memory = new KernelMemory();
  const module = 'media/render/kernel/kernel.wasm';
  const functions = await loadAssembly<KernelFunctions>(module, memory.wasmMemory);
  if (functions === undefined) {
    throw new ListingVideoError(
      'render_failed',
      'this machine cannot draw frames: WebAssembly with SIMD is missing',
      {
        hint: 'use a processor with SSE4.1 (2008 or newer) or a 64-bit ARM; in a checkout, run npm ci and npm run build',
      },
    );
  }
  return withTable(memory, functions);
}

/** A kernel of other functions over `memory`, which get the same table. */
export function withTable(memory: KernelMemory, functions: KernelFunctions): Kernel {
  const lut = memory.allocate(8 * 1024);
  memory.view(lut, 8 * 1024).set(new Uint8Array(catmullRomTable().buffer));
  return { memory, functions, lut };
}
