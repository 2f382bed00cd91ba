/** The studio of one listing on this machine: document, stage, renders and sockets. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { loadSharp } from '../platform/load-sharp.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import { type FirstListing, LISTING_NAME, makeFirstListing } from '../studio/editor/first-listing.ts';
import { Studio } from '../studio/editor/studio.ts';
import { keyFileOf } from '../studio/editor/studio-memory.ts';
import { startStudioServer } from '../studio/editor/studio-server.ts';
import { takeOrFind } from '../studio/server/find-server.ts';
import { loadStudioKey } from '../studio/server/studio-key.ts';
import type { Place } from '../studio/start/start.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import { ListingLock, listingLockedBy, listingLockOf } from '../video/listing-lock.ts';
import { createSemaphore } from '../video/make/semaphore.ts';
import type { RenderDeps } from '../video/render-deps.ts';
import { openStage } from '../video/stage/open-stage.ts';
import type { VideoTaskOptions } from '../video/video-task.ts';
import type { OpenBackend } from './backend.ts';
import { proxiesOfUser } from './choose-proxies.ts';
import { openRenderDeps } from './open-render-deps.ts';

export interface StudioRequest {
  /** Absolute path of a listing file, or of a folder of photos that has none. */
  readonly place: Place;
  /** 0: a free one. */
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: TaskLogger;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly openBackend: OpenBackend;
  /** Shows a file in its folder; null without a desktop. */
  readonly showFile: ((file: string) => void) | null;
  /** The page of all listings, if that opens the studio. */
  readonly startUrl?: string;
}

export interface OpenedStudio {
  /** With its token. */
  readonly url: string;
  /** An address that works once, each time another one, for the command line of the browser, which other users of the machine can read. */
  readonly urlToOpen: string;
  /** Absolute. */
  readonly listingFile: string;
  /** What was made of a folder of photos; null for a listing that was there. */
  readonly first: FirstListing | null;
  /** Resolves when its pages have been closed for a while, everything is saved and nothing is rendered. */
  readonly closed: Promise<void>;
  /** Cancels a render, which the next studio offers to continue, and ends when everything is saved. */
  close(): Promise<void>;
}

/**
 * Opens the real or a fake studio. Null: the folder has files, and none is a photo. `other`: a studio has the listing
 * open already; an address of it, which works once.
 */
export type OpenStudio = (
  settings: Settings,
  request: StudioRequest,
) => Promise<OpenedStudio | { readonly other: string } | null>;

/**
 * @throws {@link ListingVideoError} `json_invalid`, `body_too_large`, `output_unwritable`, `output_locked`, `disk_full`,
 *   `cannot_listen`, `sharp_missing`; what the stores throw.
 */
export const openStudio: OpenStudio = async (settings, request) => {
  await loadSharp();
  const { place } = request;
  const listingFile =
    'listing' in place
      ? await realpath(place.listing)
      : path.join(await realpath(place.photos), LISTING_NAME);
  const onError = (error: unknown): void =>
    request.logger.warn('the key of the page cannot be kept', { error });
  const found = await takeOrFind({
    lock: listingLockOf(listingFile),
    key: await loadStudioKey(keyFileOf(settings.home, listingFile), onError),
    async take() {
      const taken = await ListingLock.take(listingFile);
      return 'lock' in taken ? taken.lock : null;
    },
    refuse: (holder) => listingLockedBy(holder, listingFile),
  });
  if ('other' in found) return found;
  try {
    return await openOwn(settings, request, listingFile, found.own);
  } catch (error) {
    await found.own.close();
    throw error;
  }
};

async function openOwn(
  settings: Settings,
  request: StudioRequest,
  listingFile: string,
  lock: ListingLock,
): Promise<OpenedStudio | null> {
  const { place, port, logger, nowMs } = request;
  const first =
    'photos' in place ? await makeFirstListing(place.photos, place.street, await lock.staging()) : null;
  if ('photos' in place && first === null) {
    await lock.close();
    return null;
  }
  const backend = await request.openBackend(settings, request);
  const deps: RenderDeps = {
    ...openRenderDeps(settings, { proxies: proxiesOfUser(settings, request.env) }),
    decodeSlots: createSemaphore(settings.concurrency),
  };
  const taskOptions = taskOptionsOf(settings);
  const warn = (message: string, error: unknown): void => logger.warn(message, { error });
  const studio = await Studio.open({
    listingFile,
    lock,
    home: settings.home,
    out: settings.out,
    engine: backend.engine,
    taskOptions,
    showFile: request.showFile,
    startUrl: request.startUrl ?? null,
    openStage: (onChange) =>
      openStage({
        deps,
        baseDir: path.dirname(listingFile),
        unbrandedKeep: settings.unbrandedKeep,
        onChange,
      }),
    checkFile: async (bytes, purpose, signal) => {
      const { findNewFileProblem } = await import('../video/photos/check-new-file.ts');
      return findNewFileProblem(bytes, purpose, deps, signal);
    },
    guessOpening: async (files, signal) => {
      const { lookAtPhotos, openingOf } = await import('../video/photos/look-at-photos.ts');
      return openingOf(await lookAtPhotos(files, { home: settings.home, signal }));
    },
    nowMs,
    warn,
  });
  if (first !== null) studio.beginWithPhotos(first);
  const onFault = (error: unknown): void => warn('a request of the page failed', error);
  const server = await startStudioServer({ studio, port, onFault }).catch(async (error: unknown) => {
    await studio.close();
    await backend.close();
    throw error;
  });
  await lock.sayPort(server.port);
  return {
    url: server.url,
    get urlToOpen() {
      return server.urlToOpen;
    },
    listingFile,
    first,
    closed: server.closed,
    async close() {
      // At once: the pages have a second to leave, in which a render could end.
      const stopped = studio.renders.stop();
      await server.close();
      await stopped;
      await studio.close();
      await backend.close();
    },
  };
}

/** Template, ratio and music are those of the listing: the studio edits them. It begins with the project's places. */
function taskOptionsOf(settings: Settings): VideoTaskOptions {
  const { quality, minAssets, untrusted, preview, unbrandedKeep, for: destinations } = settings;
  return {
    quality,
    minAssets,
    preview,
    unbrandedKeep,
    force: false,
    ...(destinations ? { destinations } : {}),
    ...(untrusted ? { untrusted: true } : {}),
  };
}
