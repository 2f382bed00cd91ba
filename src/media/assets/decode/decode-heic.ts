/**
 * Decodes a HEIC or HEIF photo: its primary picture, upright, as 8-bit pixels in the colors of the file. Runs in the
 * decode process only.
 */
import { formatBytes, requirePixelLimit } from '../asset-limits.ts';
import { UnusableAsset } from '../unusable-asset.ts';
import { isHevcFaulty } from './damage/faulty-hevc.ts';
import { isWorthDecodingTwice } from './damage/is-data-broken.ts';
import { hasSeam, type Rectangle } from './damage/tile-seam.ts';
import { type ProfileConverter, toProfileConverter } from './icc-profile.ts';
import { type LibHeif, MAX_HEIC_MEMORY_BYTES, useLibHeif } from './libheif.ts';
import { toNclxConverter } from './nclx-profile.ts';

/** Uncompressed 8-bit pixels, without padding. Rotation, mirroring and cropping are applied. */
export interface HeicPicture {
  readonly data: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: 3 | 4;
  /** Converts the colors to sRGB. Null: they are sRGB, or close to it. */
  readonly converter: ProfileConverter | null;
}

/**
 * Values of the enumerations `heif_error_code`, `heif_suberror_code`, `heif_colorspace`, `heif_chroma`, `heif_channel`.
 */
const ERROR = { unsupportedFiletype: 3, unsupportedFeature: 4, memory: 6 } as const;
const SUBERROR = { noPrimaryItem: 124, securityLimit: 1000 } as const;
const RGB = 1;
const INTERLEAVED = 10;
const CHROMA = { 3: 10, 4: 11 } as const;
/** Offsets in `heif_security_limits`, `heif_decoding_options` and `heif_color_profile_nclx` of libheif 1.23. */
const LIMITS = { maxImagePixels: 8, maxTiles: 16, maxProfileBytes: 32 } as const;
const OPTIONS = { convertHdrTo8Bit: 20 } as const;
const NCLX = { primaries: 4, transfer: 8 } as const;

/** `heif_image_tiling` of libheif 1.23, with room for later fields. */
const TILING = {
  columns: 4,
  rows: 8,
  tileWidth: 12,
  tileHeight: 16,
  cutTop: 28,
  cutLeft: 32,
  sizeBytes: 256,
} as const;
/** Of `heif_aux_image_filter`. */
const WITHOUT_ALPHA = 2;
const HOLE = Buffer.alloc(24);

/** A phone needs 192 tiles for 48 megapixels. */
const MAX_TILES = 4096;
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/**
 * Only HEVC pictures and grids of them are decoded, as phones write them: derived pictures of other kinds, such as
 * overlays, can cost any amount of time.
 *
 * @param maxPixels - Maximum width times height, checked before anything is decoded.
 * @throws {@link UnusableAsset} `too_large`, `unsupported_format` or `corrupt`.
 */
export function decodeHeic(source: Buffer, maxPixels: number): Promise<HeicPicture> {
  return useLibHeif((heif) => new HeicReader(heif).decode(source, maxPixels));
}

/** How a grid is made of tiles, which can come more than once. `widthPx` and `heightPx` are of one. */
interface Tiling {
  readonly columns: number;
  readonly rows: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tiles: readonly { readonly item: number; readonly rectangle: Rectangle }[];
}

class HeicReader {
  readonly #heif: LibHeif;
  readonly #free: (() => void)[] = [];
  readonly #error: number;
  readonly #result: number;

  constructor(heif: LibHeif) {
    this.#heif = heif;
    this.#error = this.#allocate(12);
    this.#result = this.#allocate(4);
  }

