/** The messages between the main thread and a render thread. Types only. */
import type { Graphic, Photo } from '../../design/photo.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../design/text/text.ts';

/** A request for a frame as a small image. */
export interface StillRequest {
  /** Of the video. */
  readonly index: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface RenderThreadData {
  /** Bytes of photos that stay in memory after their use; default 0. */
  readonly keptPhotoBytes?: number;
}

/** A job's messages are handled in order. */
export type ToRenderThread =
  | {
      readonly type: 'start';
      readonly job: number;
      readonly storyboard: Storyboard;
      readonly photos: readonly Photo[];
      readonly graphics: readonly Graphic[];
      /** The frames that this thread will render, in order: it loads photos ahead. */
      readonly frames: readonly number[];
      readonly stills: readonly StillRequest[];
      /** Finished frames that its memory holds at most. */
      readonly slots: number;
      /** One Int32; when it is not 0, the thread stops this job. */
      readonly stop: SharedArrayBuffer;
    }
  /** Sent before the first frame of the scene they belong to. */
  | {
      readonly type: 'texts';
      readonly job: number;
      readonly texts: readonly (readonly [string, AlphaMask])[];
    }
  /** `position` comes back with the answer. */
  | {
      readonly type: 'render';
      readonly job: number;
      readonly index: number;
      readonly position: number;
      readonly slot: number;
    }
  | ({ readonly type: 'still'; readonly job: number } & StillRequest)
  /** Frees the job's memory, its slots too. */
  | { readonly type: 'end'; readonly job: number };

/** Answers to a job; after `failed` there are no more. */
export type FromRenderThread =
  | {
      readonly type: 'started';
      readonly job: number;
      /** The memory the slots lie in, and their addresses. */
      readonly buffer: SharedArrayBuffer;
      readonly slots: readonly number[];
    }
  | { readonly type: 'rendered'; readonly job: number; readonly position: number; readonly slot: number }
  | ({ readonly type: 'still'; readonly job: number; readonly rgba: Uint8Array } & StillRequest)
  | { readonly type: 'failed'; readonly job: number; readonly error: SentError };

export interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly hint: string | undefined;
  readonly context: Readonly<Record<string, unknown>> | undefined;
}
