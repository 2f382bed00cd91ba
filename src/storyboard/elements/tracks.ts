/** Motion of a template in tracks of the storyboard: seconds become frames. Pure. */
import type { DrawMotion, Motion, StackEntrance } from '../../template/template.ts';
import type { Track } from '../storyboard.ts';

export function toTracks(motion: readonly Motion[] | undefined, fps: number): Track[] {
  return (motion ?? []).map((move) => ({
    property: move.property,
    from: move.from,
    to: move.to,
    startFrame: Math.round(move.at * fps),
    endFrame: Math.round((move.at + move.for) * fps),
    easing: move.easing,
  }));
}

/** A rule of `lengthPx` that is drawn to its length; `index` counts rules that follow each other. */
export function drawTracks(
  draw: DrawMotion | undefined,
  lengthPx: number,
  fps: number,
  index = 0,
  direction: 'horizontal' | 'vertical' = 'horizontal',
): Track[] {
  if (!draw) return [];
  const hidden = Math.max(0, 1 - draw.fromPx / lengthPx);
  const at = draw.at + (draw.stagger ?? 0) * index;
  const times = {
    startFrame: Math.round(at * fps),
    endFrame: Math.round((at + draw.for) * fps),
    easing: draw.easing,
  };
  const [near, far] =
    direction === 'horizontal' ? (['clipLeft', 'clipRight'] as const) : (['clipTop', 'clipBottom'] as const);
  if (draw.origin === 'left') return [{ property: far, from: hidden, to: 0, ...times }];
  return [
    { property: near, from: hidden / 2, to: 0, ...times },
    { property: far, from: hidden / 2, to: 0, ...times },
  ];
}

/** Fade and rise of the `index`th of `count` items; the stagger is tightened until the last is over by `until`. */
export function entranceTracks(
  entrance: StackEntrance | undefined,
  index: number,
  count: number,
  fps: number,
): Track[] {
  if (!entrance) return [];
  const room = Math.max(0, entrance.until - entrance.at - entrance.for);
  const stagger = count > 1 ? Math.min(entrance.stagger ?? 0, room / (count - 1)) : 0;
  const at = entrance.at + (entrance.by === 'each' ? stagger * index : 0);
  const times = {
    startFrame: Math.round(at * fps),
    endFrame: Math.round((at + entrance.for) * fps),
    easing: entrance.easing,
  };
  const fade: Track = { property: 'opacity', from: 0, to: 1, ...times };
  return entrance.rise === 0 ? [fade] : [fade, { property: 'dy', from: entrance.rise, to: 0, ...times }];
}
