/** Transitions in which neither scene travels: wipe, dip, aperture, over. Pure. */
import type { Transition } from '../../../design/storyboard/storyboard.ts';
import { ease } from '../../../design/timeline/easing.ts';
import { toYuv } from '../color.ts';
import { composeLayer, composeScene, type SceneChange } from './compose-layers.ts';
import type { DrawOp, Rect } from './draw-list.ts';
import { band, EVERYWHERE, FAR } from './rect.ts';

const UNDERLAP_PX = 2;

function plain(color: string, alpha: number): DrawOp[] {
  return alpha <= 0 ? [] : [{ op: 'fill', rect: EVERYWHERE, color: toYuv(color), alpha: Math.min(1, alpha) }];
}

/** The wipe: each scene is painted only on its side of the bar. */
export function composeWipe(
  transition: Transition & { kind: 'wipe' },
  progress: number,
  { leaving, coming, page, sizes }: SceneChange,
): DrawOp[] {
  const { direction, barPx } = transition;
  const isSideways = direction === 'left' || direction === 'right';
  const length = isSideways ? page.w : page.h;
  const traveled = progress * (length + barPx);
  const isBackwards = direction === 'left' || direction === 'up';
  // The bar's edges; it starts and ends outside the frame.
  const low = isBackwards ? length - traveled : traveled - barPx;
  const high = low + barPx;
  // The scenes overlap a little under the bar, so that its soft edges lie on painted pixels.
  const underlap = Math.min(UNDERLAP_PX, barPx / 2);
  const before = band(isSideways, -FAR, low + underlap);
  const after = band(isSideways, high - underlap, FAR);
  const [leavingClip, comingClip] = isBackwards ? [before, after] : [after, before];
  const visible = (clip: Rect): boolean =>
    isSideways ? clip.x1 > 0 && clip.x0 < page.w : clip.y1 > 0 && clip.y0 < page.h;
  const bar: DrawOp[] =
    barPx > 0
      ? [{ op: 'fill', rect: band(isSideways, low, high), color: toYuv(transition.barColor), alpha: 1 }]
      : [];
  return [
    ...(visible(leavingClip) ? composeScene(leaving, { ...page, clip: leavingClip }, sizes) : []),
    ...(visible(comingClip) ? composeScene(coming, { ...page, clip: comingClip }, sizes) : []),
    ...bar,
  ];
}

/** The dip: into the color and out of it. */
export function composeDip(
  transition: Transition & { kind: 'dip' },
  transitionFrame: number,
  { leaving, coming, page, sizes }: SceneChange,
): DrawOp[] {
  const { outFrames, durationFrames, color, easing } = transition;
  if (transitionFrame < outFrames) {
    return [
      ...composeScene(leaving, page, sizes),
      ...plain(color, ease(easing, transitionFrame / outFrames)),
    ];
  }
  const back = (transitionFrame - outFrames) / Math.max(1, durationFrames - outFrames);
  const alpha = 1 - ease(easing, back);
  // A scene that is fully covered is not painted.
  return alpha >= 1 ? plain(color, 1) : [...composeScene(coming, page, sizes), ...plain(color, alpha)];
}

/** The aperture: fades into the color, then the next scene opens on it, or on the old one, from the middle. */
export function composeAperture(
  transition: Transition & { kind: 'aperture' },
  transitionFrame: number,
  { leaving, coming, page, sizes }: SceneChange,
): DrawOp[] {
  const { fadeFrames, durationFrames, color, easing, axis } = transition;
  if (transitionFrame < fadeFrames) {
    return [...composeScene(leaving, page, sizes), ...plain(color, transitionFrame / fadeFrames)];
  }
  const open = ease(easing, (transitionFrame - fadeFrames) / Math.max(1, durationFrames - fadeFrames));
  if (open <= 0) return fadeFrames > 0 ? plain(color, 1) : composeScene(leaving, page, sizes);
  const isSideways = axis === 'horizontal';
  const length = isSideways ? page.w : page.h;
  const [low, high] = [(length * (1 - open)) / 2, (length * (1 + open)) / 2];
  // The old scene goes on a little under the next one, so that soft edges lie on painted pixels.
  const sides = [band(isSideways, -FAR, low + UNDERLAP_PX), band(isSideways, high - UNDERLAP_PX, FAR)];
  return [
    ...(fadeFrames > 0
      ? plain(color, 1)
      : sides.flatMap((clip) => composeScene(leaving, { ...page, clip }, sizes))),
    ...composeScene(coming, { ...page, clip: band(isSideways, low, high) }, sizes),
  ];
}

/** The leaving scene, with the layers of the next one that have entered so far. */
export function composeOver({ leaving, coming, page, sizes }: SceneChange): DrawOp[] {
  return [
    ...composeScene(leaving, page, sizes),
    ...coming.scene.layers.flatMap((_, index) => composeLayer(coming, index, page, sizes)),
  ];
}
