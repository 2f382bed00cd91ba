/**
 * Dissolve of two images, linear in light with a gamma of 2: squares are mixed, the root is shown.
 *
 * Luma: sqrt((1-t)·A² + t·B²) with A, B = luma above black. Chroma: to first order the same formula applied to R', G', B'
 * weighs each image's chroma by its luma over the result's; exact for a fade from black, and for equal lumas it is the
 * plain mean. All in f32 (IEEE roundings, so the TypeScript twin agrees); adding 2^23 rounds half to even.
 */

const ROUND: f32 = 8388608.0;

@inline
function mixSquares(a: v128, b: v128, wa: v128, wb: v128): v128 {
  return f32x4.add(
    f32x4.mul(f32x4.convert_i32x4_s(a), wa),
    f32x4.mul(f32x4.convert_i32x4_s(b), wb),
  );
}

export function crossfadeLuma(dst: usize, a: usize, b: usize, count: i32, mix: f32): void {
  const keep: f32 = <f32>1.0 - mix;
  const wa = f32x4.splat(keep);
  const wb = f32x4.splat(mix);
  const black = i8x16.splat(16);
  const magic = f32x4.splat(ROUND + 16.0);
  const low8 = i32x4.splat(255);
  let i: i32 = 0;
  for (; i <= count - 16; i += 16) {
    const pa = i8x16.sub_sat_u(v128.load(a + i), black);
    const pb = i8x16.sub_sat_u(v128.load(b + i), black);
    const al = i16x8.extmul_low_i8x16_u(pa, pa);
    const ah = i16x8.extmul_high_i8x16_u(pa, pa);
    const bl = i16x8.extmul_low_i8x16_u(pb, pb);
    const bh = i16x8.extmul_high_i8x16_u(pb, pb);
    const r0 = f32x4.sqrt(
      mixSquares(i32x4.extend_low_i16x8_u(al), i32x4.extend_low_i16x8_u(bl), wa, wb),
    );
    const r1 = f32x4.sqrt(
      mixSquares(i32x4.extend_high_i16x8_u(al), i32x4.extend_high_i16x8_u(bl), wa, wb),
    );
    const r2 = f32x4.sqrt(
      mixSquares(i32x4.extend_low_i16x8_u(ah), i32x4.extend_low_i16x8_u(bh), wa, wb),
    );
    const r3 = f32x4.sqrt(
      mixSquares(i32x4.extend_high_i16x8_u(ah), i32x4.extend_high_i16x8_u(bh), wa, wb),
    );
    v128.store(
      dst + i,
      i8x16.narrow_i16x8_u(
        i16x8.narrow_i32x4_s(
          v128.and(f32x4.add(r0, magic), low8),
          v128.and(f32x4.add(r1, magic), low8),
        ),
        i16x8.narrow_i32x4_s(
          v128.and(f32x4.add(r2, magic), low8),
          v128.and(f32x4.add(r3, magic), low8),
        ),
      ),
    );
  }
  for (; i < count; i++) {
    const pa = <f32>max(0, <i32>load<u8>(a + i) - 16);
    const pb = <f32>max(0, <i32>load<u8>(b + i) - 16);
    const root = sqrt<f32>(pa * pa * keep + pb * pb * mix);
    store<u8>(dst + i, <u8>(reinterpret<u32>(root + (ROUND + <f32>16.0)) & 255));
  }
}

/** Luma above black at the chroma sites (even columns, mean of both rows) of 8 chroma pixels, at least 1, as u16x8. */
@inline
function siteLuma(row: usize, stride: usize): v128 {
  const even = i16x8.splat(255);
  const mean = i16x8.avgr_u(v128.and(v128.load(row), even), v128.and(v128.load(row + stride), even));
  return i16x8.sub(i16x8.max_s(mean, i16x8.splat(17)), i16x8.splat(16));
}

@inline
function mixChroma(a: v128, b: v128, ka: v128, kb: v128): v128 {
  const sum = f32x4.add(
    f32x4.mul(f32x4.convert_i32x4_s(a), ka),
    f32x4.mul(f32x4.convert_i32x4_s(b), kb),
  );
  return v128.and(f32x4.add(sum, f32x4.splat(ROUND + 128.0)), i32x4.splat(255));
}

