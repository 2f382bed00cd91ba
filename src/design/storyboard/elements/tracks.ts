/** Turns a template's animations into tracks: seconds become frames, sides become edges. Pure. */
import type { Animation, Animations } from '../../template/elements.ts';
import type { Box, Track } from '../storyboard.ts';

export interface Mover {
  readonly box: Box;
  /** The box it moves with: a text travels with its plate and is seen through the same window. Default `box`. */
  readonly host?: Box;
  /** Of a part of a text, the box of the text: an animation of the whole text opens one window over all parts. */
  readonly whole?: Box;
  /** Its place in a staggered sequence, and the length of that sequence. */
  readonly index?: number;
  readonly count?: number;
  readonly fps: number;
}

/** An animation that can only be timed when the scene's length is known. */
export interface Leaving extends Mover {
  readonly exit: Animations;
}

/** A layer that slides out goes so much further, px: in a smaller frame half a pixel of it would stay at the edge. */
const OUT_PX = 2;

/** The tracks of entrances; times count from the scene's frame 0. */
export function enterTracks(animations: Animations | undefined, mover: Mover): Track[] {
  return (animations ?? []).flatMap((animation) => {
    const at = animation.at + staggerOf(animation, mover) * (mover.index ?? 0);
    const times = {
      startFrame: Math.round(at * mover.fps),
      endFrame: Math.round((at + animation.for) * mover.fps),
      easing: animation.easing,
    };
    return moves(animation, hosted(mover, animation)).map(({ property, away, rest }) => ({
      property,
      from: away,
      to: rest,
      ...times,
    }));
  });
}

/** @param endFrame - Where the scene's way out begins, scene frames; an exit `after` a time does not depend on it. */
export function exitTracks({ exit, ...mover }: Leaving, endFrame: number): Track[] {
  return exit.flatMap((animation) => {
    const { after } = animation;
    const turn = staggerOf(animation, mover) * (mover.index ?? 0);
    const startFrame =
      after === undefined
        ? endFrame + Math.round((turn - animation.at) * mover.fps)
        : Math.round((turn + after) * mover.fps);
    const times = {
      startFrame,
      endFrame: startFrame + Math.round(animation.for * mover.fps),
      easing: animation.easing,
    };
    return moves(animation, hosted(mover, animation)).map(({ property, away, rest }) => ({
      property,
      from: rest,
      to: away,
      ...times,
    }));
  });
}

/** True when the layer moves behind a window that stands still. */
export function needsFixedClip(animations: Animations | undefined): boolean {
  return animations?.some(({ kind }) => kind === 'lift') ?? false;
}

function hosted({ whole, ...mover }: Mover, { each }: Animation): Mover {
  return whole === undefined || each !== 'whole' ? mover : { host: whole, ...mover };
}

function staggerOf(animation: Animation, { count = 1 }: Mover): number {
  if (animation.each === 'whole') return 0;
  if (animation.until === undefined || count < 2) return animation.stagger;
  const room = Math.max(0, animation.until - animation.at - animation.for);
  return Math.min(animation.stagger, room / (count - 1));
}

interface Move {
  readonly property: Track['property'];
  readonly away: number;
  readonly rest: number;
}

function moves(animation: Animation, { box, host = box }: Mover): Move[] {
  const fade: Move = { property: 'opacity', away: 0, rest: 1 };
  switch (animation.kind) {
    case 'fade':
      return [fade];
    case 'rise':
      return [fade, shift(animation, animation.by ?? 0)];
    case 'slide':
      return [shift(animation, animation.by ?? lengthAlong(animation, host) + OUT_PX)];
    case 'lift':
      return [shift(animation, animation.by ?? lengthAlong(animation, box))];
    case 'reveal':
    case 'draw':
      return openings(animation, box, host);
  }
}

function isAcross({ from }: Animation): boolean {
  return from === 'left' || from === 'right' || from === 'center';
}

function lengthAlong(animation: Animation, box: Box): number {
  return isAcross(animation) ? box.w : box.h;
}

function shift(animation: Animation, by: number): Move {
  const away = animation.from === 'left' || animation.from === 'top' ? -by : by;
  return { property: isAcross(animation) ? 'dx' : 'dy', away, rest: 0 };
}

/** Windows that open over the host. Hidden parts are shares of the layer's own box and can lie beyond it. */
function openings(animation: Animation, box: Box, host: Box): Move[] {
  const across = isAcross(animation);
  const [length, own] = across ? [host.w, box.w] : [host.h, box.h];
  const [before, behind] = across
    ? [box.x - host.x, host.x + host.w - box.x - box.w]
    : [box.y - host.y, host.y + host.h - box.y - box.h];
  const hidden = Math.max(0, 1 - (animation.start ?? 0) / length) * length;
  const share = (px: number) => (own > 0 ? px / own : 0);
  const near = (px: number): Move => ({
    property: across ? 'clipLeft' : 'clipTop',
    away: share(px - before),
    rest: share(0 - before),
  });
  const far = (px: number): Move => ({
    property: across ? 'clipRight' : 'clipBottom',
    away: share(px - behind),
    rest: share(0 - behind),
  });
  switch (animation.from) {
    case 'left':
    case 'top':
      return [far(hidden)];
    case 'right':
    case 'bottom':
      return [near(hidden)];
    case 'center':
    case 'middle':
      return [near(hidden / 2), far(hidden / 2)];
  }
}
