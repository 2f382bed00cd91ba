/** The part of gifenc 1.0.3 that we use; it ships no types, and under Node only its default export works. */
declare module 'gifenc' {
  type Palette = readonly (readonly [number, number, number])[];

  interface GifEncoder {
    writeFrame(
      indexes: Uint8Array,
      widthPx: number,
      heightPx: number,
      options: {
        palette?: Palette;
        /** ms, rounded to hundredths of a second. */
        delay?: number;
        /** 0 is for ever. */
        repeat?: number;
        transparent?: boolean;
        transparentIndex?: number;
        dispose?: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
    bytesView(): Uint8Array;
  }

  const gifenc: {
    GIFEncoder(): GifEncoder;
    /** Reads all of `rgba.buffer`, whatever part of it `rgba` is. */
    quantize(
      rgba: Uint8Array,
      maxColors: number,
      options: { format: 'rgb565' | 'rgb444' },
    ): [number, number, number][];
  };
  export default gifenc;
}
