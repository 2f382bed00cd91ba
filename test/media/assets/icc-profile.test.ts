/** Our own conversion of simple profiles against littlecms, which sharp uses. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { toProfileConverter } from '../../../src/media/assets/decode/icc-profile.ts';

/** A file whose pixels mean something else under its profile: every 17th level of each channel. */
const levels = Array.from({ length: 16 }, (_, index) => index * 17);
const cube = Uint8Array.from(levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b]))));
const SIZE = { width: 64, height: 64 };

/** Pixels as stored in a file with the profile, the profile, and what littlecms makes of them in sRGB. */
async function convertBySharp(profile: string) {
  const file = await sharp(cube, { raw: { ...SIZE, channels: 3 } })
    .withIccProfile(profile)
    .png()
    .toBuffer();
  const { icc } = await sharp(file).metadata();
  const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
  const wanted = await sharp(file).toColourspace('srgb').raw().toBuffer();
  return { icc: icc!, stored, wanted };
}

/** One parametric or gamma curve for all channels and the matrix of sRGB, as a version 2 or 4 profile. */
function makeProfile(curve: Buffer, xyz: readonly number[][]): Buffer {
  const tagData = [
    ...xyz.map((values) => Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...values.map(fixed)])),
    curve,
  ];
  const names = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
  const header = Buffer.alloc(128);
  header.write('RGB XYZ ', 16, 'latin1');
  header.write('acsp', 36, 'latin1');
  const table = Buffer.alloc(4 + 12 * names.length);
  table.writeUInt32BE(names.length);
  const offsets = tagData.map(
    (_, index) => 128 + table.length + tagData.slice(0, index).reduce((sum, data) => sum + data.length, 0),
  );
  for (const [index, name] of names.entries()) {
    table.write(name, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(offsets[Math.min(index, 3)]!, 8 + 12 * index);
  }
  return Buffer.concat([header, table, ...tagData]);
}

function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65536));
  return bytes;
}

const parametric = (shape: number, ...values: number[]) =>
  Buffer.concat([Buffer.from('para\0\0\0\0', 'latin1'), Buffer.from([0, shape, 0, 0]), ...values.map(fixed)]);
const SRGB_XYZ = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
];
const SRGB_CURVE = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);

describe('a simple profile', () => {
  it('is recognised as sRGB, as the world writes it', async () => {
    const { icc } = await convertBySharp('srgb');
    expect(toProfileConverter(icc)?.isSrgb).toBe(true);
    expect(toProfileConverter(makeProfile(SRGB_CURVE, SRGB_XYZ))?.isSrgb).toBe(true);
  });

  it('is not sRGB with another curve or other primaries', () => {
    const gamma = Buffer.from('curv\0\0\0\0\0\0\0\x01\x01\xcd\0\0', 'latin1');
    expect(toProfileConverter(makeProfile(gamma, SRGB_XYZ))?.isSrgb).toBe(false);
    const wide = [
      [0.60974, 0.31111, 0.01947],
      [0.20528, 0.62567, 0.06087],
      [0.14919, 0.06322, 0.74457],
    ];
    expect(toProfileConverter(makeProfile(SRGB_CURVE, wide))?.isSrgb).toBe(false);
  });

  it('converts Display P3 as littlecms does', async () => {
    const { icc, stored, wanted } = await convertBySharp('p3');
    const converter = toProfileConverter(icc)!;
    expect(converter.isSrgb).toBe(false);
    const ours = Uint8Array.from(stored);
    converter.convert(ours, 3);
    const worst = ours.reduce((most, value, index) => Math.max(most, Math.abs(value - wanted[index]!)), 0);
    expect(worst).toBeLessThanOrEqual(2);
    expect(Math.max(...stored.map((value, index) => Math.abs(value - wanted[index]!)))).toBeGreaterThan(10);
  });

  it('leaves alpha alone', () => {
    const linear = Buffer.from('curv\0\0\0\0\0\0\0\0', 'latin1');
    const pixels = Uint8Array.from([55, 55, 55, 7, 255, 255, 255, 200]);
    toProfileConverter(makeProfile(linear, SRGB_XYZ))!.convert(pixels, 4);
    // 55 / 255 in linear light is 128 in sRGB.
    expect([...pixels]).toEqual([128, 128, 128, 7, 255, 255, 255, 200]);
  });
});

describe('any other profile', () => {
  it('is left to sharp: tables, CMYK, and damage of every kind', async () => {
    const print = await sharp({ create: { ...SIZE, channels: 3, background: '#123' } })
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg()
      .toBuffer();
    expect(toProfileConverter((await sharp(print).metadata()).icc!)).toBe(null);
    const profile = makeProfile(SRGB_CURVE, SRGB_XYZ);
    expect(toProfileConverter(Buffer.alloc(0))).toBe(null);
    for (let length = 0; length < profile.length; length += 7) {
      expect(toProfileConverter(profile.subarray(0, length))).toBe(null);
    }
    for (let at = 128; at < profile.length; at += 1) {
      const broken = Buffer.from(profile);
      broken[at] = 0xff;
      const converter = toProfileConverter(broken);
      const pixels = Uint8Array.from([1, 128, 255]);
      expect(() => converter?.convert(pixels, 3)).not.toThrow();
    }
  });
});
