/** WebAssembly modules of the build, or compiled from their sources where TypeScript runs without one. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { codeFile } from './program-files.ts';

export interface WasmMemory<Bytes extends ArrayBufferLike> {
  readonly buffer: Bytes;
  /** Adds pages of 64 KiB. @returns The pages there were. */
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here; its types ship with the DOM's, which Node lacks. */
interface WebAssemblyNamespace {
  readonly Memory: {
    new (limits: { initial: number; maximum: number; shared: true }): WasmMemory<SharedArrayBuffer>;
    new (limits: { initial: number }): WasmMemory<ArrayBuffer>;
  };
  validate(bytes: Uint8Array): boolean;
  instantiate(
    bytes: Uint8Array,
    imports: { env: { memory: WasmMemory<ArrayBufferLike> } },
  ): Promise<{ readonly instance: { readonly exports: object } }>;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly;

/**
 * The functions of a module, working on `memory`. Undefined: it cannot be read or compiled here, or the machine lacks
 * SIMD or threads.
 *
 * @param module - Its place below `dist/`; see build-assembly.js.
 */
export async function loadAssembly<Functions>(
  module: string,
  memory: WasmMemory<ArrayBufferLike>,
): Promise<Functions | undefined> {
  const bytes = await readModule(module);
  if (bytes === undefined || !webAssembly.validate(bytes)) return undefined;
  const { instance } = await webAssembly.instantiate(bytes, { env: { memory } });
  return instance.exports as unknown as Functions;
}

async function readModule(module: string): Promise<Buffer | undefined> {
  const builtFile = codeFile(module);
  try {
    if (existsSync(builtFile)) return await readFile(builtFile);
    // By its place, which keeps it and the compiler out of the build.
    const builder = await import(pathToFileURL(codeFile('platform/build-assembly.js')).href);
    return await readFile(await builder.findModule(module));
  } catch {
    // No compiler, or no permission to read or write.
    return undefined;
  }
}
