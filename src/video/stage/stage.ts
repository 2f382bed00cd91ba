/**
 * The stage of the studio: the videos of one listing while it is edited, with frames, stills, thumbnails and audio. Types
 * only. The fields of the state are in the form in which the page gets them as JSON.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import type { RenderDeps } from '../render-deps.ts';

export interface StageOptions {
  /** `templatesDirs` of it are those of the user. */
  readonly deps: RenderDeps;
  /** Folder of the listing file: paths resolve against it. */
  readonly baseDir: string;
  /** Called after each change of `state`, also several times in a row. */
  readonly onChange: () => void;
}

/** Opened once for a listing, and closed at the end. A damaged photo or template is a problem in the state, not an error. */
export interface Stage {
  readonly state: StageState;
  /**
   * Plans the videos of this document in the background, the one watched first. Of several calls the last counts. What an
   * unfinished edit breaks is left out; a listing without photos or agents keeps its last plans.
   *
   * @param document - Can break every rule.
   * @param leftOut - Photos that are not in the listing. They get thumbnails.
   */
  update(document: Readonly<Record<string, unknown>>, leftOut?: readonly { readonly url: string }[]): void;
  /** Waits until everything of the last update is read and planned. */
  settled(): Promise<void>;
  /**
   * A frame of a video, as the MP4 will have it before encoding. While requests wait, the latest is drawn first.
   *
   * @returns Null when the plan or the frame does not exist (any more), or when many later requests replaced this one.
   * @throws {@link ListingVideoError} `render_failed`.
   */
  frame(request: FrameRequest): Promise<Uint8Array | null>;
  /** A JPEG, longer side 320 px; null for an image that no listing has shown. */
  thumbnail(digest: string): Promise<Uint8Array | null>;
  /**
   * A JPEG, longer side 480 px: the opening of this listing in a template. Null without a plan.
   *
   * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `render_failed`.
   */
  still(templateId: string, ratio: AspectRatio): Promise<Uint8Array | null>;
  /**
   * The audio of a video in its length: a WAV file, 48 kHz stereo, that stays until the stage is closed. Null for a plan that is gone.
   *
   * @throws {@link ListingVideoError} `ffmpeg_missing`, `encode_failed`, `disk_full`, `music_unusable`.
   */
  audio(plan: string): Promise<string | null>;
  /** The same for 90 seconds of one of `state.music`; null for an unknown id. */
  music(id: string): Promise<string | null>;
  /** Ends all work and removes the temporary files. */
  close(): Promise<void>;
}

export interface FrameRequest {
  readonly plan: string;
  /** From 0. */
  readonly index: number;
  /** Null: the full frame. A larger width than the video's counts as its width. */
  readonly widthPx: number | null;
  readonly format: 'jpeg' | 'png';
  /** Aborted: the frame is not drawn, if that has not begun. */
  readonly signal?: AbortSignal;
}

export interface StageState {
  /** In the order of the document's assets. */
  readonly photos: readonly StagePhoto[];
  /** Portraits and logos. */
  readonly images: readonly StageImage[];
  readonly left_out: readonly StageImage[];
  /** Both ratios of every agent, in the order of the agents, each agent's own ratio first. */
  readonly videos: readonly StageVideo[];
  readonly warnings: readonly StageWarning[];
  readonly planning: boolean;
  /** Why there is no plan of the last document. `videos` then has the last good ones. */
  readonly plan_problem: string | null;
  readonly templates: readonly StageTemplate[];
  readonly music: readonly StageMusic[];
}

export interface StageImage {
  readonly url: string;
  /** Names the thumbnail. */
  readonly digest: string | null;
  readonly problem: string | null;
}

export interface StagePhoto extends StageImage {
  /** Upright size of the original. */
  readonly width_px: number | null;
  readonly height_px: number | null;
  readonly state: 'reading' | 'usable' | 'dropped';
}

export interface StageVideo {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly ratio: AspectRatio;
  /** Digest of everything that frames and audio depend on. */
  readonly plan: string;
  readonly fps: number;
  readonly frames: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly template_id: string;
  readonly music: StageMusic | null;
  readonly scenes: readonly StageScene[];
  /** Distance of the safe area from each edge, px of the video. */
  readonly safe_area: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

/** `[from_frame, to_frame)`. Neighbours overlap by the frames of the transition between them. */
export interface StageScene {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly from_frame: number;
  readonly to_frame: number;
  /** Index of its first photo in the document's assets. */
  readonly photo_index: number | null;
}

export interface StageWarning {
  /** Into the document; null when it concerns no single field. */
  readonly path: readonly (string | number)[] | null;
  readonly agent_id: string | null;
  readonly ratio: AspectRatio | null;
  readonly message: string;
}

export interface StageTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly layers: readonly StageLayer[];
  /** `built-in`, or the path of the template's folder. */
  readonly from: string;
  readonly problem: string | null;
}

/** A data layer of a template. Values are strings. */
export interface StageLayer {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly type: 'text' | 'color' | 'image' | 'number' | 'boolean' | 'choice';
  readonly default: string;
  readonly example: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly options: readonly string[] | null;
  readonly max_length: number | null;
}

export interface StageMusic {
  readonly id: string;
  readonly title: string;
}
