/** The payload of a video task, as the task engine stores it, and its outcome. Types only. */
import type { DroppedAsset } from '../design/photo.ts';
import type { Quality } from '../design/storyboard/scale-storyboard.ts';
import type { OptionalText } from '../design/storyboard/scenes/without-contact.ts';
import type { AspectRatio, Listing } from '../listing/listing.ts';
import type { DestinationName } from './destinations/destination-table.ts';

export type { DroppedAsset, Quality };

/** Stored with the task, so that another process (or a later attempt) can do the same work. JSON. */
export interface VideoTaskPayload {
  readonly listing: Listing;
  /** Absolute path of the listing file; null for stdin and the API. */
  readonly listingFile: string | null;
  /** Folder that relative asset paths resolve against; null forbids paths and `file:` URLs. */
  readonly baseDir: string | null;
  /** Absolute folder of this listing's results. */
  readonly outputDir: string;
  /**
   * Makes file names that cannot be guessed, not even from the name of another file; absent: files are named for the
   * agents. Only this task knows it.
   */
  readonly nameSecret?: string;
  /** Ids of uploads by their URLs in the listing. Absent: none. */
  readonly uploads?: Readonly<Record<string, string>>;
  /** What the request said that the videos leave out, for people; absent: nothing. */
  readonly warnings?: readonly string[];
  /** Ids of agents of the listing file whose videos were not asked for, and who are not in `listing`. */
  readonly otherAgents?: readonly string[];
  readonly options: VideoTaskOptions;
}

/**
 * Options of the command line; an absent override leaves each agent's own `video_options` in force. The store keeps the
 * fields that `PAYLOAD_SCHEMA` describes.
 */
export interface VideoTaskOptions {
  readonly templateId?: string | undefined;
  readonly templateData?: Readonly<Record<string, string>> | undefined;
  /** `none`, a soundtrack's name, or the absolute path of a music file. */
  readonly music?: string | undefined;
  readonly ratio?: AspectRatio | undefined;
  readonly preview?: boolean | undefined;
  readonly alsoRatio?: AspectRatio | undefined;
  /** Several lengths, each spelled as `spellVideoLength` does: a video of each; absent: as the data say. */
  readonly lengths?: readonly string[] | undefined;
  /** Places that the files are made for; absent: none. */
  readonly destinations?: readonly DestinationName[] | undefined;
  /** Makes one extra video without branding per ratio. */
  readonly alsoUnbranded?: boolean | undefined;
  /** What videos without branding say of these; absent: an extra one price and status, an agent's own all of them. */
  readonly unbrandedKeep?: readonly OptionalText[] | undefined;
  readonly quality: Quality;
  readonly minAssets: number;
  readonly force: boolean;
  readonly clean?: boolean | undefined;
  /** The listing comes from a stranger: only files inside `baseDir`, and no private addresses. */
  readonly untrusted?: boolean | undefined;
}

/** As in the HTTP API. URLs are `file:` URLs on the command line. */
export interface VideoResult {
  readonly agent_id: string;
  readonly url: string;
  readonly created_at: string;
  readonly preview_url?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A further file for other places or of another length than the agent's first one; see `--for` and `--length`. */
export interface AlsoForResult extends AlsoRatioResult {
  /** None for a file that is made for no place. */
  readonly destinations: readonly DestinationName[];
  /** Absent without several. */
  readonly length?: string;
}

export interface AlsoRatioResult extends VideoResult {
  readonly ratio: AspectRatio;
}

/** An extra video without branding; it belongs to no agent. */
export interface UnbrandedResult {
  readonly ratio: AspectRatio;
  readonly url: string;
  readonly created_at: string;
  readonly preview_url?: string;
}

/** The handler's result; a failure throws, with the dropped assets in `context.dropped_assets`. */
export interface VideoTaskOutcome {
  readonly results: readonly VideoResult[];
  /** In the order of the agents; absent unless requested. */
  readonly also_ratio?: readonly AlsoRatioResult[];
  /** In the order of the agents; absent without any. */
  readonly also_for?: readonly AlsoForResult[];
  /** Absent unless requested. */
  readonly unbranded?: readonly UnbrandedResult[];
  readonly dropped_assets: readonly DroppedAsset[];
  /** Those of the report, at most 50 of at most 500 characters; absent without any, and in old tasks. */
  readonly warnings?: readonly string[];
  /** Absolute path of report.json; null where it is not known: at a server, or damaged in the store. */
  readonly report: string | null;
}

export const STAGES = ['assets', 'storyboard', 'render', 'assemble', 'publish'] as const;
export type Stage = (typeof STAGES)[number];

export interface Progress {
  /** 0 to 100, never falling within an attempt. */
  readonly percent: number;
  /** `lock`: it waits for another process that writes the same folder. */
  readonly stage: Stage | 'lock';
  readonly etaSeconds: number | null;
}

/** Cancels and follows long work that is no task. */
export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}
