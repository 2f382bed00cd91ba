/** The true service on a loopback port, whose handler takes its film from the test instead of rendering one. */
import { ListingVideoError } from '../../../src/platform/errors.ts';
import type { AccountStore } from '../../../src/task/accounts/account-store.ts';
import type { createFileStorage } from '../../../src/video/publish/file-storage.ts';
import { readTemplates } from '../../../src/wiring/read-templates.ts';
import { aPayload } from '../../video/a-payload.ts';
import { type FilmFiles, publishFilms } from '../client/served-videos.ts';
import type { VideoHandler } from '../server/harness.ts';
import { openService } from '../server/running-service.ts';

export interface RealService {
  readonly url: string;
  readonly accounts: AccountStore;
  /** Lets one task go on from its middle, where each waits; also one that is not there yet. */
  readonly finishOne: () => void;
  close(): Promise<void>;
}

/**
 * Listens on a free port. Assets whose URLs end in `/broken.jpg` are dropped; a task with no others fails.
 *
 * @param options - `film` is what every result is.
 */
export async function startRealService({ film }: { readonly film: FilmFiles }): Promise<RealService> {
  /** Tasks at their middle, and leave to end that was given before they came there. */
  const waiting: (() => void)[] = [];
  let leave = 0;
  const handler: VideoHandler = async ({ payload: { listing, outputDir } }, context) => {
    const dropped = listing.assets
      .filter(({ url }) => url.endsWith('/broken.jpg'))
      .map(({ url }) => ({ url, reason: 'corrupt: the picture ends too early' }));
    context.reportProgress({ percent: 50, stage: 'render', etaSeconds: 4 });
    if (leave > 0) leave -= 1;
    else {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        context.signal.addEventListener('abort', () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(context.signal.reason);
        });
      });
    }
    if (dropped.length === listing.assets.length) {
      const count = dropped.length;
      throw new ListingVideoError('no_usable_assets', `no usable assets: ${count} of ${count} dropped`, {
        context: { dropped_assets: dropped },
      });
    }
    return publishFilms(listing, outputDir, () => film, { dropped_assets: dropped });
  };
  // Folders as the wiring has them, below the home that `openService` is about to make.
  let files: ReturnType<typeof createFileStorage> | undefined;
  const opened = await openService({
    handler,
    templates: () => readTemplates({}, () => {}),
    makePayload: (listing, owner) => aPayload(listing, files!.folderOf(owner)),
    graceMs: 0,
  });
  files = opened.files;
  const url = await opened.service.start();
  return {
    url,
    accounts: opened.accounts,
    finishOne: () => {
      const end = waiting.shift();
      if (end === undefined) leave += 1;
      else end();
    },
    async close() {
      await opened.stop();
      await opened.remove();
    },
  };
}
