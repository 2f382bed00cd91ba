import { describe, expect, it } from 'vitest';
import type { Layer, Scene, Track } from '../../../src/design/storyboard/storyboard.ts';
import { fadingViews } from '../../../src/media/render/leading-views.ts';
import { scene, stillCamera, storyboard } from './synthetic.ts';

const BOX = { x: 0, y: 0, w: 96, h: 64 };
const FADE: Track = { property: 'opacity', from: 0, to: 1, startFrame: 0, endFrame: 12, easing: 'linear' };

function fill(...tracks: Track[]): Layer {
  return { type: 'fill', id: 'rule', box: BOX, color: '#112233', tracks };
}

/** A photo whose camera moves until `endFrame` of its scene. */
function photo(endFrame: number): Layer {
  const to = { cx: 0.6, cy: 0.5, span: 0.8 };
  const camera = endFrame === 0 ? stillCamera() : { ...stillCamera(), to, endFrame };
  return { type: 'photo', id: 'photo-1', box: BOX, digest: 'a', camera };
}

/** Of a card after a photo, from the moment it is seen. */
function viewsOf(before: Layer, card: Layer, kind: 'crossfade' | 'cut' = 'crossfade') {
  const transition: Scene['transition'] =
    kind === 'cut' ? { kind, durationFrames: 0 } : { kind, durationFrames: 12, easing: 'linear' };
  const scenes = [scene([before], { transition }), scene([card], { kind: 'card', durationFrames: 90 })];
  return fadingViews(storyboard(scenes), { startFrame: 30 - transition.durationFrames, endFrame: 120 });
}

describe('fadingViews', () => {
  it('are the whole frame while a card is faded over a photo at rest, and its parts fade', () => {
    const views = viewsOf(photo(18), fill(FADE));
    expect(views).toHaveLength(102);
    expect(new Set(views)).toEqual(new Set([{ left: 0, top: 0, width: 1, height: 1 }]));
    expect(viewsOf(photo(30), fill(FADE), 'cut')).toHaveLength(90);
  });

  it('are none where a camera moves, or something but opacity changes, or changes unevenly', () => {
    expect(viewsOf(photo(19), fill(FADE))).toEqual([]);
    expect(viewsOf(photo(18), photo(40))).toEqual([]);
    expect(viewsOf(fill({ ...FADE, startFrame: 10, endFrame: 20 }), fill(FADE))).toEqual([]);
    expect(viewsOf(photo(18), fill(FADE, { ...FADE, property: 'dy', from: 9, to: 0 }))).toEqual([]);
    expect(viewsOf(photo(18), fill({ ...FADE, easing: 'settle' }))).toEqual([]);
  });

  it('are none of a scene that a shorter video shows in part', () => {
    const scenes = [scene([fill(FADE)], { kind: 'facts' })];
    expect(fadingViews(storyboard(scenes), { startFrame: 0, endFrame: 30 })).toEqual([]);
  });

  it('are none in a span of several scenes', () => {
    const card = scene([fill(FADE)], { kind: 'card' });
    const scenes = [card, card];
    expect(fadingViews(storyboard(scenes), { startFrame: 0, endFrame: 60 })).toEqual([]);
  });
});
