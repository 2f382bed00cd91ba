/** Frames, segments, and which changes make a new segment. */
import { describe, expect, it } from 'vitest';
import { type Quality, toQuality } from '../../../src/design/storyboard/scale-storyboard.ts';
import type { Scene, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { canonicalJson } from '../../../src/design/timeline/canonical-json.ts';
import { MIN_SEGMENT_FRAMES } from '../../../src/design/timeline/make-timeline.ts';
import type { Timeline } from '../../../src/design/timeline/timeline.ts';
import {
  fixture,
  fromOpening,
  RATIOS,
  type Sample,
  samplePhotos,
  sampleStoryboard,
  sampleTimeline,
  templates,
} from '../storyboard/sample.ts';

const [june, marcus] = fixture.agents;
const timeline = (sample: Sample = {}): Timeline => sampleTimeline(sampleStoryboard(sample), 'v1');
const keys = (line: Timeline): string[] => line.segments.map(({ key }) => key);
const changed = (a: string[], b: string[]): number[] =>
  b.flatMap((key, index) => (a.includes(key) ? [] : [index]));

/** Everything of the last scene stands there from its first moment. */
const withoutTracks = (scenes: readonly Scene[]): Scene[] =>
  scenes.map((scene, index) =>
    index < scenes.length - 1
      ? scene
      : { ...scene, layers: scene.layers.map(({ tracks: _, ...still }) => still) },
  );

describe.each(RATIOS)('a timeline in %s', (ratio) => {
  const line = timeline({ ratio });
  const { scenes } = line.storyboard;

  it('covers every frame once, in scenes and in segments', () => {
    for (const spans of [line.sceneSpans, line.segments]) {
      expect(spans[0]!.startFrame).toBe(0);
      expect(spans.at(-1)!.endFrame).toBe(line.totalFrames);
      for (const [index, span] of spans.entries()) {
        if (index > 0) expect(span.startFrame).toBe(spans[index - 1]!.endFrame);
        expect(span.endFrame).toBeGreaterThan(span.startFrame);
      }
    }
    expect(line.totalFrames).toBe(scenes.reduce((sum, scene) => sum + scene.durationFrames, 0));
  });

  it('cuts where the card starts', () => {
    expect(line.segments.at(-1)!.startFrame).toBe(line.sceneSpans.at(-1)!.startFrame);
  });

  it('gives the card the way into it where the portrait comes in that', () => {
    const into = 12;
    const last = scenes.at(-2)!;
    const transition = { kind: 'crossfade', durationFrames: into, easing: 'linear' } as const;
    const faded = [...scenes.slice(0, -2), { ...last, transition }, scenes.at(-1)!];
    const { segments, sceneSpans } = sampleTimeline(
      { ...line.storyboard, scenes: withoutTracks(faded) },
      'v1',
    );
    expect(segments.at(-1)!.startFrame).toBe(sceneSpans.at(-1)!.startFrame - into);
  });

  it.each(templates)('hides the agent of a draft until the card starts, as in standard: $id', (template) => {
    const cut = (quality: Quality) => {
      const board = toQuality(sampleStoryboard({ template, ratio }), quality);
      const { segments, sceneSpans } = sampleTimeline(board);
      const card = board.scenes.findIndex(({ kind }) => kind === 'card');
      return card < 0 ? 0 : segments.at(-1)!.startFrame - sceneSpans[card]!.startFrame < 0;
    };
    expect(cut('draft')).toBe(cut('standard'));
  });

  it('has no very short segment', () => {
    for (const { startFrame, endFrame } of timeline({ ratio, photos: samplePhotos(100) }).segments) {
      expect(endFrame - startFrame).toBeGreaterThanOrEqual(MIN_SEGMENT_FRAMES);
    }
  });

  it('shares all but the last segment between agents', () => {
    const [a, b] = [june!, marcus!].map((agent) => keys(timeline({ ratio, agent })));
    expect(changed(a!, b!)).toEqual([a!.length - 1]);
  });

  it('renders only the card again after another phone', () => {
    const phones = [{ number: '(503) 555-0199' }];
    const after = keys(timeline({ ratio, agent: { ...june!, phones } }));
    expect(changed(keys(line), after)).toEqual([after.length - 1]);
  });

  it('renders only the scenes touched again after two photos changed places', () => {
    const photos = samplePhotos(12);
    const before = keys(timeline({ ratio, photos }));
    const swapped = photos.toSpliced(9, 2, photos[10]!, photos[9]!);
    const after = keys(timeline({ ratio, photos: swapped }));
    const touched = changed(before, after);
    expect(touched.length).toBeGreaterThan(0);
    // The hook takes its photos by their place. Each of the two is also in its scene and in the way into that.
    expect(touched.length).toBeLessThanOrEqual(4);
    expect(touched).not.toContain(after.length - 1);
  });
});

describe('segment keys', () => {
  const board = sampleStoryboard();

  it('do not depend on where in the video a scene stands, nor on its id', () => {
    const shifted: Storyboard = {
      ...board,
      scenes: [...fromOpening(board).slice(0, 1), ...board.scenes].map((scene, index) => ({
        ...scene,
        id: `other-${index}`,
      })),
    };
    const after = new Set(keys(sampleTimeline(shifted, 'v1')));
    // All but the segment whose way in changed.
    expect(keys(sampleTimeline(board, 'v1')).filter((key) => !after.has(key)).length).toBeLessThanOrEqual(1);
  });

  it('do not depend on the order of properties, nor on words that are not drawn', () => {
    const reversed = reverseKeys(board) as Storyboard;
    expect(keys(sampleTimeline(reversed, 'v1'))).toEqual(keys(sampleTimeline(board, 'v1')));
    const silent = mapLayers(board, (layer) => (layer.type === 'text' ? { ...layer, reads: '' } : layer));
    expect(keys(sampleTimeline(silent, 'v1'))).toEqual(keys(sampleTimeline(board, 'v1')));
  });

  it('depend on the renderer, the size, and every pixel of a layer', () => {
    const own = keys(sampleTimeline(board, 'v1'));
    expect(changed(own, keys(sampleTimeline(board, 'v2')))).toHaveLength(own.length);
    const nudged = mapLayers(board, (layer) => ({ ...layer, box: { ...layer.box, x: layer.box.x + 1 } }));
    expect(changed(own, keys(sampleTimeline(nudged, 'v1')))).toHaveLength(own.length);
    const larger = { ...board, widthPx: 1922 };
    expect(changed(own, keys(sampleTimeline(larger, 'v1')))).toHaveLength(own.length);
  });

  it('follow the added fonts that draw a text, not those that are installed', () => {
    const names = (text: string) => {
      const agent = { ...june!, first_name: text };
      const layers = sampleStoryboard({ agent }).scenes.flatMap((scene) => scene.layers);
      return layers.flatMap((layer) => (layer.type === 'text' ? (layer.addedFonts ?? []) : []));
    };
    expect(names('June')).toEqual([]);
    expect(new Set(names('Անի'))).toEqual(
      new Set([expect.stringMatching(/^@fontsource-variable\/noto-sans-armenian@\d/)]),
    );
    const other = mapLayers(board, (layer) =>
      layer.type === 'text' ? { ...layer, addedFonts: ['a@1'] } : layer,
    );
    expect(changed(keys(sampleTimeline(board, 'v1')), keys(sampleTimeline(other, 'v1')))).not.toEqual([]);
  });

  it('are written canonically', () => {
    expect(canonicalJson({ b: 1, a: [undefined, { d: null, c: undefined }] })).toBe(
      '{"a":[null,{"d":null}],"b":1}',
    );
  });
});

function mapLayers(
  board: Storyboard,
  change: (layer: Scene['layers'][number]) => Scene['layers'][number],
): Storyboard {
  return { ...board, scenes: board.scenes.map((scene) => ({ ...scene, layers: scene.layers.map(change) })) };
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reverseKeys(field)]),
  );
}
