/** The uploads of a server: what an organization can store, and what its tasks can use. */
import { DEFAULT_ASSET_LIMITS } from '../../media/assets/asset-limits.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { ClientLeft, type StoredUpload, storeUpload } from './store-upload.ts';
import { createTurns } from './turns.ts';
import { isUploadId, newUploadId } from './upload-id.ts';
import type { SweepLimits, UploadQuota, UploadStore, UploadUsage } from './upload-store.ts';

export interface UploadsOptions {
  /** The data folder, for the work on an upload. */
  readonly home: string;
  readonly store: UploadStore;
  /** Gets the decoded photos. */
  readonly cache: DiskCache;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Photos that are decoded at the same time. */
  readonly decodesAtOnce: number;
  readonly quota?: UploadQuota;
}

/** Uploads are for listings that are sent soon after. */
const KEEP_UPLOADS_MS = 24 * 3_600_000;
/** An upload stays this long after it can no longer be named, so that no task loses one that it has just named. */
const SWEEP_DELAY_MS = 600_000;
/**
 * A hold whose task nobody knows stays this long. A crash can leave one of a task that was never stored; but the
 * records of tasks can also be lost for a while, with a disk that is not mounted or a database that is not imported.
 */
const UNKNOWN_TASK_MS = 30 * 24 * 3_600_000;

/** Ten listings with the most photos. */
const DEFAULT_QUOTA: UploadQuota = { maxFiles: 1_000, maxBytes: 2 * 1024 ** 3 };

export type AddedUpload =
  /** `expiresMs` in milliseconds since 1970. */
  | (StoredUpload & { readonly kind: 'stored'; readonly id: string; readonly expiresMs: number })
  /** `<code>: <detail>`, as for a dropped asset. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** The client left, so nothing was decoded. */
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'full'; readonly usage: UploadUsage; readonly quota: UploadQuota };

export interface Uploads {
  /** Of one upload. */
  readonly maxBytes: number;
  /** How long an upload stays, if no task can still use it. */
  readonly keepMs: number;
  /**
   * @param isWanted - Asked before the photo is decoded: others can have waited for longer than the client. Default:
   *   always.
   * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`, `internal_error`.
   */
  add(organizationId: string, bytes: Uint8Array, isWanted?: () => boolean): Promise<AddedUpload>;
  /** Ids that name no upload of this organization, or one that is too old for a new task. */
  findMissing(organizationId: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Keeps uploads until the task has succeeded or is removed. Call it before the task is stored. */
  hold(organizationId: string, taskId: string, ids: readonly string[]): Promise<void>;
  /** Ends the hold of a task that is removed or was never stored. */
  release(organizationId: string, taskId: string): Promise<void>;
  /** False for a server that nobody has sent an upload. */
  hasAny(): Promise<boolean>;
  /** Removes old uploads that no task can still use. @returns Their number. */
  sweep(options: SweepUploadsOptions): Promise<number>;
}

export interface SweepUploadsOptions extends Pick<SweepLimits, 'isOver'> {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Touches nothing until it is used. */
export function openUploads({
  home,
  store,
  cache,
  nowMs,
  decodesAtOnce,
  quota = DEFAULT_QUOTA,
}: UploadsOptions): Uploads {
  const decodeTurns = createTurns(decodesAtOnce);
  return {
    maxBytes: DEFAULT_ASSET_LIMITS.maxBytes,
    keepMs: KEEP_UPLOADS_MS,
    async add(organizationId, bytes, isWanted = () => true) {
      const upload = { organizationId, id: newUploadId(), sizeBytes: bytes.length, createdMs: nowMs() };
      const place = await store.reserve(upload, quota);
      if ('full' in place) return { kind: 'full', usage: place.full, quota };
      try {
        const deps = { home, cache, place, decodeTurns, isWanted };
        const stored = await storeUpload(organizationId, bytes, deps);
        if (typeof stored === 'string') return { kind: 'unusable', reason: stored };
        const { id, createdMs } = upload;
        return { kind: 'stored', ...stored, id, expiresMs: createdMs + KEEP_UPLOADS_MS };
      } catch (error) {
        if (error instanceof ClientLeft) return { kind: 'unwanted' };
        throw error;
      } finally {
        await place.close();
      }
    },
    async findMissing(organizationId, ids) {
      const valid = ids.filter(isUploadId);
      const createdAfterMs = nowMs() - KEEP_UPLOADS_MS;
      const missing = new Set(await store.findMissing(organizationId, valid, createdAfterMs));
      return ids.filter((id) => missing.has(id) || !isUploadId(id));
    },
    hold: (organizationId, taskId, ids) => store.hold(organizationId, taskId, ids),
    release: (organizationId, taskId) => store.release(organizationId, taskId),
    hasAny: () => store.exists(),
    sweep: ({ nowMs: atMs, isOver }) =>
      store.sweep({
        createdBeforeMs: atMs - KEEP_UPLOADS_MS - SWEEP_DELAY_MS,
        lostBeforeMs: atMs - UNKNOWN_TASK_MS,
        isOver,
      }),
  };
}
