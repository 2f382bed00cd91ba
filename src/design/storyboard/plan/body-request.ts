/** What the division of a body's photos among scenes is asked for, and what it gives. Types only. */
import type { BodyLayout } from '../../template/template.ts';

export interface BodyRequest {
  readonly photoCount: number;
  /** The layouts that the pacing asks for, scene by scene; `cycle` goes on where they end. */
  readonly rhythm: readonly BodyLayout[];
  readonly cycle: readonly BodyLayout[];
  /** Whether the photo stands in a window of the frame where it is alone: no more than two of these in a row. */
  readonly isWindow: (photo: number) => boolean;
  /** From so many photos on, a scene without words is a page: no more than two of these in a row. */
  readonly pageSeats: number;
  /** The ways to show the photos from `from` on in this layout: with all of their captions, then with fewer. */
  readonly optionsOf: (layout: BodyLayout, from: number) => readonly SceneOption[];
  /** What a second costs at most when the scenes need more time than there is. */
  readonly maxSecondCost: number;
  readonly roomSec: number;
  /** Null without a facts scene. */
  readonly facts: FactsRequest | null;
}

export interface FactsRequest {
  /** Photos that only the facts scene shows, where the body can spare them. */
  readonly photos: number;
  readonly before: number;
  /** Seconds of scenes after which the facts are late. */
  readonly latestSec: number;
  /** On a phone the facts look like a page: those before and after them are in a row. */
  readonly areBetweenPages: boolean;
  /** What it costs that the facts scene shows the `own` photos from `from` on; infinite where it cannot. */
  readonly costOf: (from: number, own: number) => number;
}

export interface SceneOption {
  readonly cost: number;
  /** Seconds that the scene needs at least. */
  readonly minSec: number;
  /** That it shows, one per photo; empty where a photo has none or loses it. */
  readonly captions: readonly string[];
}

/** The scenes in playing order; every photo is in exactly one. */
export type BodyPlan = readonly BodyScene[];

export type BodyScene = Pick<SceneOption, 'minSec' | 'captions'> & {
  readonly layout: BodyLayout | 'facts';
  readonly from: number;
  readonly photoCount: number;
};
