/** The documented shape of report.json, and how reports write a listing and a timestamp. */
import type { DroppedAsset } from '../../assets/photo.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import type { Quality, Stage, VideoTaskPayload } from '../video-task.ts';

/** Raise it when a field changes its meaning; a new field needs no new version. */
export const REPORT_VERSION = 1;
/** JSON Schema of the report, relative to the package. */
export const REPORT_SCHEMA = 'listing-video/dist/video/report.schema.json';

export interface ReportListing {
  readonly id: string;
  readonly file: string | null;
  readonly address: string | null;
}

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
  /** Visible texts, top to bottom. */
  readonly texts: readonly string[];
  /** URLs of the photos shown, as the listing has them. */
  readonly photos: readonly string[];
  /** Transition out of the scene, such as `crossfade`. */
  readonly transition?: string;
  /** Key into {@link Report.stills}. */
  readonly still: string;
}

export interface ReportSound {
  /** `none`, a soundtrack's name, or a music file's without its folder. */
  readonly music: string;
  /** Title of a soundtrack; null for silence and files. */
  readonly title: string | null;
  /** Integrated loudness as measured (ITU-R BS.1770), LUFS; null for silence. */
  readonly loudnessLufs: number | null;
}

/** The entry of every video. */
export interface ReportEntry {
  readonly templateId: string;
  readonly ratio: AspectRatio;
  /** Hash of all inputs of the video's bits; equal keys mean that the files on disk are up to date. */
  readonly key: string;
  readonly video: ReportFile;
  /** Null when a server provided none. */
  readonly poster: ReportFile | null;
  readonly preview: ReportFile | null;
  readonly frames: number;
  readonly durationSec: number;
  /** Null when a server made the video. */
  readonly sound: ReportSound | null;
  readonly segments: { readonly rendered: number; readonly reused: number };
  /** True when the files of an earlier run were up to date. */
  readonly isUnchanged: boolean;
  readonly created_at: string;
  readonly scenes: readonly ReportScene[];
  readonly warnings: readonly string[];
}

/** The entry of an agent's video. */
export interface ReportVideo extends ReportEntry {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Report {
  /** JSON Schema of the report, relative to the package. */
  readonly $schema: string;
  readonly version: typeof REPORT_VERSION;
  readonly generator: string;
  readonly task_id: string;
  readonly created_at: string;
  readonly listing: ReportListing;
  /** Null when a server chose it. */
  readonly quality: Quality | null;
  /** Server that made the videos; absent for this machine. */
  readonly server?: {
    readonly url: string;
    /** SHA-256 of server and request, hex: equal hashes, equal requests. */
    readonly requestSha256: string;
  };
  readonly videos: readonly ReportVideo[];
  /** Videos without branding, one per ratio; absent unless requested. */
  readonly unbranded?: readonly ReportEntry[];
  readonly assets: { readonly given: number; readonly used: number };
  readonly dropped_assets: readonly DroppedAsset[];
  readonly warnings: readonly string[];
  /** Wall-clock seconds per stage and in total, without waiting for other listings of a batch. */
  readonly timings: Readonly<Record<Stage | 'total', number>>;
  /** Stills of the scenes as JPEG data URLs, by key; a scene that several videos share appears once. */
  readonly stills: Readonly<Record<string, string>>;
}

/** ISO 8601 with milliseconds and a numeric offset, never `Z`: `2026-11-20T14:03:07.123+00:00`. */
export function formatTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

/** The listing as reports and dry runs name it. */
export function toReportListing({ listing, listingFile }: VideoTaskPayload): ReportListing {
  const address = listing.address ? addressWords(listing.address).full : null;
  return { id: listing.id, file: listingFile, address };
}
