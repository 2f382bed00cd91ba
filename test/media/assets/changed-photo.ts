/** Copies of a photo, and photos that were changed a little, made on the spot. */
import sharp, { type Sharp } from 'sharp';

interface Source {
  readonly data: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
}

export type Make = (source: Source) => Promise<Buffer>;

export async function readSource(file: string): Promise<Source> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, widthPx: info.width, heightPx: info.height };
}

function open({ widthPx, heightPx }: Source, data: Buffer): Sharp {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } });
}

const copy =
  (make: (photo: Sharp) => Sharp): Make =>
  (source) =>
    make(open(source, source.data)).toBuffer();

/** What nobody can tell from the photo. */
export const COPIES: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    [10, 20, 40, 80].map((quality) => [`JPEG ${quality}`, copy((photo) => photo.jpeg({ quality }))]),
  ),
  'PNG with a palette': copy((photo) => photo.png({ palette: true, effort: 1 })),
  GIF: copy((photo) => photo.gif({ effort: 1 })),
  WebP: copy((photo) => photo.webp({ quality: 40, effort: 1 })),
  AVIF: copy((photo) => photo.avif({ quality: 45, effort: 0 })),
  '480 px': copy((photo) => photo.resize(480).jpeg({ quality: 70 })),
  '1000 px': copy((photo) => photo.resize(1000, undefined, { kernel: 'cubic' }).jpeg({ quality: 60 })),
  '2560 px': copy((photo) => photo.resize(2560).jpeg({ quality: 80 })),
  sharper: copy((photo) => photo.sharpen({ sigma: 1 }).jpeg({ quality: 85 })),
  'smaller and sharper': copy((photo) => photo.resize(800).sharpen().jpeg({ quality: 75 })),
  softer: copy((photo) => photo.blur(0.7).jpeg({ quality: 85 })),
  'turned, with an orientation': copy((photo) =>
    photo.rotate(-90).jpeg({ quality: 90 }).withMetadata({ orientation: 6 }),
  ),
  'with metadata': copy((photo) => photo.jpeg({ quality: 90 }).withExif({ IFD0: { Copyright: 'Ada' } })),
};

type Paint = (source: Source) => Promise<Buffer>;

/** Stored as photos are: in good quality, or smaller and in less. */
export const STORED: Readonly<Record<string, (photo: Sharp) => Sharp>> = {
  'at its size': (photo) => photo.jpeg({ quality: 90 }),
  'smaller and compressed': (photo) => photo.resize(1200).jpeg({ quality: 70 }),
};

const over =
  (draw: (widthPx: number, heightPx: number) => string): Paint =>
  (source) => {
    const { widthPx, heightPx, data } = source;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${draw(widthPx, heightPx)}</svg>`;
    return open(source, data)
      .composite([{ input: Buffer.from(svg) }])
      .removeAlpha()
      .raw()
      .toBuffer();
  };

const words = (share: number, ground: boolean): Paint =>
  over((width, height) => {
    const size = Math.round(share * height);
    const text = `<text x="${size}" y="${height - size}" font-family="sans-serif" font-size="${size}" fill="#fff">Virtually staged</text>`;
    return `${ground ? `<rect y="${height - 2.2 * size}" width="${width}" height="${2.2 * size}" fill="#222"/>` : ''}${text}`;
  });

const lines = (strokePx: number): Paint =>
  over((width, height) => {
    const wire = (y: number) =>
      `M0 ${y * height} Q ${width / 2} ${(y + 0.06) * height} ${width} ${y * height}`;
    return `<path d="${wire(0.05)} ${wire(0.09)}" stroke="#333" stroke-width="${strokePx}" fill="none"/>`;
  });

/** Shifts the color of the part between two heights. */
const tint =
  (from: number, to: number, shift: readonly [number, number, number]): Paint =>
  async ({ data, widthPx, heightPx }) => {
    const changed = Buffer.from(data);
    const stride = 3 * widthPx;
    for (let at = Math.round(from * heightPx) * stride; at < Math.round(to * heightPx) * stride; at += 1)
      changed[at] = Math.min(255, Math.max(0, data[at]! + shift[at % 3]!));
    return changed;
  };

/** Covers a square with what is beside it, as a retoucher removes an object. */
const patch =
  (share: number, x: number, y: number): Paint =>
  async (source) => {
    const { data, widthPx, heightPx } = source;
    const size = Math.round(share * widthPx);
    const [left, top] = [Math.round(x * widthPx), Math.round(y * heightPx)];
    const beside = await open(source, data)
      .extract({ left: left + size, top, width: size, height: size })
      .png()
      .toBuffer();
    return open(source, data)
      .composite([{ input: beside, left, top }])
      .removeAlpha()
      .raw()
      .toBuffer();
  };

/** What viewers can see. */
export const CHANGES: Readonly<Record<string, Paint>> = {
  'words of 2 % of the height': words(0.02, false),
  'words of 4 % of the height': words(0.04, false),
  'words of 2 % on a strip': words(0.02, true),
  'an object of 3 % of the width removed': patch(0.03, 0.48, 0.45),
  'an object of 8 % of the width removed': patch(0.08, 0.3, 0.5),
  'power lines of 1 px': lines(1),
  'power lines of 3 px': lines(3),
  'a sky that is bluer': tint(0, 0.3, [-14, -2, 14]),
  'a lawn that is greener': tint(0.75, 1, [-10, 12, -10]),
  dusk: tint(0, 1, [-70, -60, -25]),
  'an even blue cast': tint(0, 1, [-6, -2, 8]),
  'a little brighter': tint(0, 1, [8, 8, 8]),
};

export function store(source: Source, data: Buffer, how: (photo: Sharp) => Sharp): Promise<Buffer> {
  return how(open(source, data)).toBuffer();
}

/** Without a strip of this share along each edge. */
export function crop(source: Source, share: number): Promise<Buffer> {
  const { widthPx, heightPx, data } = source;
  const [left, top] = [Math.round(share * widthPx), Math.round(share * heightPx)];
  return open(source, data)
    .extract({ left, top, width: widthPx - 2 * left, height: heightPx - 2 * top })
    .jpeg({ quality: 90 })
    .toBuffer();
}
