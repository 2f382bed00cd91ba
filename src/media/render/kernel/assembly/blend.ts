/** Alpha is 0 to 256 all through: 256 shows the new value exactly, and the sums still fit 16 bits. */

// @ts-ignore: decorator
@inline
export function blendPixel(old: i32, value: i32, alpha: i32): u8 {
  return <u8>((old * (256 - alpha) + value * alpha + 128) >> 8);
}

/** Eight pixels as u16x8; `value` and `alpha` too. */
// @ts-ignore: decorator
@inline
export function blendEight(old: v128, value: v128, alpha: v128): v128 {
  const keep = i16x8.sub(i16x8.splat(256), alpha);
  const sum = i16x8.add(i16x8.mul(old, keep), i16x8.mul(value, alpha));
  return i16x8.shr_u(i16x8.add(sum, i16x8.splat(128)), 8);
}

/** `value * factor / 256`, rounded. 256 * 256 would not fit 16 bits, so a factor of 256 is the caller's to skip. */
// @ts-ignore: decorator
@inline
export function scaleEight(value: v128, factor: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.mul(value, factor), i16x8.splat(128)), 8);
}

// @ts-ignore: decorator
@inline
export function scalePixel(value: i32, factor: i32): i32 {
  return (value * factor + 128) >> 8;
}
