/**
 * Area averaging of one plane for stills and previews. A tap table has for each destination pixel a first source index
 * and a count (i32 each) and the address of its weights (u16, sum 256).
 */
export function areaScale(
  dst: usize,
  dstStride: i32,
  dstW: i32,
  dstH: i32,
  src: usize,
  srcStride: i32,
  srcW: i32,
  columns: usize,
  rows: usize,
  scratch: usize,
): void {
  for (let y: i32 = 0; y < dstH; y++) {
    const entry = rows + <usize>y * 12;
    const first = load<i32>(entry);
    const count = load<i32>(entry, 4);
    const weights = <usize>load<u32>(entry, 8);
    memory.fill(scratch, 0, <usize>srcW << 1);
    for (let k: i32 = 0; k < count; k++) {
      const row = src + <usize>(first + k) * <usize>srcStride;
      const weight = load<u16>(weights + (<usize>k << 1));
      const factor = i16x8.splat(<i16>weight);
      let x: i32 = 0;
      for (; x <= srcW - 8; x += 8) {
        const sum = scratch + (<usize>x << 1);
        v128.store(sum, i16x8.add(v128.load(sum), i16x8.mul(v128.load8x8_u(row + x), factor)));
      }
      for (; x < srcW; x++) {
        const sum = scratch + (<usize>x << 1);
        store<u16>(sum, <u16>(<i32>load<u16>(sum) + <i32>load<u8>(row + x) * <i32>weight));
      }
    }
    for (let x: i32 = 0; x < dstW; x++) {
      const column = columns + <usize>x * 12;
      let at = scratch + (<usize>load<i32>(column) << 1);
      let weight = <usize>load<u32>(column, 8);
      let sum: u32 = 32768;
      for (let k = load<i32>(column, 4); k > 0; k--) {
        sum += <u32>load<u16>(at) * <u32>load<u16>(weight);
        at += 2;
        weight += 2;
      }
      store<u8>(dst + <usize>y * <usize>dstStride + x, <u8>(sum >> 16));
    }
  }
}
