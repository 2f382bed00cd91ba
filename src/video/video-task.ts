/** What a video task is asked and what it answers: the payload the task engine stores, and the report. Types only. */
import type { DroppedAsset } from '../assets/photo.ts';
import type { AspectRatio, Listing } from '../listing/listing.ts';

export type { DroppedAsset };

export type Quality = 'draft' | 'standard' | 'high';

/** Stored with the task, so that another process (or a later attempt) can do the same work. JSON. */
export interface VideoTaskPayload {
  readonly listing: Listing;
  /** Absolute path of the listing file, or null (stdin, API). Relative asset paths resolve against its folder. */
  readonly listingFile: string | null;
  /** Folder that relative asset paths resolve against; null forbids paths and `file:` URLs. */
  readonly baseDir: string | null;
  /** Absolute folder the files of this listing go to. */
  readonly outputDir: string;
  /**
   * Makes the names of the files: absent, they are named for the agents; present, nobody who knows one name can tell
   * another. Known to nobody but this task.
   */
  readonly nameSecret?: string;
  readonly options: VideoTaskOptions;
}

/** Options of the command line; an absent override leaves each agent's own `video_options` in force. */
export interface VideoTaskOptions {
  readonly templateId?: string;
  readonly templateData?: Readonly<Record<string, string>>;
  /** `none`, a soundtrack's name, or the absolute path of a music file. */
  readonly music?: string;
  readonly ratio?: AspectRatio;
  readonly preview?: boolean;
  /** Besides the agents' films one without any branding for each of their ratios. */
  readonly alsoUnbranded?: boolean;
  readonly quality: Quality;
  readonly minAssets: number;
  readonly force: boolean;
}

/** As in the specification, plus nothing. URLs are `file:` URLs on the command line. */
export interface VideoResult {
  readonly agent_id: string;
  readonly url: string;
  readonly created_at: string;
  readonly preview_url?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A film without branding: nobody's. */
export interface UnbrandedResult {
  readonly ratio: AspectRatio;
  readonly url: string;
  readonly created_at: string;
  readonly preview_url?: string;
}

/** What the handler returns on success; on failure it throws, with what it knows in `context.dropped_assets`. */
export interface VideoTaskOutcome {
  readonly results: readonly VideoResult[];
  /** Present when they were asked for. */
  readonly unbranded?: readonly UnbrandedResult[];
  readonly dropped_assets: readonly DroppedAsset[];
  /** Absolute path of report.json. */
  readonly report: string;
}

export const STAGES = ['assets', 'storyboard', 'render', 'assemble', 'publish'] as const;
export type Stage = (typeof STAGES)[number];

export interface Progress {
  /** 0 to 100, never falling within an attempt. */
  readonly percent: number;
  readonly stage: Stage;
  readonly etaSeconds: number | null;
}

/** How a long work that is no task is stopped and followed. */
export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}
