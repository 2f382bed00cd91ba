/** The part of gifenc 1.0.3 that we use; it ships no types, and under Node only its default export works. */
declare module 'gifenc' {
  type Palette = readonly (readonly [number, number, number])[];

  interface GifEncoder {
    writeFrame(
      indexes: Uint8Array,
      widthPx: number,
      heightPx: number,
      options: {
        palette: Palette;
        /** ms, rounded to hundredths of a second. */
        delay?: number;
        transparent?: boolean;
        transparentIndex?: number;
        dispose?: number;
      },
    ): void;
    bytes(): Uint8Array;
  }

  const gifenc: {
    /** With `auto: false` it writes frames alone, each with its palette. */
    GIFEncoder(options: { auto: false }): GifEncoder;
    /** Reads all of `rgba.buffer`, whatever part of it `rgba` is. */
    quantize(
      rgba: Uint8Array,
      maxColors: number,
      options: { format: 'rgb565' | 'rgb444' },
    ): [number, number, number][];
  };
  export default gifenc;
}
