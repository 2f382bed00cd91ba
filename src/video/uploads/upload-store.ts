/** Where uploads are kept: in the data folder, or in a bucket while a database counts them. Types only. */

/** What an organization has stored. */
export interface UploadUsage {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadQuota {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export interface NewUpload {
  readonly organizationId: string;
  /** Not in use yet. */
  readonly id: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
}

/** Room for one upload, which counts against the quota of its organization. */
export interface UploadPlace {
  /**
   * Stores the file, which this can move. Then the upload survives a power loss, and listings can name it.
   *
   * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`, `storage_unavailable`, `database_unavailable`.
   */
  store(file: string): Promise<void>;
  /** Gives the place back unless the upload is stored. Always call it. It never rejects. */
  close(): Promise<void>;
}

/** Times in milliseconds since 1970. */
export interface SweepLimits {
  readonly createdBeforeMs: number;
  /** Since when a hold must have existed before it is removed because nobody knows its task. */
  readonly lostBeforeMs: number;
  /**
   * True for a task that never runs again: one that failed can be retried. Null when no such task is stored. It rejects
   * when that is not known: then its uploads stay.
   */
  readonly isOver: (taskId: string) => Promise<boolean | null>;
}

/** Ids are valid wherever they come in here. */
export interface UploadStore {
  /** Whether there has ever been an upload. */
  exists(): Promise<boolean>;
  /** Room for an upload; or what the organization has stored, if that is too much for one more. */
  reserve(upload: NewUpload, quota: UploadQuota): Promise<UploadPlace | { readonly full: UploadUsage }>;
  /** Ids that name no upload of this organization, or one that was made before `createdAfterMs`. */
  findMissing(
    organizationId: string,
    ids: readonly string[],
    createdAfterMs: number,
  ): Promise<readonly string[]>;
  /**
   * Keeps uploads until the task has succeeded or is removed. Call it before the task is stored, and `release` if it
   * never is.
   */
  hold(organizationId: string, taskId: string, ids: readonly string[]): Promise<void>;
  release(organizationId: string, taskId: string): Promise<void>;
  /** Removes old uploads that no task can still use. @returns Their number. */
  sweep(limits: SweepLimits): Promise<number>;
}

/** The records of uploads whose bytes are elsewhere. */
export interface UploadRecords extends Pick<UploadStore, 'exists' | 'findMissing' | 'hold' | 'release'> {
  /** Counts an upload that is still to be stored. Null if it has room; else what the organization has. */
  reserve(upload: NewUpload, quota: UploadQuota): Promise<UploadUsage | null>;
  /** The bytes are stored: listings can name the upload. False if its record was removed meanwhile. */
  confirm(id: string): Promise<boolean>;
  /** Forgets uploads whose bytes are removed. */
  remove(ids: readonly string[]): Promise<void>;
  /** Old uploads that no task can still use, and those that a crash left unconfirmed; some at a time. */
  findRemovable(limits: Pick<SweepLimits, 'createdBeforeMs'>): Promise<readonly UploadName[]>;
}

export interface UploadName {
  readonly organizationId: string;
  readonly id: string;
}
