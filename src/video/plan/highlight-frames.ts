/** Which frames the preview GIF shows: the opening, some highlights, the agent. Pure. */
import { MOSTLY_ENTERED_SEC, posedFrame } from '../../design/storyboard/motion/posed-frame.ts';
import type { FrameSpan, Timeline } from '../../design/timeline/timeline.ts';

/** A preview shows every third frame: 10 a second, 5 in a draft. Its steps are even. */
export const PREVIEW_STEP = 3;
const PREVIEW_SEC = 5;

/** Frames a second of the preview. */
export function previewFps({ storyboard }: Timeline): number {
  return storyboard.fps / PREVIEW_STEP;
}

/**
 * Every third frame of an equally long span of each highlighted scene: after the scene's entrances, before its
 * transition out.
 *
 * @returns For each highlight its frame indexes, ascending; together {@link PREVIEW_SEC} seconds at {@link previewFps}.
 */
export function previewFrames(timeline: Timeline): number[][] {
  const { scenes, highlights, fps } = timeline.storyboard;
  const frameCount = Math.floor((PREVIEW_SEC * previewFps(timeline)) / highlights.length) * PREVIEW_STEP;
  return highlights.flatMap((index) => {
    const span = timeline.sceneSpans[index];
    const scene = scenes[index];
    if (!span || !scene) return [];
    const lastFrame = span.endFrame - scene.transition.durationFrames - 1;
    const startFrame = Math.max(
      span.startFrame,
      Math.min(restFrame(span.startFrame, index, fps), lastFrame - frameCount + 1),
    );
    const endFrame = Math.min(lastFrame + 1, startFrame + frameCount);
    const frames: number[] = [];
    for (let frame = startFrame; frame < endFrame; frame += PREVIEW_STEP) frames.push(frame);
    return frames.length === 0 ? [] : [frames];
  });
}

/** The opening is shown from its first frame, other scenes after their entrances. */
function restFrame(startFrame: number, sceneIndex: number, fps: number): number {
  return sceneIndex === 0 ? startFrame : startFrame + Math.round(MOSTLY_ENTERED_SEC * fps);
}

/** The poster's frame: in the opening, after its rules are drawn and before its transition out. */
export function posterFrame(timeline: Timeline): number {
  const opening = timeline.storyboard.scenes.findIndex(({ kind }) => kind === 'hero');
  return stillFrame(timeline, Math.max(0, opening));
}

/** One frame per scene for the report: after the entrances, before the transition out. */
export function stillFrame(timeline: Timeline, sceneIndex: number): number {
  const span = timeline.sceneSpans[sceneIndex];
  const scene = timeline.storyboard.scenes[sceneIndex];
  if (!span || !scene) return 0;
  const { fps } = timeline.storyboard;
  const lastFrame = Math.max(span.startFrame, span.endFrame - scene.transition.durationFrames - 1);
  return Math.min(lastFrame, span.startFrame + posedFrame(scene, fps));
}

/** The middle of the longest span, where what enters has entered; null without spans. */
export function middleFrame(spans: readonly FrameSpan[]): number | null {
  const [longest] = spans.toSorted((a, b) => b.endFrame - b.startFrame - (a.endFrame - a.startFrame));
  return longest === undefined ? null : Math.floor((longest.startFrame + longest.endFrame - 1) / 2);
}