@inline
function mixPlane(
  dst: usize,
  a: usize,
  b: usize,
  kaLow: v128,
  kbLow: v128,
  kaHigh: v128,
  kbHigh: v128,
): void {
  const neutral = i16x8.splat(128);
  const ca = i16x8.sub(v128.load8x8_u(a), neutral);
  const cb = i16x8.sub(v128.load8x8_u(b), neutral);
  const mixed = i16x8.narrow_i32x4_s(
    mixChroma(i32x4.extend_low_i16x8_s(ca), i32x4.extend_low_i16x8_s(cb), kaLow, kbLow),
    mixChroma(i32x4.extend_high_i16x8_s(ca), i32x4.extend_high_i16x8_s(cb), kaHigh, kbHigh),
  );
  v128.store64_lane(dst, i8x16.narrow_i16x8_u(mixed, mixed), 0);
}

@inline
function mixChromaPixel(a: usize, b: usize, ka: f32, kb: f32): u8 {
  const ca = <f32>(<i32>load<u8>(a) - 128);
  const cb = <f32>(<i32>load<u8>(b) - 128);
  return <u8>(reinterpret<u32>(ca * ka + cb * kb + (ROUND + <f32>128.0)) & 255);
}

export function crossfadeChroma(dst: usize, a: usize, b: usize, w: i32, h: i32, mix: f32): void {
  const keep: f32 = <f32>1.0 - mix;
  const wa = f32x4.splat(keep);
  const wb = f32x4.splat(mix);
  const cw = w >> 1;
  const ch = h >> 1;
  const lumaBytes = <usize>w * <usize>h;
  const planeBytes = <usize>cw * <usize>ch;
  for (let y: i32 = 0; y < ch; y++) {
    const rowA = a + <usize>y * <usize>(w << 1);
    const rowB = b + <usize>y * <usize>(w << 1);
    const at = lumaBytes + <usize>y * <usize>cw;
    let x: i32 = 0;
    for (; x <= cw - 8; x += 8) {
      const ya = siteLuma(rowA + (x << 1), w);
      const yb = siteLuma(rowB + (x << 1), w);
      const al = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(ya));
      const ah = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(ya));
      const bl = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(yb));
      const bh = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(yb));
      const mal = f32x4.mul(al, wa);
      const mah = f32x4.mul(ah, wa);
      const mbl = f32x4.mul(bl, wb);
      const mbh = f32x4.mul(bh, wb);
      const rl = f32x4.sqrt(f32x4.add(f32x4.mul(mal, al), f32x4.mul(mbl, bl)));
      const rh = f32x4.sqrt(f32x4.add(f32x4.mul(mah, ah), f32x4.mul(mbh, bh)));
      const kal = f32x4.div(mal, rl);
      const kah = f32x4.div(mah, rh);
      const kbl = f32x4.div(mbl, rl);
      const kbh = f32x4.div(mbh, rh);
      const u = at + x;
      mixPlane(dst + u, a + u, b + u, kal, kbl, kah, kbh);
      const v = u + planeBytes;
      mixPlane(dst + v, a + v, b + v, kal, kbl, kah, kbh);
    }
    for (; x < cw; x++) {
      const luma = <usize>(x << 1);
      const ya = <f32>(max(17, (<i32>load<u8>(rowA + luma) + <i32>load<u8>(rowA + luma + w) + 1) >> 1) - 16);
      const yb = <f32>(max(17, (<i32>load<u8>(rowB + luma) + <i32>load<u8>(rowB + luma + w) + 1) >> 1) - 16);
      const ma = ya * keep;
      const mb = yb * mix;
      const root = sqrt<f32>(ma * ya + mb * yb);
      const u = at + x;
      const v = u + planeBytes;
      store<u8>(dst + u, mixChromaPixel(a + u, b + u, ma / root, mb / root));
      store<u8>(dst + v, mixChromaPixel(a + v, b + v, ma / root, mb / root));
    }
  }
}
