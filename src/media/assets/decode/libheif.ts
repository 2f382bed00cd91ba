/**
 * Loads libheif, a decoder of HEIC in WebAssembly, and gives its memory and its C functions to `decode-heic.ts`. Only
 * this file imports it. It runs in the decode process, and only when a HEIC comes.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { UnusableAsset } from '../unusable-asset.ts';

const MIB = 1024 * 1024;
/**
 * Maximum memory of the decoder. It blocks the event loop, so the process cannot watch its memory meanwhile. A photo of
 * 12 megapixels needs 92 MB, one of 48 megapixels 330 MB.
 */
export const MAX_HEIC_MEMORY_BYTES = 640 * MIB;
/**
 * WebAssembly memory never shrinks: above this an instance is not used again, so that its memory is free for the next
 * photo.
 */
const MAX_KEPT_BYTES = 192 * MIB;
const PAGE_BYTES = 65_536;
const CODE = 'libheif-js/libheif-wasm/libheif.wasm';
const GLUE = 'libheif-js/libheif-wasm/libheif.js';

type Pointer = number;

/** The functions of libheif 1.23 that are used. An `error` points to 12 bytes that receive code, subcode and text. */
export interface HeifFunctions {
  _malloc(sizeBytes: number): Pointer;
  _free(at: Pointer): void;
  _heif_context_alloc(): Pointer;
  _heif_context_free(context: Pointer): void;
  _heif_context_get_security_limits(context: Pointer): Pointer;
  _heif_context_read_from_memory_without_copy(
    error: Pointer,
    context: Pointer,
    data: Pointer,
    sizeBytes: number,
    options: Pointer,
  ): void;
  _heif_context_get_primary_image_handle(error: Pointer, context: Pointer, handle: Pointer): void;
  _heif_context_get_image_handle(error: Pointer, context: Pointer, item: number, handle: Pointer): void;
  _heif_image_handle_get_number_of_auxiliary_images(handle: Pointer, filter: number): number;
  _heif_image_handle_get_list_of_auxiliary_image_IDs(
    handle: Pointer,
    filter: number,
    items: Pointer,
    count: number,
  ): number;
  _heif_image_handle_get_auxiliary_image_handle(
    error: Pointer,
    handle: Pointer,
    item: number,
    auxiliary: Pointer,
  ): void;
  _heif_image_handle_release(handle: Pointer): void;
  _heif_image_handle_get_item_id(handle: Pointer): number;
  _heif_item_get_item_type(context: Pointer, item: number): number;
  _heif_item_get_item_data(
    error: Pointer,
    context: Pointer,
    item: number,
    compression: Pointer,
    data: Pointer,
    sizeBytes: Pointer,
  ): void;
  _heif_release_item_data(context: Pointer, data: Pointer): void;
  _heif_image_handle_get_image_tiling(
    error: Pointer,
    handle: Pointer,
    isOriented: number,
    tiling: Pointer,
  ): void;
  _heif_image_handle_get_grid_image_tile_id(
    error: Pointer,
    handle: Pointer,
    isOriented: number,
    column: number,
    row: number,
    item: Pointer,
  ): void;
  _heif_image_handle_get_width(handle: Pointer): number;
  _heif_image_handle_get_height(handle: Pointer): number;
  _heif_image_handle_get_ispe_width(handle: Pointer): number;
  _heif_image_handle_get_ispe_height(handle: Pointer): number;
  _heif_image_handle_has_alpha_channel(handle: Pointer): number;
  _heif_image_handle_get_raw_color_profile_size(handle: Pointer): number;
  _heif_image_handle_get_raw_color_profile(error: Pointer, handle: Pointer, data: Pointer): void;
  _heif_image_handle_get_nclx_color_profile(error: Pointer, handle: Pointer, profile: Pointer): void;
  _heif_nclx_color_profile_free(profile: Pointer): void;
  _heif_decoding_options_alloc(): Pointer;
  _heif_decoding_options_free(options: Pointer): void;
  _heif_decode_image(
    error: Pointer,
    handle: Pointer,
    image: Pointer,
    colorspace: number,
    chroma: number,
    options: Pointer,
  ): void;
  _heif_image_get_width(image: Pointer, channel: number): number;
  _heif_image_get_height(image: Pointer, channel: number): number;
  _heif_image_get_plane_readonly2(image: Pointer, channel: number, stride: Pointer): Pointer;
  _heif_image_release(image: Pointer): void;
  _de265_new_decoder(): Pointer;
  _de265_set_parameter_bool(decoder: Pointer, parameter: number, value: number): void;
  /** @param timeLow - And `timeHigh`: a time that the picture has in a video. */
  _de265_push_NAL(
    decoder: Pointer,
    data: Pointer,
    sizeBytes: number,
    timeLow: number,
    timeHigh: number,
    userData: Pointer,
  ): number;
  _de265_flush_data(decoder: Pointer): number;
  _de265_decode(decoder: Pointer, hasMore: Pointer): number;
  _de265_get_next_picture(decoder: Pointer): Pointer;
  _de265_free_decoder(decoder: Pointer): number;
  _de265_get_chroma_format(picture: Pointer): number;
  _de265_get_bits_per_pixel(picture: Pointer, plane: number): number;
  _de265_get_image_width(picture: Pointer, plane: number): number;
  _de265_get_image_height(picture: Pointer, plane: number): number;
  _de265_get_image_plane(picture: Pointer, plane: number, stride: Pointer): Pointer;
}

