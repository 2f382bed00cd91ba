/**
 * Says whether a local file is a photo, from its first bytes. Decodes nothing: a damaged photo shows when it is
 * decoded.
 */
import { stat } from 'node:fs/promises';
import { type AssetLimits, DEFAULT_ASSET_LIMITS, formatBytes, formatExcess } from './asset-limits.ts';
import { explainFormat, sniffFormat } from './decode/sniff-format.ts';
import { readLocalHead, toLocalPath } from './read-local-asset.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** Null for a photo; otherwise the reason why the file at `path` cannot be one, for people. */
export async function findPhotoProblem(path: string): Promise<string | null> {
  try {
    return explainFormat(sniffFormat(await readLocalHead(path)));
  } catch (error) {
    if (error instanceof UnusableAsset) return error.detail;
    throw error;
  }
}

/**
 * The same for the address of a photo. Null also for one of the network.
 *
 * @param baseDir - Folder that a relative path resolves against; null forbids files.
 */
export async function findLocalProblem(
  url: string,
  baseDir: string | null,
  limits: Partial<AssetLimits>,
): Promise<string | null> {
  try {
    const path = toLocalPath(url, baseDir);
    if (path === null) return null;
    const problem = await findPhotoProblem(path);
    if (problem !== null) return problem;
    const { maxBytes } = { ...DEFAULT_ASSET_LIMITS, ...limits };
    const { size } = await stat(path);
    return size > maxBytes ? formatExcess(size, maxBytes, formatBytes) : null;
  } catch (error) {
    if (error instanceof UnusableAsset) return error.detail;
    throw error;
  }
}
