/**
 * Decodes one untrusted image into a master. Only this file of the layer imports sharp. It runs in the decode process
 * only, because no limit inside libvips stops every decompression bomb.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { requireSharp } from '../../../platform/load-sharp.ts';
import { requirePixelLimit } from '../asset-limits.ts';
import { toColorCells } from '../color-cells.ts';
import { detailCenterOf } from '../detail-center.ts';
import { FINGERPRINT_SIDE_PX } from '../duplicate.ts';
import { toMedianColor } from '../median-color.ts';
import { bareFromOf } from '../picture-foot.ts';
import { lookOf } from '../picture-look.ts';
import { subjectOf } from '../picture-subject.ts';
import { UnusableAsset } from '../unusable-asset.ts';
import { findCameraRaw } from './camera-raw.ts';
import { endsInColorNoise } from './damage/color-noise.ts';
import { inspectJpeg } from './damage/inspect-jpeg.ts';
import { withoutEnd } from './damage/inspect-webp.ts';
import { isDataBroken, isWorthDecodingTwice } from './damage/is-data-broken.ts';
import { hasUndecodedPart } from './damage/undecoded-part.ts';
import { decodeHeic } from './decode-heic.ts';
import {
  type DecodedImage,
  type DecodeRequest,
  GRAPHIC_LONG_SIDE_PX,
  type ImageKind,
  MASTER_LONG_SIDE_PX,
  THUMBNAIL_LONG_SIDE_PX,
} from './decode-protocol.ts';
import { toProfileConverter } from './icc-profile.ts';
import { cameraRaw, explainFormat, type SupportedFormat } from './sniff-format.ts';
import { createYuvConverter } from './yuv-planes.ts';

// Each process decodes one image at a time: no cache that grows, and not more threads than processes.
const sharp = requireSharp();
sharp.cache(false);
sharp.concurrency(1);
// The format is known from the bytes. As a second line of defense, all other loaders of libvips are blocked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadTiff',
  ],
});

const toYuvPlanes = await createYuvConverter();

/** Long side of the thumbnail for focus, subject, fingerprint and look. */
const THUMBNAIL_PX = 256;

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Uncompressed 8-bit pixels. */
interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 3 | 4;
}

/**
 * Decodes `request.sourcePath` and writes the master to `request.masterPath`.
 *
 * @throws {@link UnusableAsset} `too_large` (pixels, before anything is decoded), `corrupt`, or `unreachable` when the
 * file changed after it was hashed.
 */
export async function decodeImage(request: DecodeRequest): Promise<DecodedImage> {
  const source = await readSource(request);
  const {
    size,
    pixels,
    hasPalette = false,
  } = await (request.format === 'heic' ? readHeic : readImage)(source, request);
  const isPhoto = request.kind === 'photo';
  const master = isPhoto ? toYuvPlanes(pixels.data, pixels.widthPx, pixels.heightPx) : pixels.data;
  await writeFile(request.masterPath, master, { flag: 'wx' });
  return {
    widthPx: pixels.widthPx,
    heightPx: pixels.heightPx,
    sourceWidthPx: size.widthPx,
    sourceHeightPx: size.heightPx,
    ...(isPhoto ? { ...(await describe(pixels)), hasPalette } : await describePixels(pixels, request.kind)),
  };
}

/** The oriented size of the source, and the pixels of its master. */
interface DecodedMaster {
  readonly size: Size;
  readonly pixels: Pixels;
  readonly hasPalette?: boolean;
}

async function readImage(source: Buffer, request: DecodeRequest): Promise<DecodedMaster> {
  requireNoCameraRaw(source, request.format);
  const metadata = await readHeader(source, request);
  const size = orientedSize(metadata);
  const pixels = await decodeWhole(source, metadata, request.format, toMasterPlan(size, request));
  return { size, pixels, hasPalette: metadata.isPalette === true };
}

async function readHeic(source: Buffer, request: DecodeRequest): Promise<DecodedMaster> {
  const picture = await decodeHeic(source, request.maxPixels);
  const { data, widthPx, heightPx, channels, converter } = picture;
  // Logos can have any green.
  if (request.kind !== 'graphic' && hasUndecodedPart(picture)) throw corrupt('the picture data is damaged');
  const size = { widthPx, heightPx };
  const raw = { width: widthPx, height: heightPx, channels };
  const pixels = await toPixels(
    render(sharp(data, { raw, limitInputPixels: false }), toMasterPlan(size, request)),
  );
  if (converter !== null && !converter.isSrgb) converter.convert(pixels.data, pixels.channels);
  return { size, pixels };
}

/** The first bytes do not show it when the directory is at the end of the file. */
function requireNoCameraRaw(source: Buffer, format: SupportedFormat): void {
  const ending = format === 'tiff' ? findCameraRaw(source) : null;
  if (ending === null) return;
  throw new UnusableAsset('unsupported_format', explainFormat(cameraRaw(ending))!);
}

