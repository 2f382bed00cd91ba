/** Prepares a listing for a bundle: its local photos are packed and named there, so that it renders after unpacking. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { realPathInside } from '../../platform/disk/path-inside.ts';

export interface PackedFile {
  /** In the bundle, with slashes. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Collects local photos, each once, up to a total size. */
export class BundledFiles {
  readonly files: PackedFile[] = [];
  /** Paths that were left out because the bundle would grow too large. */
  readonly leftOut: string[] = [];
  readonly #maxBytes: number;
  readonly #isUntrusted: boolean;
  #sizeBytes = 0;

  /** @param isUntrusted - Strangers wrote the listings: only files in the folder of the listing are packed. */
  constructor(maxBytes: number, isUntrusted: boolean) {
    this.#maxBytes = maxBytes;
    this.#isUntrusted = isUntrusted;
  }

  /** The name in the bundle of the file `url`, relative to `baseDir`; null for other URLs and beyond the limit. */
  place(url: string, baseDir: string): string | null {
    const file = toPath(url, baseDir);
    if (file === null || (this.#isUntrusted && realPathInside(baseDir, file) === null)) return null;
    const known = this.files.find((packed) => packed.path === file);
    if (known !== undefined) return known.name;
    const sizeBytes = sizeOf(file);
    if (sizeBytes === null) return null;
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) {
      this.leftOut.push(file);
      return null;
    }
    this.#sizeBytes += sizeBytes;
    const name = `pictures/${String(this.files.length + 1).padStart(3, '0')}-${path.basename(file)}`;
    this.files.push({ name, path: file, sizeBytes });
    return name;
  }
}

/** A copy of `listing`, whatever its shape, in which every string that names a local file names it in the bundle. */
export function packListing(listing: unknown, baseDir: string, bundled: BundledFiles): unknown {
  if (typeof listing === 'string') return bundled.place(listing, baseDir) ?? listing;
  if (Array.isArray(listing)) return listing.map((item) => packListing(item, baseDir, bundled));
  if (typeof listing !== 'object' || listing === null) return listing;
  const entries = Object.entries(listing).map(([key, value]) => [key, packListing(value, baseDir, bundled)]);
  return Object.fromEntries(entries);
}

/** Only names with an extension: an agent called `bin` is not a file. */
function toPath(url: string, baseDir: string): string | null {
  if (url.length > 4096 || url.includes('\0') || !/\.[a-z0-9]{2,5}$/i.test(url)) return null;
  if (/^file:/i.test(url)) {
    try {
      return fileURLToPath(url);
    } catch {
      return null;
    }
  }
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? null : path.resolve(baseDir, url);
}

function sizeOf(file: string): number | null {
  try {
    const found = statSync(file);
    return found.isFile() ? found.size : null;
  } catch {
    return null;
  }
}
