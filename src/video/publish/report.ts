/** report.json: what a run made, from what, and how long it took. The types here are its documented shape. */
import type { DroppedAsset } from '../../assets/photo.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import type { Quality, Stage } from '../video-task.ts';

/** Raised when a field changes its meaning; new fields may come without. */
export const REPORT_VERSION = 1;
/** Where the shape is described, relative to the package. */
export const REPORT_SCHEMA = 'listing-video/dist/video/report.schema.json';

export interface ReportFile {
  /** Name beside the report. */
  readonly file: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

export interface ReportScene {
  readonly id: string;
  readonly kind: string;
  readonly startSec: number;
  readonly endSec: number;
  /** What a person reads in this scene, top to bottom. */
  readonly texts: readonly string[];
  /** URLs of the photos shown, as the listing has them. */
  readonly photos: readonly string[];
  /** The way out of the scene, such as `crossfade`. */
  readonly transition?: string;
  /** Key into {@link Report.stills}. */
  readonly still: string;
}

export interface ReportSound {
  /** `none`, a soundtrack's name, or a music file's without its folder. */
  readonly music: string;
  /** What people call a soundtrack; null for silence and files. */
  readonly title: string | null;
  /** Integrated loudness as measured (ITU-R BS.1770), LUFS; null for silence. */
  readonly loudnessLufs: number | null;
}

/** What is told of every film. */
export interface ReportEntry {
  readonly templateId: string;
  readonly ratio: AspectRatio;
  /** Hash of all that the video's bits depend on; equal keys mean that the files on disk are up to date. */
  readonly key: string;
  readonly video: ReportFile;
  /** Null where a server gave none. */
  readonly poster: ReportFile | null;
  readonly preview: ReportFile | null;
  readonly frames: number;
  readonly durationSec: number;
  /** Null where a server made it. */
  readonly sound: ReportSound | null;
  readonly segments: { readonly rendered: number; readonly reused: number };
  /** True when the files of an earlier run were still right and nothing was made. */
  readonly isUnchanged: boolean;
  readonly created_at: string;
  readonly scenes: readonly ReportScene[];
  readonly warnings: readonly string[];
}

/** An agent's film. */
export interface ReportVideo extends ReportEntry {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Report {
  /** Where the shape is described, relative to the package. */
  readonly $schema: string;
  readonly version: typeof REPORT_VERSION;
  readonly generator: string;
  readonly task_id: string;
  readonly created_at: string;
  readonly listing: { readonly id: string; readonly file: string | null; readonly address: string | null };
  /** Null where a server chose it. */
  readonly quality: Quality | null;
  /** The server that made the videos; absent when this machine did. */
  readonly server?: {
    readonly url: string;
    /** SHA-256 of server and request, hex: equal ones ask for the same. */
    readonly requestSha256: string;
  };
  readonly videos: readonly ReportVideo[];
  /** Films without branding, one for each ratio; absent when none were asked for. */
  readonly unbranded?: readonly ReportEntry[];
  readonly assets: { readonly given: number; readonly used: number };
  readonly dropped_assets: readonly DroppedAsset[];
  readonly warnings: readonly string[];
  /** Wall-clock seconds per stage, and in all; waiting for other listings of a batch is not counted. */
  readonly timings: Readonly<Record<Stage | 'total', number>>;
  /** Stills of the scenes as JPEG data URLs, by key; a scene that several videos share stands here once. */
  readonly stills: Readonly<Record<string, string>>;
}
