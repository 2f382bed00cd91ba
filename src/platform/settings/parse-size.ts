/** Byte sizes as people write them (`5GB`, `512 MiB`). */

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  kib: 1024,
  m: 1e6,
  mb: 1e6,
  mib: 1024 ** 2,
  g: 1e9,
  gb: 1e9,
  gib: 1024 ** 3,
  t: 1e12,
  tb: 1e12,
  tib: 1024 ** 4,
};

/**
 * Bytes of a size such as `5GB` (decimal) or `512MiB` (binary). Case does not matter.
 *
 * @returns A whole number of bytes, or null when `text` is not a size or exceeds the safe integers.
 */
export function parseSize(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  if (!match) return null;
  const factor = UNITS[(match[2] ?? '').toLowerCase()];
  if (factor === undefined) return null;
  const bytes = Math.round(Number(match[1]) * factor);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** The shortest text that {@link parseSize} reads as exactly this many bytes: `5GB`, `4MiB`, `1500B`. */
export function formatExactSize(sizeBytes: number): string {
  const texts = ['TB', 'TiB', 'GB', 'GiB', 'MB', 'MiB', 'kB', 'KiB', 'B'].map(
    (unit) => `${Number((sizeBytes / UNITS[unit.toLowerCase()]!).toFixed(3))}${unit}`,
  );
  const exact = texts.filter((text) => parseSize(text) === sizeBytes);
  return exact.reduce((best, text) => (text.length < best.length ? text : best));
}

/** A size for people, decimal units, three significant figures: `1.5 GB`. */
export function formatSize(sizeBytes: number): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = sizeBytes;
  let index = 0;
  while (value >= 999.5 && index < names.length - 1) {
    value /= 1000;
    index += 1;
  }
  const digits = index === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${names[index]}`;
}
