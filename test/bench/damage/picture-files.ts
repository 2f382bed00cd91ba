/** Sound picture files of every format, in the forms that programs write, from one photo. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sharp } from 'sharp';
import type { SupportedFormat } from '../../../src/media/assets/decode/sniff-format.ts';
import { findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { type CodedPicture, gridData, heic, heicOf, ispe } from '../../media/assets/heic-files.ts';

export interface PictureForm {
  readonly name: string;
  readonly format: SupportedFormat;
  make(photo: Sharp): Promise<Buffer>;
}

const form = (name: string, format: SupportedFormat, make: (photo: Sharp) => Sharp): PictureForm => ({
  name,
  format,
  make: (photo) => make(photo.clone()).toBuffer(),
});

/** Forms of which all mutants of the benchmark are made. */
export const FORMS: readonly PictureForm[] = [
  form('baseline', 'jpeg', (photo) => photo.jpeg({ quality: 82 })),
  form('progressive', 'jpeg', (photo) => photo.jpeg({ quality: 82, progressive: true })),
  form('mozjpeg', 'jpeg', (photo) => photo.jpeg({ quality: 75, mozjpeg: true })),
  form('4:4:4', 'jpeg', (photo) => photo.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })),
  form('RGB', 'png', (photo) => photo.png()),
  form('palette', 'png', (photo) => photo.png({ palette: true })),
  form('interlaced', 'png', (photo) => photo.png({ progressive: true })),
  form('lossy', 'webp', (photo) => photo.webp({ quality: 80 })),
  form('lossy 50', 'webp', (photo) => photo.webp({ quality: 50, effort: 6 })),
  form('lossy 92', 'webp', (photo) => photo.webp({ quality: 92, effort: 2 })),
  form('lossless', 'webp', (photo) => photo.webp({ lossless: true, effort: 2 })),
  form('near lossless', 'webp', (photo) => photo.webp({ nearLossless: true, effort: 2 })),
  form('plain', 'gif', (photo) => photo.gif()),
  form('few colors', 'gif', (photo) => photo.gif({ colors: 48, dither: 0 })),
  form('interlaced', 'gif', (photo) => photo.gif({ progressive: true })),
  form('raw', 'tiff', (photo) => photo.tiff({ compression: 'none' })),
  form('LZW', 'tiff', (photo) => photo.tiff({ compression: 'lzw' })),
  form('LZW, predicted', 'tiff', (photo) => photo.tiff({ compression: 'lzw', predictor: 'horizontal' })),
  form('deflate', 'tiff', (photo) => photo.tiff({ compression: 'deflate' })),
  form('PackBits', 'tiff', (photo) => photo.tiff({ compression: 'packbits' })),
  form('JPEG', 'tiff', (photo) => photo.tiff({ compression: 'jpeg', quality: 85 })),
  form('tiles', 'tiff', (photo) => photo.tiff({ compression: 'deflate', tile: true })),
  form('plain', 'avif', (photo) => photo.avif({ effort: 0 })),
  form('4:2:0', 'avif', (photo) => photo.avif({ effort: 0, quality: 70, chromaSubsampling: '4:2:0' })),
  { name: 'plain', format: 'heic', make: (photo) => makeHeic(photo, 0) },
  { name: 'tiles', format: 'heic', make: (photo) => makeHeic(photo, 256) },
];

/** @param tilePx - 0 for one picture; phones write tiles of 512 px. */
async function makeHeic(photo: Sharp, tilePx: number): Promise<Buffer> {
  const { data, info } = await photo.clone().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (tilePx === 0) return heic((await encodeHevc([data], width, height))[0]!);
  const [columns, rows] = [Math.ceil(width / tilePx), Math.ceil(height / tilePx)];
  const cut = Array.from({ length: columns * rows }, (_, index) => {
    const [left, top] = [tilePx * (index % columns), tilePx * Math.floor(index / columns)];
    const tile = Buffer.alloc(3 * tilePx * tilePx);
    for (let y = 0; y < Math.min(tilePx, height - top); y += 1) {
      const from = 3 * ((top + y) * width + left);
      data.copy(tile, 3 * y * tilePx, from, from + 3 * Math.min(tilePx, width - left));
    }
    return tile;
  });
  const tiles = await encodeHevc(cut, tilePx, tilePx);
  const properties = [tiles[0]!.hvcC, ispe(tilePx, tilePx)];
  return heicOf([
    {
      type: 'grid',
      properties: [ispe(width, height)],
      data: gridData(columns, rows, width, height),
      from: tiles.map((_, index) => index + 2),
    },
    ...tiles.map(({ units }) => ({ type: 'hvc1', properties, data: units })),
  ]);
}

/** Codes pictures of one size with x265, each for itself. */
async function encodeHevc(
  pictures: readonly Buffer[],
  widthPx: number,
  heightPx: number,
): Promise<CodedPicture[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hevc-'));
  try {
    const [raw, mp4] = [join(folder, 'raw'), join(folder, 'coded.mp4')];
    await writeFile(raw, Buffer.concat(pictures));
    const { path } = await findFfmpeg({ searchPath: process.env.PATH });
    const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${widthPx}x${heightPx}`, '-i', raw];
    const codec = [
      '-c:v',
      'libx265',
      '-crf',
      '24',
      '-pix_fmt',
      'yuv420p',
      '-x265-params',
      'keyint=1:wpp=0:log-level=none',
    ];
    await promisify(execFile)(path, ['-v', 'error', ...input, ...codec, mp4]);
    const file = await readFile(mp4);
    const box = (name: string) => file.indexOf(name, 0, 'latin1') - 4;
    const hvcC = file.subarray(box('hvcC'), box('hvcC') + file.readUInt32BE(box('hvcC')));
    let at = box('mdat') + 8;
    return pictures.map((_, index) => {
      const size = file.readUInt32BE(box('stsz') + 12) || file.readUInt32BE(box('stsz') + 20 + 4 * index);
      at += size;
      return { hvcC, units: file.subarray(at - size, at), widthPx, heightPx };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