async function readSource(request: DecodeRequest): Promise<Buffer> {
  // A user can delete or replace a local photo during a render.
  const changed = () => new UnusableAsset('unreachable', 'the file changed while it was read');
  const source = await readFile(request.sourcePath).catch(() => {
    throw changed();
  });
  if (createHash('sha256').update(source).digest('hex') !== request.sourceSha256) throw changed();
  return source;
}

async function readHeader(source: Buffer, { maxPixels }: DecodeRequest): Promise<Metadata> {
  const metadata = await sharp(source, { ...OPEN, failOn: 'error' })
    .metadata()
    .catch((cause: unknown) => {
      throw corrupt('the header cannot be read', cause);
    });
  const { width, height } = metadata;
  requirePixelLimit(width, height, maxPixels);
  return metadata;
}

/** Without libvips' own pixel limit: `readHeader` checks ours, whose message has the numbers. */
const OPEN: SharpOptions = { limitInputPixels: false, pages: 1, page: 0 };

/** The source size and the master size, both oriented. */
interface MasterPlan {
  readonly isOpaque: boolean;
  readonly size: Size;
  readonly target: Size;
}

function toMasterPlan(size: Size, { kind }: DecodeRequest): MasterPlan {
  return { isOpaque: kind !== 'graphic', size, target: masterSize(size, kind) };
}

async function decodeWhole(
  source: Buffer,
  metadata: Metadata,
  format: SupportedFormat,
  plan: MasterPlan,
): Promise<Pixels> {
  const skeleton = format === 'jpeg' ? inspectJpeg(source) : null;
  if (skeleton !== null && skeleton.damage !== null) throw corrupt(skeleton.damage);
  const { widthPx, heightPx } = plan.size;
  if (isDataBroken(source, format, widthPx * heightPx)) throw corrupt('the picture data is damaged');
  const converter = metadata.icc === undefined ? null : toProfileConverter(metadata.icc);
  // For 16-bit sources sharp converts the profile: converting after the reduction to 8 bits would show bands.
  const isOurs = converter !== null && (converter.isSrgb || metadata.depth === 'uchar');
  const run = async (failOn: 'warning' | 'error'): Promise<Pixels> => {
    const opened = sharp(source, { ...OPEN, failOn, ignoreIcc: isOurs, autoOrient: true });
    const pixels = await toPixels(render(opened, plan));
    if (isOurs && !converter.isSrgb) converter.convert(pixels.data, pixels.channels);
    return pixels;
  };
  try {
    const pixels = await run(format === 'jpeg' || format === 'gif' ? 'warning' : 'error');
    if (format === 'webp' && (await isLosslessBroken(source, pixels, widthPx * heightPx)))
      throw corrupt('the picture data is damaged');
    return pixels;
  } catch (cause) {
    if (cause instanceof UnusableAsset) throw cause;
    const text = String((cause as Error).message);
    if (skeleton === null || isJpegDamage(text, skeleton.paddingBytes))
      throw corrupt(describeDamage(text), cause);
    // Warnings about a profile, a marker or padding do not concern the pixels.
    return run('error').catch((again: unknown) => {
      throw corrupt(describeDamage(String((again as Error).message)), again);
    });
  }
}

/** A lossless WebP that can be decoded without its end has other data in between. */
async function isLosslessBroken(webp: Buffer, pixels: Pixels, sizePx: number): Promise<boolean> {
  const shorter = withoutEnd(webp);
  if (shorter === null) return false;
  if (endsInColorNoise(pixels.data, pixels.widthPx, pixels.heightPx, pixels.channels)) return true;
  if (!isWorthDecodingTwice(sizePx)) return false;
  const decoded = sharp(shorter, { ...OPEN, failOn: 'error' })
    .resize(16, 16, { fit: 'fill' })
    .raw()
    .toBuffer();
  return decoded.then(
    () => true,
    () => false,
  );
}

function render(opened: Sharp, { isOpaque, size, target }: MasterPlan): Sharp {
  const { widthPx: width, heightPx: height } = target;
  // An odd last row or column is cropped, because resizing would soften the whole image.
  const isTrim = [size.widthPx - width, size.heightPx - height].every((extra) => extra === 0 || extra === 1);
  const sized = isTrim
    ? opened.extract({ left: 0, top: 0, width, height })
    : opened.resize(width, height, { fit: 'fill' });
  const resized = sized.toColorspace('srgb');
  return isOpaque ? resized.flatten({ background: '#ffffff' }) : resized.ensureAlpha();
}

async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, widthPx: info.width, heightPx: info.height, channels: info.channels as 3 | 4 };
}

/** Some encoders leave a few bytes before the end marker; damage leaves hundreds. */
const MAX_LEFTOVER_BYTES = 16;

/**
 * Checks libjpeg-turbo's warnings, which libvips passes on as text without a code. Corrupt data shows as gray or
 * stripes. Exceptions are a few bytes before the end marker (FF D9), and any number of zeros there.
 */
function isJpegDamage(text: string, paddingBytes: number): boolean {
  return text.split('\n').some((line) => {
    const leftover = /(\d+) extraneous bytes before marker 0xd9/i.exec(line);
    if (leftover !== null) return Number(leftover[1]) > MAX_LEFTOVER_BYTES + paddingBytes;
    return /corrupt jpeg data|premature end|bad huffman|unsupported marker/i.test(line);
  });
}

