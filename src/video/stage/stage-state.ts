/**
 * What the stage knows of the videos of a listing. Types only, without others of the program, because the page of the
 * studio reads them too: the fields are in the form in which it gets them as JSON.
 */
import type { AspectRatio } from '../../listing/listing.ts';

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
  readonly music: readonly StageSoundtrack[];
}

export interface StageImage {
  readonly url: string;
  /** Names the thumbnail. Null: there is none (yet). */
  readonly digest: string | null;
  /** Why it cannot be used. */
  readonly problem: string | null;
}

export interface StagePhoto extends StageImage {
  /** Upright size of the original. */
  readonly width_px: number | null;
  readonly height_px: number | null;
  readonly state: 'reading' | 'usable' | 'dropped';
  /** The unaltered photo that the listing names beside an altered one; null for none. */
  readonly original: StageImage | null;
  /** What holds where the listing says nothing; null while it is unknown. */
  readonly guess: StageGuess | null;
}

/** A guess by a photo's pixels, and its kind by its name and caption too. */
export interface StageGuess {
  readonly kind: 'photo' | 'floor_plan';
  /** As the field `focus` of a listing. */
  readonly focus: { readonly x: number; readonly y: number };
  /** What a view of a house shows between sky and lawn, in shares of the photo; null for another photo. */
  readonly subject: {
    readonly left: number;
    readonly right: number;
    readonly tip: number;
    readonly top: number;
    readonly bottom: number;
  } | null;
}

export interface StageVideo {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly ratio: AspectRatio;
  /** Digest of everything that the frames depend on: a video that did not change keeps it. */
  readonly plan: string;
  readonly fps: number;
  readonly frames: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly template_id: string;
  readonly music: StageMusic | null;
  /** Digests of the user's own template and music; null for those that ship. */
  readonly own_files: { readonly template: string | null; readonly music: string | null };
  readonly scenes: readonly StageScene[];
  /** The text beside the file, for uploads. */
  readonly upload: StageUpload;
  /** Distance of the safe area from each edge, px of the video. */
  readonly safe_area: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

export interface StageUpload {
  readonly title: string;
  readonly description: string;
  /** Chapters, contact and more, which follow the description; empty for none. */
  readonly rest: string;
}

/** `[from_frame, to_frame)`. Neighbors overlap by the frames of the transition between them. */
export interface StageScene {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly from_frame: number;
  readonly to_frame: number;
  /** A frame in which what enters has entered and nothing leaves yet. */
  readonly rest_frame: number;
  /** Indexes of its photos in `listing.assets`, each once. */
  readonly photo_indexes: readonly number[];
  /** What a person reads in it. */
  readonly texts: readonly string[];
}

export interface StageWarning {
  /** Null: it concerns no single field. */
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
  /** Why a template of your own cannot be used. */
  readonly problem: string | null;
}

/** A value that `video_options.template_data` can set. Values are strings there. */
export interface StageLayer {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly type: 'text' | 'color' | 'image' | 'number' | 'boolean' | 'choice';
  readonly default: string;
  readonly example: string;
  /** Of a number. */
  readonly min: number | null;
  readonly max: number | null;
  /** Values of a choice. */
  readonly options: readonly string[] | null;
  /** Characters. */
  readonly max_length: number | null;
}

export interface StageMusic {
  readonly id: string;
  readonly title: string;
  /** Beats a minute; null for a file in which none are found. */
  readonly bpm: number | null;
}

export interface StageSoundtrack extends StageMusic {
  /** `slow piano, airy pads, cello line, spacious`; null where nothing says it. */
  readonly mood: string | null;
}
