/** Every layout rule finds what breaks it. The tests of the templates show that they keep the rules. */
import { describe, expect, it } from 'vitest';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import type { Scene, Storyboard, TextLayer } from '../../../src/design/storyboard/storyboard.ts';
import { fromOpening, photoMap, samplePhotos, sampleStoryboard, templates } from './sample.ts';

/** Index of the opening in the sample. */
const OPENING = sampleStoryboard().scenes.findIndex(({ kind }) => kind === 'hero');

describe('lint', () => {
  const board = sampleStoryboard({ data: { caption_02: 'The entry' } });
  const card = board.scenes.length - 1;

  it('finds a text outside the safe area', () => {
    expect(rulesOf(withText(board, card, 'name', { box: { x: 20, y: 20, w: 200, h: 60 } }))).toContain(
      'safe-area',
    );
  });
  it('finds two texts on each other', () => {
    const name = textOf(board.scenes[card]!, 'name');
    expect(rulesOf(withText(board, card, 'phone', { box: name.box }))).toContain('overlap');
  });
  it('finds type that is too small, a license that is, and an office that is', () => {
    const small = (id: string, sizePx: number) =>
      rulesOf(withText(board, card, id, { style: { ...textOf(board.scenes[card]!, id).style, sizePx } }));
    expect(small('email', 20)).toContain('min-size');
    expect(small('licenses', 34)).toContain('licence-size');
    expect(small('office', 50)).toContain('office-size');
  });
  it('finds pale type and type on a bare photo', () => {
    expect(rulesOf(withText(board, card, 'name', { color: '#D9D2C4' }))).toContain('contrast');
    const bare: Storyboard = {
      ...board,
      scenes: board.scenes.map((scene) => ({
        ...scene,
        layers: scene.layers.filter((layer) => !layer.id.endsWith('-plate')),
      })),
    };
    expect(rulesOf(bare)).toContain('bare-photo');
  });
  it('finds a text that comes too late to be read, and more moving texts than people can follow', () => {
    const facts = board.scenes.findIndex(({ kind }) => kind === 'facts');
    const { layers, durationFrames } = board.scenes[facts]!;
    const number = layers.find(
      (layer): layer is TextLayer => layer.type === 'text' && layer.tracks !== undefined,
    )!;
    const late = { property: 'opacity', from: 0, to: 1, easing: 'settle' } as const;
    const tracks = [{ ...late, startFrame: durationFrames - 30, endFrame: durationFrames - 15 }];
    expect(rulesOf(withText(board, facts, number.id, { tracks }))).toContain('late-text');
    const crowd = withScene(board, facts, (scene) => ({
      ...scene,
      layers: [...scene.layers, ...Array.from({ length: 48 }, (_, at) => ({ ...number, id: `word-${at}` }))],
    }));
    expect(rulesOf(crowd)).toContain('moving-texts');
    expect(rulesOf(board)).not.toContain('moving-texts');
  });
  it('finds a number that is true too late, and an even shorter scene has none that counts', () => {
    const facts = board.scenes.findIndex(({ kind }) => kind === 'facts');
    const { steps, lines } = textOf(board.scenes[facts]!, 'fact-sqft');
    const late = [...steps!, { startFrame: steps!.at(-1)!.startFrame + 20, lines }];
    expect(rulesOf(withText(board, facts, 'fact-sqft', { steps: late }))).toContain('count-up');
    expect(rulesOf(withScene(board, facts, (scene) => ({ ...scene, durationFrames: 50 })))).toContain(
      'count-up',
    );
    const template = templates.find(({ id }) => id === 'unbranded')!;
    const quick = sampleStoryboard({ template, data: { pace: '1.25' }, ratio: '1080:1920' });
    const number = textOf(quick.scenes.find(({ kind }) => kind === 'facts')!, 'fact-sqft');
    expect([number.steps, number.lines[0]!.text]).toEqual([undefined, '2,840']);
  });
  it('finds a broken phone, a card that is too short, and a move made twice', () => {
    const phone = textOf(board.scenes[card]!, 'phone');
    expect(rulesOf(withText(board, card, 'phone', { lines: [...phone.lines, ...phone.lines] }))).toContain(
      'broken-word',
    );
    expect(rulesOf(withScene(board, card, (scene) => ({ ...scene, durationFrames: 80 })))).toContain(
      'card-rest',
    );
    const before = fromOpening(board)[1]!.layers.find((layer) => layer.type === 'photo')!;
    const again = withScene(board, OPENING + 2, (scene) => ({
      ...scene,
      layers: scene.layers.map((layer) =>
        layer.type === 'photo' && before.type === 'photo' ? { ...layer, camera: before.camera } : layer,
      ),
    }));
    expect(rulesOf(again)).toContain('same-move');
  });
  it('finds a scene of the body whose photos stand small', () => {
    const shrunk = (scene: Scene): Scene => ({
      ...scene,
      layers: scene.layers.map((layer) =>
        layer.type === 'photo' ? { ...layer, box: { x: 600, y: 300, w: 720, h: 480 } } : layer,
      ),
    });
    expect(rulesOf(withScene(board, OPENING + 1, shrunk))).toContain('photo-share');
    expect(rulesOf(withScene(board, OPENING, shrunk))).not.toContain('photo-share');
  });

  it('finds a panel that shows too little of its photo, unless it pans across it', () => {
    const at = board.scenes.findIndex(({ kind }) => kind === 'photo');
    const panel = (travel: number) =>
      rulesOf(
        withScene(board, at, (scene) => ({
          ...scene,
          layers: scene.layers.map((layer) =>
            layer.type === 'photo'
              ? {
                  ...layer,
                  box: { x: 0, y: 0, w: 640, h: 1080 },
                  camera: {
                    ...layer.camera,
                    from: { cx: 0.4, cy: 0.5, span: 0.395 },
                    to: { cx: 0.4 + travel, cy: 0.5, span: 0.395 },
                  },
                }
              : layer,
          ),
        })),
      );
    expect(panel(0.03)).toContain('crop-loss');
    expect(panel(0.16)).not.toContain('crop-loss');
  });
});

function rulesOf(board: Storyboard): string[] {
  return lintStoryboard(board, photoMap(samplePhotos(12))).map(({ rule }) => rule);
}

function textOf(scene: Scene, id: string): TextLayer {
  const layer = scene.layers.find((candidate) => candidate.id === id);
  if (layer?.type !== 'text') throw new Error(`no text ${id}`);
  return layer;
}

function withScene(board: Storyboard, index: number, change: (scene: Scene) => Scene): Storyboard {
  return { ...board, scenes: board.scenes.map((scene, at) => (at === index ? change(scene) : scene)) };
}

function withText(board: Storyboard, index: number, id: string, over: Partial<TextLayer>): Storyboard {
  return withScene(board, index, (scene) => ({
    ...scene,
    layers: scene.layers.map((layer) =>
      layer.id === id && layer.type === 'text' ? { ...layer, ...over } : layer,
    ),
  }));
}
