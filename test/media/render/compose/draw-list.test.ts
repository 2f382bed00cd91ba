/** What is in the draw list of a frame is painted, and nothing else decides its pixels. */
import { describe, expect, it } from 'vitest';
import type {
  Layer,
  PhotoLayer,
  Storyboard,
  TextLayer,
} from '../../../../src/design/storyboard/storyboard.ts';
import { composeFrame } from '../../../../src/media/render/compose/compose-frame.ts';
import type { DrawOp } from '../../../../src/media/render/compose/draw-list.ts';
import { transitionDrawer } from '../../../../src/media/render/draw-transitions.ts';
import { scene, stillCamera, storyboard } from '../synthetic.ts';

const sizes = { get: () => ({ widthPx: 1280, heightPx: 640 }) };
const photo = (w: number, more: Partial<PhotoLayer> = {}): PhotoLayer => ({
  ...{ type: 'photo', id: `photo-${w}`, digest: 'slope', camera: stillCamera() },
  ...{ box: { x: 0, y: 0, w, h: w / 2 }, ...more },
});
const NAME: TextLayer = {
  ...{ type: 'text', id: 'name', reads: 'Ng', color: '#000000', clipFixed: true },
  box: { x: 10.25, y: 40.25, w: 80.5, h: 32.5 },
  style: {
    family: 'inter-tight',
    weight: 400,
    italic: false,
    sizePx: 20,
    trackingEm: 0,
    lineHeight: 1.1,
  },
  lines: [{ text: 'Ng', xPx: 0, baselineYPx: 24 }],
};
const crossfade = { kind: 'crossfade', durationFrames: 6, easing: 'linear' } as const;

function intoCard(layers: readonly Layer[]): Storyboard {
  return storyboard(
    [scene([photo(600)], { transition: crossfade }), scene(layers, { kind: 'card' })],
    640,
    320,
  );
}

function opsOf(board: Storyboard, frame: number): DrawOp[] {
  const { base, over } = composeFrame(board, sizes, frame);
  return [...base, ...(over?.ops ?? [])];
}

describe('the draw list', () => {
  it('names the size that a photo is resampled from, whatever other layers show of it', () => {
    const hidden = photo(90, {
      tracks: [{ property: 'opacity', from: 0, to: 1, startFrame: 0, endFrame: 4, easing: 'linear' }],
    });
    const sources = (board: Storyboard, frame: number) =>
      opsOf(board, frame).flatMap((op) => (op.op === 'photo' ? op.view.source.widthPx : []));
    expect(sources(intoCard([]), 26)).toEqual(sources(intoCard([hidden]), 26));
    expect(sources(intoCard([hidden]), 40)).toEqual([104]);
  });

  it('leaves out a layer that has moved out of its window, also where a draft rounds the window', () => {
    const name: TextLayer = {
      ...NAME,
      tracks: [{ property: 'dy', from: 32.5, to: 0, startFrame: 0, endFrame: 10, easing: 'linear' }],
    };
    const masks = (frame: number) => opsOf(intoCard([name]), frame).filter(({ op }) => op === 'mask').length;
    expect([masks(24), masks(29), masks(31), masks(45)]).toEqual([0, 0, 1, 1]);
    const drawn = transitionDrawer(sizes);
    const other = { ...name, lines: [{ ...name.lines[0]!, text: 'Featherstonehaugh' }] };
    expect(drawn(intoCard([other]), 0)).toEqual(drawn(intoCard([name]), 0));
    const standing = { ...name, tracks: [] };
    expect(drawn(intoCard([standing]), 0).entering).toEqual([expect.objectContaining({ id: 'name' })]);
  });

  it('grows one photo along one path in a match-zoom, and dissolves two different ones', () => {
    const camera = stillCamera({ cx: 0.4, cy: 0.4, span: 0.5 });
    const plate = photo(160, { id: 'photo', box: { x: 40, y: 60, w: 160, h: 160 }, camera });
    const page = photo(640, { id: 'photo' });
    const zoom = {
      kind: 'match-zoom',
      durationFrames: 4,
      easing: 'linear',
      fadeFrames: 2,
      fromLayerId: 'photo',
      toLayerId: 'photo',
    } as const;
    const at = (next: PhotoLayer, frame: number) =>
      opsOf(
        storyboard(
          [scene([plate], { durationFrames: 10, transition: zoom }), scene([next], { durationFrames: 10 })],
          640,
          320,
        ),
        frame,
      );
    /** Where the photo's left and top edge are, and how large it all is, px of the frame. */
    const wholeAt = (frame: number) =>
      at(page, frame).flatMap((op) => {
        if (op.op !== 'photo') return [];
        const { left, top, width, height } = op.view;
        const [w, h] = [op.box.w / width, op.box.h / height];
        return [[op.box.x - left * w, op.box.y - top * h, w, h].map((px) => Math.round(px * 100) / 100)];
      });
    expect([5, 6, 8, 10].map(wholeAt)).toEqual(
      [
        [-8, 60, 320, 160],
        [-8, 60, 320, 160],
        [-4, 30, 480, 240],
        [0, 0, 640, 320],
      ].map((whole) => [whole]),
    );
    expect(at({ ...page, digest: 'other' }, 8).map(({ op }) => op)).toContain('photo-mix');

    // Words beside the photo stand on the page: none lie over it while it makes room for them, or takes it.
    const words = (x: number): TextLayer => ({ ...NAME, id: `at-${x}`, box: { ...NAME.box, x } });
    const order = (from: readonly Layer[], to: readonly Layer[]) => {
      const scenes = [
        scene(from, { durationFrames: 10, transition: zoom }),
        scene(to, { durationFrames: 10 }),
      ];
      const kinds = opsOf(storyboard(scenes, 640, 320), 7).map(({ op }) => op);
      return kinds.filter((op) => op === 'photo' || op === 'mask');
    };
    expect(order([page], [plate, words(300)])).toEqual(['mask', 'photo']);
    expect(order([plate, words(300)], [page])).toEqual(['mask', 'photo']);
    expect(order([page], [plate, words(60)])).toEqual(['photo', 'mask']);
    // One that also lies on a plate over the photo stays on it.
    const panel = {
      type: 'fill',
      id: 'panel',
      color: '#ffffff',
      box: { x: 60, y: 60, w: 400, h: 90 },
    } as const;
    expect(order([page], [plate, panel, words(300)])).toEqual(['photo', 'mask']);

    // Words that both say in one place stay lit, others come with the photo.
    const litAt = (from: readonly Layer[], to: readonly Layer[]) => {
      const scenes = [
        scene(from, { durationFrames: 10, transition: zoom }),
        scene(to, { durationFrames: 10 }),
      ];
      const ops = opsOf(storyboard(scenes, 640, 320), 8);
      return Math.max(...ops.map((op) => (op.op === 'mask' ? op.alpha : 0)));
    };
    expect(litAt([page, words(300)], [plate, words(300)])).toBe(1);
    expect(litAt([page, words(300)], [plate, words(340)])).toBeLessThan(1);
  });
});
