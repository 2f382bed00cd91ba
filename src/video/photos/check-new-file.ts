/** Checks a file that a person adds to a listing, as its task would: before it is copied next to the listing. */
import path from 'node:path';
import { prepareAssets } from '../../media/assets/prepare-assets.ts';
import { inspectMusic } from '../../media/encode/audio/inspect-music.ts';
import { writeNewFile } from '../../platform/disk/atomic-write.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import type { RenderDeps } from '../render-deps.ts';
import { openWorkFolder } from '../work-folder.ts';

export type NewFileUse = 'photo' | 'portrait' | 'logo' | 'music';

/**
 * Photos are decoded in a separate process with limits; they stay in the cache, so the next plan does not decode them
 * again.
 *
 * @returns Why it cannot be used, for people; null when it can.
 * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`, `internal_error`; the signal's reason.
 */
export async function findNewFileProblem(
  bytes: Uint8Array,
  use: NewFileUse,
  { home, cache, assetLimits }: Pick<RenderDeps, 'home' | 'cache' | 'assetLimits'>,
  signal: AbortSignal,
): Promise<string | null> {
  const work = await openWorkFolder(home);
  try {
    const url = path.join(work.path, 'file');
    await writeNewFile(url, bytes, false).catch((error: unknown) => {
      throw toStoreError(error, url);
    });
    if (use === 'music') {
      const found = await inspectMusic(url, signal);
      return 'problem' in found ? found.problem : null;
    }
    const { dropped } = await prepareAssets({
      assets: use === 'photo' ? [{ url }] : [],
      pictures: use === 'portrait' ? [{ url }] : [],
      logos: use === 'logo' ? [{ url }] : [],
      baseDir: work.path,
      policy: { allowPrivate: false, allowFrom: [], denyFrom: [] },
      cache,
      ...(assetLimits && { limits: assetLimits }),
      workDir: path.join(work.path, 'photo'),
      concurrency: 1,
      signal: AbortSignal.any([signal, work.lost]),
    });
    return dropped[0]?.reason.replace(/^\w+: /, '') ?? null;
  } finally {
    await work.close().catch(() => {});
  }
}
