/**
 * The stage of the studio: the videos of one listing while it is edited, with frames, stills, thumbnails and audio.
 * Types only.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import type { StageState } from './stage-state.ts';

export interface StageOptions {
  /** `templatesDirs` of it are those of the user. */
  readonly deps: RenderDeps;
  /** Folder of the listing file: paths resolve against it. */
  readonly baseDir: string;
  /** As in the options of a task. */
  readonly unbrandedKeep?: VideoTaskOptions['unbrandedKeep'];
  /** Called after each change of `state`, also several times in a row. */
  readonly onChange: () => void;
}

/**
 * Opened once for a listing, and closed at the end. A damaged photo or template is a problem in the state, not an
 * error.
 */
export interface Stage {
  readonly state: StageState;
  /**
   * Plans the videos of this document in the background, the one watched first. Of several calls the last counts. What
   * an unfinished edit breaks is left out; a listing without photos or agents keeps its last plans.
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
  /** A JPEG, longer side 320 px, or 960 px; null for an image that no listing has shown. */
  thumbnail(digest: string, size?: ThumbnailSize): Promise<Uint8Array | null>;
  /**
   * A JPEG, longer side 480 px: the opening of this listing in a template. Null without a plan.
   *
   * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `render_failed`.
   */
  still(templateId: string, ratio: AspectRatio): Promise<Uint8Array | null>;
  /**
   * The audio of a video in its length: a WAV file, 48 kHz stereo, that stays until the stage is closed. Null for a
   * plan that is gone.
   *
   * @throws {@link ListingVideoError} `ffmpeg_missing`, `encode_failed`, `disk_full`, `music_unusable`.
   */
  audio(plan: string): Promise<string | null>;
  /** The same for 90 seconds of one of `state.music`; null for an unknown id. */
  music(id: string): Promise<string | null>;
  /** Ends all work and removes the temporary files. */
  close(): Promise<void>;
}

export type ThumbnailSize = 'small' | 'large';

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
