/** Which frames the preview GIF shows: the opening, some highlights, the agent. Pure. */
import type { Timeline } from '../../timeline/timeline.ts';

/** Frames a second of the preview; 30 divides by it, so that its steps are even. */
export const PREVIEW_FPS = 10;
const PREVIEW_SEC = 5;

/**
 * Every third frame of an equally long span of each highlighted scene: after the scene's entrances, before its transition
 * out.
 *
 * @returns Frame indexes, ascending, {@link PREVIEW_SEC} seconds of them at {@link PREVIEW_FPS}.
 */
export function previewFrames(timeline: Timeline): number[] {
  const { scenes, highlights, fps } = timeline.storyboard;
  const step = fps / PREVIEW_FPS;
  const perScene = Math.floor((PREVIEW_SEC * PREVIEW_FPS) / highlights.length);
  const frames: number[] = [];
  for (const index of highlights) {
    const span = timeline.sceneSpans[index];
    const scene = scenes[index];
    if (!span || !scene) continue;
    const lastFrame = span.endFrame - scene.transition.durationFrames - 1;
    const frameCount = perScene * step;
    const startFrame = Math.max(
      span.startFrame,
      Math.min(restFrame(span.startFrame, index), lastFrame - frameCount + 1),
    );
    for (let frame = startFrame; frame <= lastFrame && frame < startFrame + frameCount; frame += step)
      frames.push(frame);
  }
  return frames;
}

/** The opening is shown from its first frame, other scenes after their entrances. */
function restFrame(startFrame: number, sceneIndex: number): number {
  return sceneIndex === 0 ? startFrame : startFrame + 27;
}

/** The poster's frame: in the opening, after its rules are drawn and before its transition out. */
export function posterFrame(timeline: Timeline): number {
  const scene = timeline.storyboard.scenes[0];
  const restFrames = (scene?.durationFrames ?? 1) - (scene?.transition.durationFrames ?? 0);
  return Math.max(0, Math.min(45, restFrames - 1));
}

/** One frame per scene for the report: after the entrances, before the transition out. */
export function stillFrame(timeline: Timeline, sceneIndex: number): number {
  const span = timeline.sceneSpans[sceneIndex];
  const scene = timeline.storyboard.scenes[sceneIndex];
  if (!span || !scene) return 0;
  const lastFrame = Math.max(span.startFrame, span.endFrame - scene.transition.durationFrames - 1);
  return Math.min(lastFrame, span.startFrame + 45);
}
