/** When altered photos and their originals are visible, on storyboards made by hand. */

import { describe, expect, it } from 'vitest';
import { toQuality } from '../../../src/design/storyboard/scale-storyboard.ts';
import type {
  AlteredPhoto,
  PhotoLayer,
  Scene,
  Storyboard,
  Track,
  Transition,
} from '../../../src/design/storyboard/storyboard.ts';
import { alteredSpans } from '../../../src/design/timeline/altered-spans.ts';
import { sampleTimeline } from '../storyboard/sample.ts';

const BOX = { x: 10, y: 10, w: 80, h: 40 };
const VIEW = { cx: 0.5, cy: 0.5, span: 1 };
const STAGED: AlteredPhoto = {
  url: 'staged.jpg',
  label: 'Virtually staged',
  originalUrl: 'empty.jpg',
  digest: 'staged',
  originalDigest: 'empty',
};

const CROSSFADE: Transition = { kind: 'crossfade', durationFrames: 10, easing: 'linear' };
const dip = (outFrames: number): Transition => ({
  ...{ kind: 'dip', durationFrames: 10, easing: 'linear' },
  ...{ outFrames, color: '#000000' },
});

function photo(digest: string, more: Partial<PhotoLayer> = {}): PhotoLayer {
  const camera = { from: VIEW, to: VIEW, startFrame: 0, endFrame: 0 };
  return { type: 'photo', id: digest, box: BOX, digest, camera, ...more };
}

function track(property: Track['property'], from: number, to: number, start: number, end: number): Track {
  return { property, from, to, startFrame: start, endFrame: end, easing: 'linear' };
}

/** Scenes of 100 frames. */
function board(
  scenes: readonly { readonly layers: readonly PhotoLayer[]; readonly out?: Transition }[],
  altered: readonly AlteredPhoto[] = [STAGED],
): Storyboard {
  return {
    ...{ templateId: 'test', ratio: '1920:1080', widthPx: 100, heightPx: 60, fps: 30 },
    scenes: scenes.map(
      ({ layers, out = { kind: 'cut', durationFrames: 0 } }, index): Scene => ({
        ...{ id: `scene-0${index}`, kind: 'photo', durationFrames: 100, background: '#ffffff' },
        ...{ layers, transition: out },
      }),
    ),
    ...{ title: '', comment: '', highlights: [], altered, warnings: [] },
  };
}

/** `[spans, spans of the original]` of the first altered photo, in frames of the video. */
function spansOf(storyboard: Storyboard): number[][][] {
  const [{ spans, originalSpans } = { spans: [], originalSpans: [] }] = alteredSpans(
    sampleTimeline(storyboard),
  );
  return [spans, originalSpans].map((all) => all.map(({ startFrame, endFrame }) => [startFrame, endFrame]));
}

describe('an altered photo is visible', () => {
  it('from the second frame of the transition into its scene to the end of the one out of it', () => {
    const plain = { layers: [photo('kitchen')], out: CROSSFADE };
    const staged = { layers: [photo('staged')], out: CROSSFADE };
    expect(spansOf(board([plain, staged, plain]))).toEqual([[[91, 200]], []]);
    // Layers enter over the leaving scene from the first frame on.
    const over: Transition = { kind: 'over', durationFrames: 10 };
    expect(spansOf(board([{ ...plain, out: over }, staged, plain]))).toEqual([[[90, 200]], []]);
  });

  it('not while a color covers the screen', () => {
    const plain = { layers: [photo('kitchen')], out: dip(4) };
    const staged = { layers: [photo('staged')], out: dip(4) };
    expect(spansOf(board([plain, staged, plain]))).toEqual([[[95, 194]], []]);
  });

  it('until its original covers it, which is visible from its first uncovered column on', () => {
    const wipe = photo('empty', { tracks: [track('clipRight', 1, 0, 50, 60)] });
    expect(spansOf(board([{ layers: [photo('staged'), wipe] }]))).toEqual([[[0, 60]], [[51, 100]]]);
    const fade = photo('empty', { tracks: [track('opacity', 0, 1, 50, 60)] });
    expect(spansOf(board([{ layers: [photo('staged'), fade] }]))).toEqual([[[0, 60]], [[51, 100]]]);
    const cut = photo('empty', { tracks: [track('opacity', 0, 1, 50, 50)] });
    expect(spansOf(board([{ layers: [photo('staged'), cut] }]))).toEqual([[[0, 50]], [[50, 100]]]);
  });

  it('beside its original as long as both are shown', () => {
    const beside = photo('empty', { box: { ...BOX, x: 0, w: 20 } });
    expect(spansOf(board([{ layers: [photo('staged'), beside] }]))).toEqual([[[0, 100]], [[0, 100]]]);
    // An ellipse leaves the corners of what is under it.
    const ellipse = photo('empty', { mask: { shape: 'ellipse' } });
    expect(spansOf(board([{ layers: [photo('staged'), ellipse] }]))[0]).toEqual([[0, 100]]);
  });

  it('not before it enters, and not after it has left the frame', () => {
    const slides = photo('staged', { tracks: [track('dx', 90, 0, 20, 30), track('dx', 0, -90, 70, 80)] });
    expect(spansOf(board([{ layers: [slides] }]))[0]).toEqual([[21, 80]]);
  });

  it('under its original too while it zooms into the photo of the next scene', () => {
    const zoom: Transition = {
      ...{ kind: 'match-zoom', durationFrames: 10, easing: 'linear', fadeFrames: 5 },
      ...{ fromLayerId: 'staged', toLayerId: 'kitchen' },
    };
    const original = photo('empty', { tracks: [track('opacity', 0, 1, 50, 50)] });
    const pair = { layers: [photo('staged'), original], out: zoom };
    expect(spansOf(board([pair, { layers: [photo('kitchen')] }]))).toEqual([
      [
        [0, 50],
        [90, 100],
      ],
      [[50, 100]],
    ]);
  });

  it('in every scene that shows it; spans that touch are one', () => {
    const staged = { layers: [photo('staged')] };
    const plain = { layers: [photo('kitchen')] };
    expect(spansOf(board([staged, staged, plain, staged]))[0]).toEqual([
      [0, 200],
      [300, 400],
    ]);
  });
});

it('a photo that no scene shows has no spans, and one that is not altered is not listed', () => {
  const hidden = { ...STAGED, digest: 'sky', originalDigest: null };
  expect(spansOf(board([{ layers: [photo('staged')] }], [hidden]))).toEqual([[], []]);
  expect(alteredSpans(sampleTimeline(board([{ layers: [photo('staged')] }], [])))).toEqual([]);
});

it('a draft shows it at the same times', () => {
  const wipe = photo('empty', { tracks: [track('clipRight', 1, 0, 50, 60)] });
  const pair = { layers: [photo('staged'), wipe] };
  const draft = toQuality(board([pair, pair]), 'draft');
  expect(draft.altered).toEqual([STAGED]);
  expect(spansOf(draft)).toEqual([
    [
      [0, 30],
      [50, 80],
    ],
    [
      [26, 50],
      [76, 100],
    ],
  ]);
});
