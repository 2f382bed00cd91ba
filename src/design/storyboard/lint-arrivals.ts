/**
 * Checks texts that come in parts and numbers that count: all come in time to be read, no scene has more layers than
 * people can follow.
 */
import { MAX_COUNT_SEC, MIN_COUNTED_SEC } from './elements/count-up.ts';
import type { Scene, TextLayer } from './storyboard.ts';
import {
  GLANCE_SEC,
  leastReadingSec,
  linesOf,
  readableSec,
  textsInParts,
  unreadSec,
} from './timing/reading-time.ts';

/** Texts of a scene that move on their own. Twelve facts and lines are much; so many are noise, and slow to paint. */
const MAX_MOVING_TEXTS = 48;

type Report = (rule: 'count-up' | 'late-text' | 'moving-texts', layer: string, message: string) => void;

export function lintArrivals(scene: Scene, fps: number, report: Report): void {
  const texts = scene.layers.filter((layer): layer is TextLayer => layer.type === 'text');
  const moving = texts.filter(({ tracks }) => (tracks ?? []).length > 0);
  if (moving.length > MAX_MOVING_TEXTS) {
    const message = `${moving.length} texts move on their own, at most ${MAX_MOVING_TEXTS}`;
    report('moving-texts', moving[0]!.id, message);
  }
  for (const { id, steps = [], tracks = [] } of texts) {
    const last = steps.at(-1)?.startFrame;
    if (last === undefined) continue;
    const runs = last - Math.min(steps[0]!.startFrame, ...tracks.map(({ startFrame }) => startFrame));
    const stands = scene.durationFrames - scene.transition.durationFrames - last;
    if (runs > MAX_COUNT_SEC * fps + 1 || stands < MIN_COUNTED_SEC * fps) {
      const [counting, counted] = [runs / fps, stands / fps].map((sec) => sec.toFixed(2));
      report('count-up', id, `counts for ${counting} s and then stands ${counted} s`);
    }
  }
  // The opening says again what the hook says.
  if (scene.kind === 'card' || scene.kind === 'hook') return;
  const transitionSec = scene.transition.durationFrames / fps;
  for (const parts of textsInParts(moving)) {
    const { id } = parts[0]!;
    const text = linesOf(parts);
    const needed = leastReadingSec(text);
    const unread = unreadSec(readableSec(parts, text, fps), transitionSec, 'fast');
    const stands = scene.durationFrames / fps - unread;
    if (stands >= needed - GLANCE_SEC) continue;
    const message = `comes too late: stands ${stands.toFixed(1)} s, ${needed.toFixed(1)} s are needed`;
    report('late-text', id, message);
  }
}
