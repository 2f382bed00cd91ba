/** Transitions in which neither scene travels: wipe, dip, aperture, over. Pure. */
import type { Storyboard, Transition } from '../../storyboard/storyboard.ts';
import { ease } from '../../timeline/easing.ts';
import { toYuv } from '../color.ts';
import { composeLayer, composeScene, type SceneMoment, wholePage } from './compose-layers.ts';
import type { DrawOp, PhotoSizes, Rect } from './draw-list.ts';
import { EVERYWHERE, FAR } from './rect.ts';

type FrameSize = Pick<Storyboard, 'widthPx' | 'heightPx'>;

function band(isSideways: boolean, from: number, to: number): Rect {
  return isSideways ? { x0: from, y0: -FAR, x1: to, y1: FAR } : { x0: -FAR, y0: from, x1: FAR, y1: to };
}

function plain(color: string, alpha: number): DrawOp[] {
  return alpha <= 0 ? [] : [{ op: 'fill', rect: EVERYWHERE, color: toYuv(color), alpha: Math.min(1, alpha) }];
}

/** The wipe: each scene is painted only on its side of the bar. */
export function composeWipe(
  transition: Transition & { kind: 'wipe' },
  progress: number,
  leaving: SceneMoment,
  coming: SceneMoment,
  { widthPx, heightPx }: FrameSize,
  sizes: PhotoSizes,
): DrawOp[] {
  const { direction, barPx } = transition;
  const isSideways = direction === 'left' || direction === 'right';
  const length = isSideways ? widthPx : heightPx;
  const travelled = progress * (length + barPx);
  const isBackwards = direction === 'left' || direction === 'up';
  // The bar's edges; it starts and ends outside the frame.
  const low = isBackwards ? length - travelled : travelled - barPx;
  const high = low + barPx;
  // The scenes overlap a little under the bar, so that its soft edges lie on painted pixels.
  const underlap = Math.min(2, barPx / 2);
  const before = band(isSideways, -FAR, low + underlap);
  const after = band(isSideways, high - underlap, FAR);
  const page = wholePage(widthPx, heightPx);
  const [leavingClip, comingClip] = isBackwards ? [before, after] : [after, before];
  const visible = (clip: Rect): boolean =>
    isSideways ? clip.x1 > 0 && clip.x0 < widthPx : clip.y1 > 0 && clip.y0 < heightPx;
  return [
    ...(visible(leavingClip) ? composeScene(leaving, { ...page, clip: leavingClip }, sizes) : []),
    ...(visible(comingClip) ? composeScene(coming, { ...page, clip: comingClip }, sizes) : []),
    ...(barPx > 0
      ? [
          {
            op: 'fill',
            rect: band(isSideways, low, high),
            color: toYuv(transition.barColor),
            alpha: 1,
          } as const,
        ]
      : []),
  ];
}

/** The dip: into the colour and out of it. */
export function composeDip(
  transition: Transition & { kind: 'dip' },
  transitionFrame: number,
  leaving: SceneMoment,
  coming: SceneMoment,
  { widthPx, heightPx }: FrameSize,
  sizes: PhotoSizes,
): DrawOp[] {
  const { outFrames, durationFrames, color, easing } = transition;
  const page = wholePage(widthPx, heightPx);
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

/** The aperture: fades into the colour, then the next scene opens on it from the middle. */
export function composeAperture(
  transition: Transition & { kind: 'aperture' },
  transitionFrame: number,
  leaving: SceneMoment,
  coming: SceneMoment,
  { widthPx, heightPx }: FrameSize,
  sizes: PhotoSizes,
): DrawOp[] {
  const { fadeFrames, durationFrames, color, easing, axis } = transition;
  const page = wholePage(widthPx, heightPx);
  if (transitionFrame < fadeFrames) {
    return [...composeScene(leaving, page, sizes), ...plain(color, transitionFrame / fadeFrames)];
  }
  const open = ease(easing, (transitionFrame - fadeFrames) / Math.max(1, durationFrames - fadeFrames));
  if (open <= 0) return plain(color, 1);
  const isSideways = axis === 'horizontal';
  const length = isSideways ? widthPx : heightPx;
  const clip = band(isSideways, (length * (1 - open)) / 2, (length * (1 + open)) / 2);
  return [...plain(color, 1), ...composeScene(coming, { ...page, clip }, sizes)];
}

/** The leaving scene, with the layers of the next one that have entered so far. */
export function composeOver(
  leaving: SceneMoment,
  coming: SceneMoment,
  { widthPx, heightPx }: FrameSize,
  sizes: PhotoSizes,
): DrawOp[] {
  const page = wholePage(widthPx, heightPx);
  return [
    ...composeScene(leaving, page, sizes),
    ...coming.scene.layers.flatMap((_, index) => composeLayer(coming, index, page, sizes)),
  ];
}
