/** The uploads of a server: what an organization can store, and what its tasks can use. */
import { DEFAULT_ASSET_LIMITS } from '../../assets/asset-limits.ts';
import type { DiskCache } from '../../disk/cache/disk-cache.ts';
import { ClientLeft, type StoredUpload, storeUpload } from './store-upload.ts';
import { createTurns } from './turns.ts';
import {
  KEEP_UPLOADS_MS,
  type SweepUploadsOptions,
  UploadFolder,
  type UploadUsage,
} from './upload-folder.ts';

export interface UploadsOptions {
  /** The data folder. */
  readonly home: string;
  /** Gets the decoded photos. */
  readonly cache: DiskCache;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Photos that are decoded at the same time. */
  readonly decodesAtOnce: number;
  readonly quota?: UploadQuota;
}

/** What one organization can store at a time. */
export interface UploadQuota {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Ten listings with the most photos. */
const DEFAULT_QUOTA: UploadQuota = { maxFiles: 1_000, maxBytes: 2 * 1024 ** 3 };

export type AddedUpload =
  /** `expiresMs` in milliseconds since 1970. */
  | (StoredUpload & { readonly kind: 'stored'; readonly expiresMs: number })
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
   * @param isWanted - Asked before the photo is decoded: others can have waited for longer than the client. Default: always.
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

/** Touches nothing until it is used. */
export function openUploads({
  home,
  cache,
  nowMs,
  decodesAtOnce,
  quota = DEFAULT_QUOTA,
}: UploadsOptions): Uploads {
  const folder = new UploadFolder(home);
  const decodeTurns = createTurns(decodesAtOnce);
  /** Uploads that are being checked, by organization: they count already. */
  const pending = new Map<string, { files: number; bytes: number }>();
  const countPending = (organizationId: string, files: number, bytes: number): void => {
    const own = pending.get(organizationId) ?? { files: 0, bytes: 0 };
    own.files += files;
    own.bytes += bytes;
    if (own.files === 0) pending.delete(organizationId);
    else pending.set(organizationId, own);
  };
  return {
    maxBytes: DEFAULT_ASSET_LIMITS.maxBytes,
    keepMs: KEEP_UPLOADS_MS,
    async add(organizationId, bytes, isWanted = () => true) {
      countPending(organizationId, 1, bytes.length);
      try {
        const usage = await folder.usage(organizationId);
        const own = pending.get(organizationId)!;
        const isFull = usage.files + own.files > quota.maxFiles || usage.bytes + own.bytes > quota.maxBytes;
        if (isFull) return { kind: 'full', usage, quota };
        const deps = { home, cache, folder, decodeTurns, isWanted };
        const stored = await storeUpload(organizationId, bytes, deps);
        if (typeof stored === 'string') return { kind: 'unusable', reason: stored };
        return { kind: 'stored', ...stored, expiresMs: nowMs() + KEEP_UPLOADS_MS };
      } catch (error) {
        if (error instanceof ClientLeft) return { kind: 'unwanted' };
        throw error;
      } finally {
        countPending(organizationId, -1, -bytes.length);
      }
    },
    findMissing: (organizationId, ids) => folder.findMissing(organizationId, ids, nowMs()),
    hold: (organizationId, taskId, ids) => folder.hold(organizationId, taskId, ids),
    release: (organizationId, taskId) => folder.release(organizationId, taskId),
    hasAny: () => folder.exists(),
    sweep: (options) => folder.sweep(options),
  };
}
