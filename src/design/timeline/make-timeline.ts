/** When each scene plays, and where the video is cut into segments that videos can share. Pure. */
import type { Layer, Scene, Storyboard } from '../storyboard/storyboard.ts';
import { segmentKey } from './segment-key.ts';
import { type Beginning, findBeginnings, type WholeVideo } from './shared-beginnings.ts';
import type { FrameSpan, Segment, Timeline } from './timeline.ts';

/** A cut costs an IDR frame and a start of the encoder: a shorter piece (one second) joins its neighbor. */
export const MIN_SEGMENT_FRAMES = 30;
/** What a beginning of another video's segment leaves of a scene. */
const MIN_REST_FRAMES = 12;

/** What is drawn in the frames of a transition. */
export interface DrawnTransition {
  /** SHA-256 (hex) of all of it: equal digests mean equal pixels. */
  readonly digest: string;
  /** The layers of the coming scene among it, except fills. */
  readonly entering: readonly Layer[];
}

/** Draws the transition out of a scene. It is `media/render/draw-transitions.ts`, which this room cannot import. */
export type DrawTransition = (storyboard: Storyboard, sceneIndex: number) => DrawnTransition;

/**
 * @param fingerprint - Names the renderer, fonts and encoder settings that make the pixels; part of every key.
 * @param whole - Of a cut, the video whose scenes it shows.
 */
export function makeTimeline(
  storyboard: Storyboard,
  drawTransition: DrawTransition,
  fingerprint: string,
  whole?: WholeVideo,
): Timeline {
  const { scenes } = storyboard;
  const sceneSpans = toSceneSpans(scenes);
  const totalFrames = sceneSpans.at(-1)?.endFrame ?? 0;
  const transitions = scenes.slice(0, -1).map((_, index) => drawTransition(storyboard, index));
  const drawn = (scene: number) => transitions[scene]!.digest;
  const drawnOfWhole = (scene: number) => drawTransition(whole!.timeline.storyboard, scene).digest;
  const beginnings = whole ? findBeginnings({ scenes, drawn }, whole, drawnOfWhole) : [];
  const cuts = chooseCuts(scenes, sceneSpans, transitions, beginnings);
  const takenAt = (startFrame: number, endFrame: number): Segment | undefined => {
    const taken = beginnings[sceneSpans.findIndex((scene) => scene.startFrame === startFrame)];
    return taken?.frames === endFrame - startFrame ? taken.segment : undefined;
  };
  const segments = cuts.map((startFrame, index): Segment => {
    const span = { startFrame, endFrame: cuts[index + 1] ?? totalFrames };
    const segment = takenAt(startFrame, span.endFrame);
    if (segment === undefined)
      return { ...span, key: segmentKey(storyboard, sceneSpans, span, drawn, fingerprint) };
    const isWhole = span.endFrame - startFrame === segment.endFrame - segment.startFrame;
    return { ...span, key: segment.key, ...(isWhole ? {} : { of: { timeline: whole!.timeline, segment } }) };
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
  beginnings: readonly (Beginning | null)[],
): number[] {
  const cuts: number[] = [];
  /** Where the frames of the last beginning end. */
  let takenUntil = 0;
  scenes.forEach((scene, index) => {
    const span = spans[index]!;
    if (span.startFrame < takenUntil) return;
    // A second page of the card follows like any scene.
    const isAgents = scene.kind === 'card' && index > 0 && scenes[index - 1]!.kind !== 'card';
    const others = scenes.slice(0, index);
    const isAgentSeen = isAgents && showsAgent(transitions[index - 1]!, others);
    const cut = span.startFrame - (isAgentSeen ? (others.at(-1)?.transition.durationFrames ?? 0) : 0);
    const previous = cuts.at(-1);
    const taken = beginnings[index];
    if (taken) {
      takenUntil = span.startFrame + taken.frames;
      if (previous !== span.startFrame) cuts.push(span.startFrame);
      if (takenUntil < spans.at(-1)!.endFrame) cuts.push(takenUntil);
    } else if (previous === undefined) cuts.push(cut);
    else if (isAgents) {
      const isTaken = previous === takenUntil;
      // The boundary before the card always stays: a short piece in front of it joins the piece before.
      if (!isTaken && cut - previous < MIN_SEGMENT_FRAMES && cuts.length > 1) cuts.pop();
      // After a beginning the card takes the few frames: they cost less than an IDR.
      const isNear = isTaken && cut - previous < MIN_REST_FRAMES;
      if (!isNear && cut > (cuts.at(-1) ?? 0)) cuts.push(cut);
    } else {
      // Shorter cuts begin with the opening: the last photo of the hook joins those before it.
      const isOpening = scene.kind === 'hero' && cut >= MIN_SEGMENT_FRAMES;
      if (isOpening && previous !== takenUntil && cut - previous < MIN_SEGMENT_FRAMES) cuts.pop();
      if (isOpening || cut - previous >= MIN_SEGMENT_FRAMES) cuts.push(cut);
    }
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
