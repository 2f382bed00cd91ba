/**
 * The kernel's functions as they are exported: numbers and addresses only. They are written in `assembly/`, and
 * in TypeScript in the tests, where both must give the same bytes.
 *
 * Addresses are byte offsets into one {@link KernelMemory}; strides are in bytes; alpha, opacity and coverage run from
 * 0 to 256 unless said otherwise. Blocks from the memory's allocator may be read a few bytes past their end.
 */
export interface KernelFunctions {
  /**
   * Catmull-Rom resampling of one plane: destination pixel (i, j) shows source position (`x0 + i·dx`, `y0 + j·dy`), in
   * source pixels counted from the center of the first; positions outside repeat the edge. `dx`, `dy` > 0. Fast up to a
   * `dx` of 1.7; from about 1.4 on it aliases, so photos that are reduced more are scaled beforehand.
   *
   * @param lut - The table of `catmull-rom.ts`.
   * @param scratch - At least {@link resampleScratchBytes} bytes.
   */
  resample(
    dst: number,
    dstStride: number,
    dstW: number,
    dstH: number,
    src: number,
    srcStride: number,
    srcW: number,
    srcH: number,
    x0: number,
    dx: number,
    y0: number,
    dy: number,
    lut: number,
    scratch: number,
  ): void;

  /** `count` luma pixels of `a` dissolving into `b`, linear in light; `mix` 0 (all `a`) to 1. */
  crossfadeLuma(dst: number, a: number, b: number, count: number, mix: number): void;

  /** Dissolves the chroma planes of whole I420 images of `w` x `h`, whose planes follow each other without padding. */
  crossfadeChroma(dst: number, a: number, b: number, w: number, h: number, mix: number): void;

  /**
   * Fills a rectangle with `value`. `columns` and `rows` address u16 coverages; all columns in
   * `[solidFrom, solidTo)` are 256.
   */
  fillRect(
    dst: number,
    dstStride: number,
    w: number,
    h: number,
    columns: number,
    rows: number,
    solidFrom: number,
    solidTo: number,
    value: number,
    alpha: number,
  ): void;

  /** Lays `src` over `dst` with one alpha, within the coverages of columns and rows (see `fillRect`). */
  blendRect(
    dst: number,
    dstStride: number,
    src: number,
    srcStride: number,
    w: number,
    h: number,
    columns: number,
    rows: number,
    solidFrom: number,
    solidTo: number,
    alpha: number,
  ): void;

  /** Lays one value over `dst` through a mask (0 to 255) with an opacity. */
  overlayMask(
    dst: number,
    dstStride: number,
    mask: number,
    maskStride: number,
    w: number,
    h: number,
    value: number,
    opacity: number,
  ): void;

  /** Lays `src`, premultiplied by `mask` and with the same stride, over `dst`. */
  overlayPremultiplied(
    dst: number,
    dstStride: number,
    src: number,
    mask: number,
    srcStride: number,
    w: number,
    h: number,
    opacity: number,
  ): void;

  /**
   * Moves a mask right by `fx` and down by `fy` 256ths of a pixel, bilinearly. `src` addresses its pixel (-1, -1), so
   * it must be framed by clear pixels; `w` and `h` (of the result) are one more than the mask's.
   */
  shiftMask(
    dst: number,
    dstStride: number,
    src: number,
    srcStride: number,
    w: number,
    h: number,
    fx: number,
    fy: number,
  ): void;

  /**
   * A mask's coverage at H.264's left-sited chroma pixels (1-2-1 across, 1-1 down). `src` addresses the mask's pixel
   * under chroma pixel (0, 0); its neighbors to the left, right and below must be readable (clear where outside).
   */
  chromaMask(dst: number, dstStride: number, w: number, h: number, src: number, srcStride: number): void;

  /** Multiplies a mask by coverages (u16) of its columns and rows. */
  multiplyMask(mask: number, stride: number, w: number, h: number, columns: number, rows: number): void;

  /** Area averaging; `columns` and `rows` address the tables that `area-taps.ts` writes, scratch `2 · srcW + 16`. */
  areaScale(
    dst: number,
    dstStride: number,
    dstW: number,
    dstH: number,
    src: number,
    srcStride: number,
    srcW: number,
    columns: number,
    rows: number,
    scratch: number,
  ): void;

  /**
   * Enlarges one plane, rows without padding in both. `columns` and `rows` address the tables of `lanczos-taps.ts`.
   *
   * @param scratch - At least {@link enlargeScratchBytes} bytes.
   */
  enlarge(
    dst: number,
    dstW: number,
    dstH: number,
    src: number,
    srcW: number,
    srcH: number,
    columns: number,
    rows: number,
    scratch: number,
  ): void;
}

/** Bytes of scratch that `enlarge` needs. */
export function enlargeScratchBytes(dstW: number, srcW: number): number {
  return 32 + 16 * Math.ceil((srcW + 16) / 16) + 8 * 16 * Math.ceil(dstW / 8);
}

/** Bytes of scratch that `resample` needs for rows of `dstW` pixels. */
export function resampleScratchBytes(dstW: number): number {
  const groups = Math.ceil(dstW / 8);
  return 16 + 4 * (16 * groups + 32) + 112 * groups;
}
