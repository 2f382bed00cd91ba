/** Reads an image of this machine that is to be uploaded. It checks what can be checked without decoding. */
import { DEFAULT_ASSET_LIMITS } from '../../media/assets/asset-limits.ts';
import { requireFormat } from '../../media/assets/prepare-assets.ts';
import { readLocalAsset, toLocalPath } from '../../media/assets/read-local-asset.ts';
import { UnusableAsset } from '../../media/assets/unusable-asset.ts';

/** A file that looks like a photo. */
export interface LocalImage {
  /** Absolute. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

export type LocalImages = ReadonlyMap<string, LocalImage>;

/**
 * @param url - A path or `file:` URL.
 * @param baseDir - Folder that a relative path resolves against; null forbids files.
 * @returns The image, or why it cannot be used, `<code>: <detail>`.
 */
export async function readLocalImage(
  url: string,
  baseDir: string | null,
  signal: AbortSignal,
): Promise<LocalImage | string> {
  try {
    const path = toLocalPath(url, baseDir);
    if (path === null) return 'unreachable: not a file of this machine';
    const { head, sha256 } = await readLocalAsset(path, DEFAULT_ASSET_LIMITS.maxBytes, signal);
    requireFormat(head);
    return { path, sha256 };
  } catch (error) {
    if (error instanceof UnusableAsset) return error.message;
    throw error;
  }
}
