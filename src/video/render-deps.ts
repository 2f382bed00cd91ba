/** The dependencies of making videos; `wiring/open-render-deps.ts` fills them in once per process. Types only. */
import type { AssetLimits } from '../media/assets/asset-limits.ts';
import type { FoundFfmpeg } from '../media/encode/ffmpeg/find-ffmpeg.ts';
import type { AllowedFolders } from '../platform/disk/allowed-folders.ts';
import type { DiskCache } from '../platform/disk/cache/disk-cache.ts';
import type { AddressPolicy } from '../platform/network/guard-address.ts';
import type { Proxies } from '../platform/network/proxies.ts';
import type { Semaphore } from './make/semaphore.ts';

export interface RenderDeps {
  /** Absolute; a task's temporary files go to its `work/`. */
  readonly home: string;
  /** On the same disk as `home`. */
  readonly cache: DiskCache;
  /** Downloads and decodes at once. */
  readonly concurrency: number;
  readonly renderThreads: number;
  /** Shared by all tasks of this process, so that together they use no more CPU than one alone. Absent: no limit. */
  readonly renderSlots?: Semaphore;
  /** The same for decoding photos. */
  readonly decodeSlots?: Semaphore;
  readonly addressPolicy: AddressPolicy;
  /** For photos. Absent: every connection is direct. */
  readonly proxies?: Proxies | null;
  /** Limits of photos that differ from the defaults; the defaults always hold for untrusted listings. */
  readonly assetLimits?: Partial<AssetLimits>;
  /**
   * The file of an upload of the task's organization, by its id. Absent: the task can use none.
   *
   * @param to - Where the file is put if it is not on this machine. A file that is not there is no upload.
   */
  readonly uploadFile?: (id: string, to: string, signal: AbortSignal) => Promise<string>;
  /** The only folders that local photos, portraits, logos, music and results can be in; absent: every folder. */
  readonly folders?: AllowedFolders;
  /** Folders of the user's templates, absolute; each can also hold `soundtracks/`. */
  readonly templatesDirs: readonly string[];
  /** Searches at the first call only. @throws {@link ListingVideoError} `ffmpeg_missing`. */
  findFfmpeg(): Promise<FoundFfmpeg>;
  readonly clock: {
    now(): Date;
    /** Milliseconds of a clock that never runs backwards. */
    monotonicMs(): number;
  };
  /** Called with the work that a task had to render, for metrics. */
  readonly onRendered?: (work: RenderedWork) => void;
  /** Called with the reason when this ffmpeg's camera moves cannot be written without it, so that it encodes all. */
  readonly onMoveRefused?: ((reason: string) => void) | undefined;
  /** `listing-video 1.2.3`, for reports. */
  readonly generator: string;
}

/** The frames and segments that one task rendered, and those that it took from the cache. */
export interface RenderedWork {
  readonly frames: number;
  /** Wall-clock seconds, including encoding. */
  readonly durationSec: number;
  readonly segmentsRendered: number;
  readonly segmentsReused: number;
}
