/** Says whether a local file is a photo, from its first bytes. Decodes nothing: a damaged photo shows when it is decoded. */
import { readLocalHead } from './read-local-asset.ts';
import { explainFormat, sniffFormat } from './sniff-format.ts';
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
