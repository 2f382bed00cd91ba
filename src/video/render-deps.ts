/** What the use case is given to work with; `wiring/wiring.ts` fills it in once per process. Types only. */
import type { AddressPolicy } from '../assets/guard-address.ts';
import type { DiskCache } from '../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../encode/find-ffmpeg.ts';
import type { Turns } from './make/turns.ts';

export interface RenderDeps {
  /** Absolute; a task's temporary files go to its `work/`. */
  readonly home: string;
  /** Absolute, on the same disk as `home`. */
  readonly cacheDir: string;
  readonly cache: DiskCache;
  /** Downloads and decodes at once. */
  readonly concurrency: number;
  /** Threads that make frames. */
  readonly renderThreads: number;
  /**
   * Shared by tasks that run at once, so that together they take no more of the machine than one alone: who renders, and
   * who decodes a photo. Without it each task is for itself.
   */
  readonly turns?: { readonly render: Turns; readonly decode: Turns };
  readonly addressPolicy: AddressPolicy;
  /** Folders of own templates, absolute; each may hold `soundtracks/` besides. */
  readonly templatesDirs: readonly string[];
  /** Looked for once, when first needed. @throws {@link ListingVideoError} `ffmpeg_missing`. */
  findFfmpeg(): Promise<FoundFfmpeg>;
  readonly clock: {
    now(): Date;
    /** Milliseconds of a clock that never runs backwards. */
    monotonicMs(): number;
  };
  /** Told what each task had to render, for measuring. */
  readonly onRendered?: (work: RenderedWork) => void;
  /** `listing-video 1.2.3`: stands in reports. */
  readonly generator: string;
}

/** What one task had to render, and what it found ready. */
export interface RenderedWork {
  readonly frames: number;
  /** Seconds of the clock on the wall, encoding included. */
  readonly durationSec: number;
  readonly segmentsRendered: number;
  readonly segmentsReused: number;
}
