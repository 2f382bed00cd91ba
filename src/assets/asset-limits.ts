/** How large, how slow and how small an asset may be. Numbers only; each stage reads what it needs. */

/** Limits of one asset. All are per asset, or per try where said. */
export interface AssetLimits {
  /** Largest source file, after any content decoding. */
  readonly maxBytes: number;
  /** Largest width times height, read from the header before anything is decoded. */
  readonly maxPixels: number;
  /** Shortest allowed shorter side after orientation; agent pictures and logos are exempt. */
  readonly minShortSidePx: number;
  /** Per try: name look-up, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Per try: the longest silence. */
  readonly stallTimeoutMs: number;
  /** Per try: everything, redirects included. */
  readonly totalTimeoutMs: number;
  readonly maxRedirects: number;
  /** Tries in all for what may pass by itself (time-out, reset, 5xx). */
  readonly maxTries: number;
  /** Connections to one origin at once. */
  readonly connectionsPerHost: number;
  readonly decodeTimeoutMs: number;
  /** Resident memory of a decoding process, beyond which it is stopped. */
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
  decodeTimeoutMs: 10_000,
  decodeMemoryBytes: 1024 * 1024 * 1024,
};

/** `25 MiB`, `1.5 MiB`, `900 bytes`: how a limit is named in a reason. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} bytes`;
  if (sizeBytes < 1024 * 1024) return `${trim(sizeBytes / 1024)} KiB`;
  return `${trim(sizeBytes / (1024 * 1024))} MiB`;
}

/** `31.2 MiB, at most 25 MiB`; of two sizes that would read alike, `more than 25 MiB`. */
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
export function formatMegapixels(pixels: number): string {
  return `${pixels < 1e6 ? (pixels / 1e6).toPrecision(2) : trim(pixels / 1e6)} megapixels`;
}

function trim(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}
