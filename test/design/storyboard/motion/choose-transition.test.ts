/** Which rule of a template leads from scene to scene. */
import { describe, expect, it } from 'vitest';
import {
  createTransitionSequence,
  type TransitionEnd,
} from '../../../../src/design/storyboard/motion/choose-transition.ts';
import type { TransitionRule } from '../../../../src/design/template/template.ts';
import { classic } from '../sample.ts';

const { palette } = classic;
const end = (
  role: TransitionEnd['role'],
  ground: TransitionEnd['ground'] = 'full-bleed',
  zoomPhoto?: TransitionEnd['zoomPhoto'],
  rooms: TransitionEnd['rooms'] = [],
) => ({
  role,
  ground,
  rooms,
  zoomPhoto,
  durationFrames: 90,
});
const sequenceOf = (rules: TransitionRule[]) => createTransitionSequence(rules, palette, 30);
const CUT: TransitionRule = { kind: 'cut' };
const fade = (sec: number): TransitionRule => ({ kind: 'crossfade', sec, easing: 'linear' });
const push: TransitionRule = {
  kind: 'push',
  sec: 0.28,
  easing: 'glide',
  direction: ['left', 'up'],
  gutter: 48,
  color: 'accent',
};

describe('transition rules', () => {
  it('are tried in order; roles, grounds and groups select', () => {
    const leave = sequenceOf([
      { ...fade(0.2), to: ['ending'] },
      { ...fade(0.4), from: ['page'], to: ['multi'] },
      { ...fade(0.6), to: ['photos', '!single'] },
      CUT,
    ]);
    const frames = (from: TransitionEnd & { durationFrames: number }, to: TransitionEnd) =>
      leave(from, to).durationFrames;
    expect(frames(end('single'), end('card'))).toBe(6);
    expect(frames(end('single'), end('closing'))).toBe(6);
    expect(frames(end('facts', 'page'), end('three'))).toBe(12);
    expect(frames(end('facts'), end('three'))).toBe(18);
    expect(frames(end('facts'), end('single'))).toBe(0);
    expect(leave(end('card'), undefined)).toEqual({ kind: 'cut', durationFrames: 0 });
  });

  it('know a change of room', () => {
    const leave = sequenceOf([{ ...fade(0.4), to: ['same-room', '!facts'] }, CUT]);
    const of = (role: TransitionEnd['role'], ...rooms: TransitionEnd['rooms']) =>
      end(role, 'full-bleed', undefined, rooms);
    expect(leave(of('pair', 'bath', 'kitchen'), of('single', 'kitchen')).kind).toBe('crossfade');
    expect(leave(of('single', null), of('single', null)).kind).toBe('crossfade');
    expect(leave(of('single', 'kitchen'), of('pair', 'bath', 'kitchen')).kind).toBe('cut');
    expect(leave(of('single', 'kitchen'), of('facts', 'kitchen')).kind).toBe('cut');
  });

  it('cut the photos of a hook, unless a rule names both', () => {
    const within: TransitionRule = { ...fade(0.4), from: ['hook'], to: ['hook'] };
    const leaving: TransitionRule = { ...fade(0.2), from: ['hook'] };
    const frames = (rules: TransitionRule[], to: TransitionEnd['role']) =>
      sequenceOf(rules)(end('hook'), end(to)).durationFrames;
    expect(frames([leaving, fade(0.6)], 'hook')).toBe(0);
    expect(frames([within, leaving], 'hook')).toBe(12);
    expect(frames([within, leaving], 'hero')).toBe(6);
  });

  it('can be for every third change; directions alternate', () => {
    const leave = sequenceOf([{ ...push, every: 3 }, CUT]);
    const kinds = Array.from({ length: 6 }, () => leave(end('single'), end('single')));
    expect(kinds.map(({ kind }) => kind)).toEqual(['cut', 'cut', 'push', 'cut', 'cut', 'push']);
    expect(kinds.map((transition) => ('direction' in transition ? transition.direction : '')).join('')).toBe(
      'leftup',
    );
    expect(kinds[2]).toMatchObject({ durationFrames: 8, gutterPx: 48, gutterColor: palette.accent });
  });

  it('can be for two changes of a video', () => {
    const leave = sequenceOf([{ ...push, max: 2 }, CUT]);
    const kinds = Array.from({ length: 4 }, () => leave(end('single'), end('single')).kind);
    expect(kinds).toEqual(['push', 'push', 'cut', 'cut']);
  });

  it('take no more than 0.4 of a short scene, parts alike', () => {
    const leave = sequenceOf([{ kind: 'dip', sec: 2, outSec: 1, easing: 'linear', color: 'ink' }]);
    expect(leave({ ...end('single'), durationFrames: 60 }, end('card'))).toMatchObject({
      durationFrames: 24,
      outFrames: 12,
    });
  });

  it('pass over a match-zoom that has no photo to grow, or another one to grow into', () => {
    const leave = sequenceOf([{ kind: 'match-zoom', sec: 0.9, easing: 'glide', fadeSec: 0.25 }, CUT]);
    const photo = (digest: string) => ({ id: 'photo-1', digest, box: { x: 0, y: 0, w: 960, h: 640 } });
    const hero = end('hero', 'page', photo('front'));
    const kindInto = (zoomPhoto?: TransitionEnd['zoomPhoto']) =>
      leave(hero, end('single', 'full-bleed', zoomPhoto)).kind;
    expect([undefined, photo('kitchen'), photo('front')].map(kindInto)).toEqual(['cut', 'cut', 'match-zoom']);
  });
});