  decode(source: Buffer, maxPixels: number): HeicPicture {
    try {
      return this.#decode(source, maxPixels);
    } finally {
      for (const free of this.#free.reverse()) free();
    }
  }

  #decode(source: Buffer, maxPixels: number): HeicPicture {
    const { call } = this.#heif;
    const context = call._heif_context_alloc();
    const data = this.#allocate(source.length);
    this.#free.push(() => call._heif_context_free(context));
    this.#heif.bytes().set(source, data);
    this.#setLimits(call._heif_context_get_security_limits(context), maxPixels);
    call._heif_context_read_from_memory_without_copy(this.#error, context, data, source.length, 0);
    this.#check('the header cannot be read');
    call._heif_context_get_primary_image_handle(this.#error, context, this.#result);
    const handle = this.#takeHandle();
    this.#checkPicture(context, handle, maxPixels);
    for (const alpha of this.#alphasOf(handle)) {
      this.#checkPicture(context, alpha, maxPixels);
      if (call._heif_image_handle_has_alpha_channel(alpha)) throw unsupported();
    }
    const converter = this.#readConverter(handle);
    const channels = call._heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
    const picture = { ...this.#readPixels(handle, channels), channels, converter } as const;
    if (this.#isFaulty(context, handle, picture, source)) throw corrupt('the picture data is damaged');
    return picture;
  }

  #isFaulty(context: number, handle: number, picture: HeicPicture, source: Buffer): boolean {
    const item = this.#heif.call._heif_image_handle_get_item_id(handle);
    const size = picture.widthPx * picture.heightPx;
    if (this.#typeOf(context, item) === 'hvc1') {
      return isWorthDecodingTwice(size) && this.#isItemFaulty(context, item, source);
    }
    const { tiles } = this.#tilingOf(handle, true);
    const suspects = tiles.filter(
      ({ rectangle }) => isWorthDecodingTwice(size) || hasSeam(picture, rectangle),
    );
    const items = new Set(suspects.map((each) => each.item));
    return [...items].some((each) => this.#isItemFaulty(context, each, source));
  }

  #isItemFaulty(context: number, item: number, source: Buffer): boolean {
    const units = this.#useCoded(context, item, (data) => Buffer.from(data));
    return isHevcFaulty(this.#heif, units, source);
  }

  /** Throws if a picture costs more than its pixels do. The decoder also decodes the transparency of each picture. */
  #checkPicture(context: number, handle: number, maxPixels: number): void {
    const { call } = this.#heif;
    const item = call._heif_image_handle_get_item_id(handle);
    const type = this.#typeOf(context, item);
    if (type !== 'hvc1' && type !== 'grid') throw unsupported();
    // Coded size first: a crop can make a small picture of a huge one.
    requirePixelLimit(
      call._heif_image_handle_get_ispe_width(handle),
      call._heif_image_handle_get_ispe_height(handle),
      maxPixels,
    );
    requirePixelLimit(
      call._heif_image_handle_get_width(handle),
      call._heif_image_handle_get_height(handle),
      maxPixels,
    );
    if (type === 'hvc1') this.#checkCoded(context, item);
    else this.#checkTiles(context, handle, maxPixels);
  }

  #checkTiles(context: number, handle: number, maxPixels: number): void {
    const { call } = this.#heif;
    const { columns, rows, widthPx, heightPx, tiles } = this.#tilingOf(handle, false);
    // The picture can be cut from a corner of its tiles, and all of them are decoded.
    requirePixelLimit(columns * widthPx, rows * heightPx, maxPixels);
    for (const tile of new Set(tiles.map(({ item }) => item))) {
      call._heif_context_get_image_handle(this.#error, context, tile, this.#result);
      const tileHandle = this.#takeHandle();
      if (call._heif_image_handle_has_alpha_channel(tileHandle)) throw unsupported();
      this.#checkCoded(context, tile);
    }
  }

  /** The pictures that are the transparency of a picture. */
  #alphasOf(handle: number): number[] {
    const { call } = this.#heif;
    const idsOf = (filter: number): number[] => {
      const count = call._heif_image_handle_get_number_of_auxiliary_images(handle, filter);
      const at = this.#allocate(4 * count + 4);
      const written = call._heif_image_handle_get_list_of_auxiliary_image_IDs(handle, filter, at, count);
      const bytes = this.#heif.bytes();
      return Array.from({ length: written }, (_, index) => bytes.readUInt32LE(at + 4 * index));
    };
    const others = new Set(idsOf(WITHOUT_ALPHA));
    return idsOf(0)
      .filter((id) => !others.has(id))
      .map((id) => {
        call._heif_image_handle_get_auxiliary_image_handle(this.#error, handle, id, this.#result);
        return this.#takeHandle();
      });
  }

  /** The handle that the last call made. */
  #takeHandle(): number {
    this.#check('the header cannot be read');
    const handle = this.#heif.bytes().readUInt32LE(this.#result);
    this.#free.push(() => this.#heif.call._heif_image_handle_release(handle));
    return handle;
  }

  #typeOf(context: number, item: number): string {
    const letters = Buffer.alloc(4);
    letters.writeUInt32BE(this.#heif.call._heif_item_get_item_type(context, item) >>> 0);
    return letters.toString('latin1');
  }

  /** @param isOriented - As the picture is shown: turned, and cut. */
  #tilingOf(handle: number, isOriented: boolean): Tiling {
    const { call } = this.#heif;
    const at = this.#allocate(TILING.sizeBytes);
    this.#heif.bytes().writeUInt32LE(1, at);
    call._heif_image_handle_get_image_tiling(this.#error, handle, Number(isOriented), at);
    this.#check('the header cannot be read');
    const bytes = this.#heif.bytes();
    const read = (field: number) => bytes.readUInt32LE(at + field);
    const [columns, rows] = [read(TILING.columns), read(TILING.rows)];
    const [widthPx, heightPx] = [read(TILING.tileWidth), read(TILING.tileHeight)];
    const [cutLeft, cutTop] = [read(TILING.cutLeft), read(TILING.cutTop)];
    if (columns * rows > MAX_TILES) throw corrupt('the header cannot be read');
    const tiles = Array.from({ length: columns * rows }, (_, tile) => {
      const [column, row] = [tile % columns, Math.floor(tile / columns)];
      call._heif_image_handle_get_grid_image_tile_id(
        this.#error,
        handle,
        Number(isOriented),
        column,
        row,
        this.#result,
      );
      this.#check('the header cannot be read');
      const [left, top] = [column * widthPx - cutLeft, row * heightPx - cutTop];
      const rectangle = { left, top, right: left + widthPx, bottom: top + heightPx };
      return { item: this.#heif.bytes().readUInt32LE(this.#result), rectangle };
    });
    return { columns, rows, widthPx, heightPx, tiles };
  }

  /**
   * Throws if the item is no HEVC picture, or its data has a hole, as an interrupted download leaves it. HEVC never has
   * three zeros in sequence, and the decoder shows such data as colored blocks.
   */
  #checkCoded(context: number, item: number): void {
    if (this.#typeOf(context, item) !== 'hvc1') throw unsupported();
    if (this.#useCoded(context, item, (data) => data.includes(HOLE)))
      throw corrupt('the picture data is damaged');
  }

  #useCoded<T>(context: number, item: number, use: (data: Buffer) => T): T {
    const { call } = this.#heif;
    const size = this.#allocate(4);
    call._heif_item_get_item_data(this.#error, context, item, 0, this.#result, size);
    this.#check('the picture data is damaged');
    const bytes = this.#heif.bytes();
    const at = bytes.readUInt32LE(this.#result);
    const result = use(bytes.subarray(at, at + bytes.readUInt32LE(size)));
    call._heif_release_item_data(context, this.#result);
    return result;
  }

  #setLimits(at: number, maxPixels: number): void {
    const bytes = this.#heif.bytes();
    bytes.writeBigUInt64LE(BigInt(maxPixels), at + LIMITS.maxImagePixels);
    bytes.writeBigUInt64LE(BigInt(MAX_TILES), at + LIMITS.maxTiles);
    bytes.writeUInt32LE(MAX_PROFILE_BYTES, at + LIMITS.maxProfileBytes);
  }

  /** An ICC profile has precedence over code points, as in other readers of HEIF. */
  #readConverter(handle: number): ProfileConverter | null {
    const { call } = this.#heif;
    const sizeBytes = call._heif_image_handle_get_raw_color_profile_size(handle);
    if (sizeBytes > 0) {
      const at = this.#allocate(sizeBytes);
      call._heif_image_handle_get_raw_color_profile(this.#error, handle, at);
      this.#check('the color profile cannot be read');
      return toProfileConverter(Buffer.from(this.#heif.bytes().subarray(at, at + sizeBytes)));
    }
    call._heif_image_handle_get_nclx_color_profile(this.#error, handle, this.#result);
    if (this.#heif.bytes().readUInt32LE(this.#error) !== 0) return null;
    const bytes = this.#heif.bytes();
    const at = bytes.readUInt32LE(this.#result);
    const converter = toNclxConverter(
      bytes.readUInt32LE(at + NCLX.primaries),
      bytes.readUInt32LE(at + NCLX.transfer),
    );
    call._heif_nclx_color_profile_free(at);
    return converter;
  }

  #readPixels(handle: number, channels: 3 | 4): Pick<HeicPicture, 'data' | 'widthPx' | 'heightPx'> {
    const { call } = this.#heif;
    const options = call._heif_decoding_options_alloc();
    this.#free.push(() => call._heif_decoding_options_free(options));
    this.#heif.bytes().writeUInt8(1, options + OPTIONS.convertHdrTo8Bit);
    call._heif_decode_image(this.#error, handle, this.#result, RGB, CHROMA[channels], options);
    this.#check('the picture data is damaged');
    const image = this.#heif.bytes().readUInt32LE(this.#result);
    this.#free.push(() => call._heif_image_release(image));
    const widthPx = call._heif_image_get_width(image, INTERLEAVED);
    const heightPx = call._heif_image_get_height(image, INTERLEAVED);
    const plane = call._heif_image_get_plane_readonly2(image, INTERLEAVED, this.#result);
    const bytes = this.#heif.bytes();
    const stride = bytes.readUInt32LE(this.#result);
    const row = widthPx * channels;
    const data = Buffer.allocUnsafe(row * heightPx);
    for (let y = 0; y < heightPx; y += 1) {
      bytes.copy(data, y * row, plane + y * stride, plane + y * stride + row);
    }
    return { data, widthPx, heightPx };
  }

  #allocate(sizeBytes: number): number {
    const at = this.#heif.call._malloc(sizeBytes);
    if (at === 0) throw outOfMemory();
    this.#free.push(() => this.#heif.call._free(at));
    return at;
  }

  /** Throws if the last call failed. */
  #check(detail: string): void {
    const bytes = this.#heif.bytes();
    const code = bytes.readUInt32LE(this.#error);
    const subcode = bytes.readUInt32LE(this.#error + 4);
    if (code === 0) return;
    if (code === ERROR.memory) {
      throw subcode === SUBERROR.securityLimit ? corrupt(detail) : outOfMemory();
    }
    if (code === ERROR.unsupportedFiletype || code === ERROR.unsupportedFeature) throw unsupported();
    if (subcode === SUBERROR.noPrimaryItem) throw unsupported();
    throw corrupt(detail);
  }
}

function unsupported(): UnusableAsset {
  return new UnusableAsset('unsupported_format', 'a HEIF file without an HEVC photo; export it as JPEG');
}

function outOfMemory(): UnusableAsset {
  return new UnusableAsset(
    'too_large',
    `takes more than ${formatBytes(MAX_HEIC_MEMORY_BYTES)} of memory to decode`,
  );
}

function corrupt(detail: string): UnusableAsset {
  return new UnusableAsset('corrupt', detail);
}
