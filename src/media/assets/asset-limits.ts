/** The limits of assets: size, time and memory. */

import { UnusableAsset } from './unusable-asset.ts';

export interface AssetLimits {
  /** Largest source file, as it is sent and as it is unpacked. */
  readonly maxBytes: number;
  /** Largest width times height, checked before decoding. */
  readonly maxPixels: number;
  /** Minimum of the shorter side after orientation. Portraits and logos are exempt. */
  readonly minShortSidePx: number;
  /** Per try: DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Per try: the longest time without a byte. */
  readonly stallTimeoutMs: number;
  /** Per try: the whole request with its redirects. */
  readonly totalTimeoutMs: number;
  readonly maxRedirects: number;
  /** Number of tries for failures that can pass (time-out, reset, 5xx). */
  readonly maxTries: number;
  /** Parallel connections to one origin. */
  readonly connectionsPerHost: number;
  /** Of a listing: the time on the network of all its assets together, or infinity … */
  readonly listingTimeoutMs: number;
  /** … plus this for each asset that comes from the network. */
  readonly listingTimeoutPerPhotoMs: number;
  /** Of a listing: a host is given up when this many of its assets have timed out in all their tries. */
  readonly maxTimeoutsPerHost: number;
  readonly decodeTimeoutMs: number;
  readonly decodeMemoryBytes: number;
}

export const DEFAULT_ASSET_LIMITS: AssetLimits = {
  maxBytes: 25 * 1024 * 1024,
  maxPixels: 100_000_000,
  minShortSidePx: 320,
  connectTimeoutMs: 5_000,
  stallTimeoutMs: 10_000,
  totalTimeoutMs: 30_000,
  maxRedirects: 5,
  maxTries: 3,
  connectionsPerHost: 4,
  listingTimeoutMs: 120_000,
  listingTimeoutPerPhotoMs: 2_000,
  maxTimeoutsPerHost: 3,
  decodeTimeoutMs: 10_000,
  decodeMemoryBytes: 1024 * 1024 * 1024,
};

/** @throws {@link UnusableAsset} `too_large`, or `corrupt` for a picture without pixels. */
export function requirePixelLimit(widthPx: number, heightPx: number, maxPixels: number): void {
  const pixels = widthPx * heightPx;
  if (!(pixels > 0)) throw new UnusableAsset('corrupt', 'a picture without pixels');
  if (pixels <= maxPixels) return;
  throw new UnusableAsset(
    'too_large',
    `${widthPx} x ${heightPx} px, ${formatExcess(pixels, maxPixels, formatMegapixels)}`,
  );
}

/** A size as reasons show it: `25 MiB`, `1.5 MiB`, `900 bytes`. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} bytes`;
  if (sizeBytes < 1024 * 1024) return `${trim(sizeBytes / 1024)} KiB`;
  return `${trim(sizeBytes / (1024 * 1024))} MiB`;
}

/** `31.2 MiB, at most 25 MiB`; `more than 25 MiB` if both would read the same. */
export function formatExcess(actual: number, limit: number, format: (value: number) => string): string {
  return format(actual) === format(limit)
    ? `more than ${format(limit)}`
    : `${format(actual)}, at most ${format(limit)}`;
}

/** `5 s`, `0.3 s`. */
export function formatSeconds(ms: number): string {
  return `${ms / 1000} s`;
}

/** `120 megapixels`. */
function formatMegapixels(pixels: number): string {
  return `${pixels < 1e6 ? (pixels / 1e6).toPrecision(2) : trim(pixels / 1e6)} megapixels`;
}

function trim(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}