/** An instance with a memory of its own. */
export interface LibHeif {
  readonly call: HeifFunctions;
  /** A view of the whole memory. The next call can make it invalid. */
  bytes(): Buffer;
}

/** The part of WebAssembly that is used here; its types ship with the DOM's, which Node lacks. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
interface WebAssemblyNamespace {
  readonly Memory: new (limits: object) => WasmMemory;
  readonly Instance: new (code: object, imports: object) => WasmInstance;
  compile(bytes: Uint8Array): Promise<object>;
}
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly;

interface FactoryOptions {
  printErr(line: string): void;
  instantiateWasm(imports: object, done: (instance: WasmInstance) => void): WasmInstance['exports'];
}

let code: Promise<object> | undefined;
let kept: LibHeif | undefined;

/**
 * Calls `use` with an instance. Instances are used again, except after a large photo and after an error of the decoder.
 */
export async function useLibHeif<T>(use: (heif: LibHeif) => T): Promise<T> {
  const heif = kept ?? (await open());
  kept = undefined;
  const keep = () => {
    if (heif.bytes().length <= MAX_KEPT_BYTES) kept = heif;
  };
  try {
    const result = use(heif);
    keep();
    return result;
  } catch (error) {
    if (error instanceof UnusableAsset) {
      keep();
      throw error;
    }
    // WebAssembly stops at an access beyond its memory, and at a C++ exception that nothing catches.
    throw new UnusableAsset('corrupt', 'the picture data is damaged', { cause: error });
  }
}

async function open(): Promise<LibHeif> {
  const require = createRequire(import.meta.url);
  code ??= readFile(findCode(require)).then((bytes) => wasm.compile(bytes));
  const compiled = await code;
  const factory = require(GLUE) as (options: FactoryOptions) => HeifFunctions;
  let memory: WasmMemory | undefined;
  const call = factory({
    printErr: () => {},
    instantiateWasm(imports, done) {
      const { exports } = new wasm.Instance(compiled, imports);
      memory = Object.values(exports).find((each) => each instanceof wasm.Memory);
      limitGrowth(memory!);
      done({ exports });
      return exports;
    },
  });
  return { call, bytes: () => Buffer.from(memory!.buffer) };
}

/** Some remove the package because of its license. Photos of other formats then still work. */
function findCode(require: NodeJS.Require): string {
  try {
    return require.resolve(CODE);
  } catch (cause) {
    const detail = 'HEIC, but the package libheif-js is not installed here; export it as JPEG';
    throw new UnusableAsset('unsupported_format', detail, { cause });
  }
}

/** An allocation beyond the limit then fails, which libheif reports as an error. */
function limitGrowth(memory: WasmMemory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > MAX_HEIC_MEMORY_BYTES)
      throw new RangeError('The limit of memory is reached.');
    return grow(pages);
  };
}
