/** When each scene plays, and where the video is cut into segments that videos can share. Pure. */
import type { Layer, Scene, Storyboard } from '../storyboard/storyboard.ts';
import { segmentKey } from './segment-key.ts';
import type { FrameSpan, Segment, Timeline } from './timeline.ts';

/** A cut costs an IDR frame and a start of the encoder: a shorter piece (one second) joins its neighbor. */
export const MIN_SEGMENT_FRAMES = 30;

/** What is drawn in the frames of a transition. */
export interface DrawnTransition {
  /** SHA-256 (hex) of all of it: equal digests mean equal pixels. */
  readonly digest: string;
  /** The layers of the coming scene among it, except fills. */
  readonly entering: readonly Layer[];
}

/** Draws the transition out of a scene. It is `media/render/draw-transitions.ts`, which this room cannot import. */
export type DrawTransition = (storyboard: Storyboard, sceneIndex: number) => DrawnTransition;

/** @param fingerprint - Names the renderer, fonts and encoder settings that make the pixels; part of every key. */
export function makeTimeline(
  storyboard: Storyboard,
  drawTransition: DrawTransition,
  fingerprint: string,
): Timeline {
  const { scenes } = storyboard;
  const sceneSpans = toSceneSpans(scenes);
  const totalFrames = sceneSpans.at(-1)?.endFrame ?? 0;
  const transitions = scenes.slice(0, -1).map((_, index) => drawTransition(storyboard, index));
  const cuts = chooseCuts(scenes, sceneSpans, transitions);
  const segments = cuts.map((startFrame, index): Segment => {
    const span = { startFrame, endFrame: cuts[index + 1] ?? totalFrames };
    const drawn = (scene: number) => transitions[scene]!.digest;
    return { ...span, key: segmentKey(storyboard, sceneSpans, span, drawn, fingerprint) };
  });
  return { storyboard, sceneSpans, segments, totalFrames };
}

/** Half-open, without gap or overlap: a transition belongs to the scene it leaves. */
function toSceneSpans(scenes: readonly Scene[]): FrameSpan[] {
  let startFrame = 0;
  return scenes.map((scene) => {
    const span = { startFrame, endFrame: startFrame + scene.durationFrames };
    startFrame = span.endFrame;
    return span;
  });
}

/**
 * First frames of the segments, ascending, the first 0.
 *
 * A scene belongs with the transition that leaves it. The transition into the card belongs to the card when something
 * of the agent is seen in it: what all agents share ends exactly there.
 */
function chooseCuts(
  scenes: readonly Scene[],
  spans: readonly FrameSpan[],
  transitions: readonly DrawnTransition[],
): number[] {
  const cuts: number[] = [];
  scenes.forEach((scene, index) => {
    const span = spans[index]!;
    // A second page of the card follows like any scene.
    const isAgents = scene.kind === 'card' && index > 0 && scenes[index - 1]!.kind !== 'card';
    const others = scenes.slice(0, index);
    const isAgentSeen = isAgents && showsAgent(transitions[index - 1]!, others);
    const cut = span.startFrame - (isAgentSeen ? (others.at(-1)?.transition.durationFrames ?? 0) : 0);
    const previous = cuts.at(-1);
    if (previous === undefined) cuts.push(cut);
    else if (isAgents) {
      // The boundary before the card always stays: a short piece in front of it joins the piece before.
      if (cut - previous < MIN_SEGMENT_FRAMES && cuts.length > 1) cuts.pop();
      if (cut > (cuts.at(-1) ?? 0)) cuts.push(cut);
    } else if (cut - previous >= MIN_SEGMENT_FRAMES) cuts.push(cut);
  });
  return cuts;
}

/**
 * True when something that can be the agent's is drawn in the transition into the card: text, a logo, or a photo that
 * only the card shows.
 */
function showsAgent({ entering }: DrawnTransition, others: readonly Scene[]): boolean {
  const shared = new Set(
    others.flatMap(({ layers }) => layers.flatMap((layer) => (layer.type === 'photo' ? layer.digest : []))),
  );
  return entering.some(
    (layer) =>
      layer.type === 'text' ||
      layer.type === 'graphic' ||
      (layer.type === 'photo' && !shared.has(layer.digest)),
  );
}