function describeDamage(text: string): string {
  if (/premature end|unexpected end|not enough data|end of file|truncat/i.test(text))
    return 'the file ends too early';
  return 'the picture data is damaged';
}

/** Width and height after orientation (EXIF 5 to 8 swap them). */
function orientedSize(metadata: Metadata): Size {
  const isTurned = (metadata.orientation ?? 1) >= 5;
  return isTurned
    ? { widthPx: metadata.height, heightPx: metadata.width }
    : { widthPx: metadata.width, heightPx: metadata.height };
}

const LONG_SIDES_PX: Readonly<Record<ImageKind, number>> = {
  photo: MASTER_LONG_SIDE_PX,
  graphic: GRAPHIC_LONG_SIDE_PX,
  thumbnail: THUMBNAIL_LONG_SIDE_PX,
};

/** Size of the master: never enlarged, with the source's aspect; the sides of photos are even. */
function masterSize({ widthPx, heightPx }: Size, kind: ImageKind): Size {
  const scale = Math.min(1, LONG_SIDES_PX[kind] / Math.max(widthPx, heightPx));
  if (kind !== 'photo') {
    return {
      widthPx: Math.max(1, Math.round(widthPx * scale)),
      heightPx: Math.max(1, Math.round(heightPx * scale)),
    };
  }
  const even = (side: number) => Math.max(2, 2 * Math.floor((side * scale) / 2 + 1e-6));
  return { widthPx: even(widthPx), heightPx: even(heightPx) };
}

/** Of graphics and thumbnails: only graphics have transparency, and so a median color. */
async function describePixels(
  pixels: Pixels,
  kind: ImageKind,
): Promise<Pick<DecodedImage, 'focus' | 'fingerprint' | 'medianColor'>> {
  const medianColor = pixels.channels === 4 ? toMedianColor(pixels.data) : null;
  const fingerprint = kind === 'thumbnail' ? await toFingerprint(pixels) : '';
  return { focus: { x: 0.5, y: 0.5 }, fingerprint, medianColor };
}

async function toFingerprint(pixels: Pixels): Promise<string> {
  const square = openPixels(pixels).resize(FINGERPRINT_SIDE_PX, FINGERPRINT_SIDE_PX, {
    fit: 'fill',
    kernel: 'linear',
  });
  return (await toPixels(square)).data.toString('base64');
}

function openPixels({ data, widthPx, heightPx, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels } });
}

async function describe(
  pixels: Pixels,
): Promise<
  Pick<DecodedImage, 'focus' | 'detailCenter' | 'subject' | 'bareFrom' | 'fingerprint' | 'looksLike'>
> {
  const thumbnail = await toPixels(
    openPixels(pixels).resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', kernel: 'linear' }),
  );
  const looksLike = lookOf(thumbnail);
  const cells = toColorCells(thumbnail);
  const subject = subjectOf(cells);
  const bareFrom = bareFromOf(cells);
  return {
    focus: await findFocus(() => openPixels(thumbnail), thumbnail),
    detailCenter: detailCenterOf(cells),
    ...(subject === undefined ? {} : { subject }),
    ...(bareFrom === undefined ? {} : { bareFrom }),
    fingerprint: await toFingerprint(thumbnail),
    ...(looksLike === undefined ? {} : { looksLike }),
  };
}

/** Most crops keep a strip of about this share of the image (a 3:2 photo in 9:16: 0.375). */
const FOCUS_STRIP = 0.4;

/**
 * The center that a crop should keep: the mean of where sharp's attention and entropy strategies put a strip on each
 * axis.
 *
 * Attention alone follows bright or saturated spots: in rooms often a window's edge, in portraits the collar. Entropy
 * follows detail. On 29 rooms, facades and portraits the mean of both was best. The center of a strip also keeps away
 * from the border.
 */
async function findFocus(
  small: () => Sharp,
  { widthPx, heightPx }: Pixels,
): Promise<{ x: number; y: number }> {
  const strip = { width: Math.ceil(widthPx * FOCUS_STRIP), height: Math.ceil(heightPx * FOCUS_STRIP) };
  let x = 0;
  let y = 0;
  for (const position of [sharp.strategy.attention, sharp.strategy.entropy]) {
    const crop = async (width: number, height: number) =>
      (
        await small()
          .resize(width, height, { fit: 'cover', position })
          .raw()
          .toBuffer({ resolveWithObject: true })
      ).info;
    const column = await crop(strip.width, heightPx);
    const row = await crop(widthPx, strip.height);
    // Offsets are negative, and absent without a crop.
    x += (strip.width / 2 - (column.cropOffsetLeft ?? 0)) / widthPx / 2;
    y += (strip.height / 2 - (row.cropOffsetTop ?? 0)) / heightPx / 2;
  }
  return { x: Math.min(1, x), y: Math.min(1, y) };
}

function corrupt(detail: string, cause?: unknown): UnusableAsset {
  return new UnusableAsset('corrupt', detail, { cause });
}
