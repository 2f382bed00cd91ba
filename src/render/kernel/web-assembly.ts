/** The part of WebAssembly's JavaScript interface that is used here: its types ship with the DOM's, which Node lacks. */

/** A shared linear memory. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB. @returns The pages there were. */
  grow(pages: number): number;
}

interface WebAssemblyNamespace {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedWasmMemory;
  validate(bytes: Uint8Array): boolean;
  instantiate(
    bytes: Uint8Array,
    imports: { env: { memory: SharedWasmMemory } },
  ): Promise<{ readonly instance: { readonly exports: object } }>;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly;
