/** What social promises of a video: short whatever the listing, every photo shown, cut to be read by a thumb. */
import { describe, expect, it } from 'vitest';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import {
  fromOpening,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  withCaptions,
} from '../storyboard/sample.ts';

const template = await loadTemplate('social');
const seconds = ({ scenes, fps }: Storyboard): number =>
  scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0) / fps;

/** Seconds that a video of so many photos has: a scene of four stands for 0.7 s at least. */
const most = (count: number) => (count <= 60 ? 24 : 31.2);

describe.each(RATIOS)('social in %s', (ratio) => {
  it.each([5, 9, 10, 14, 18, 19, 24, 25, 36, 37, 60, 61, 80, 87, 93, 99, 100])(
    'tells %d photos in 14 to 24 s, more than 60 in seven seconds more',
    (count) => {
      const photos = samplePhotos(count);
      const board = sampleStoryboard({ template, ratio, photos });
      expect(seconds(board)).toBeGreaterThan(14);
      expect(seconds(board)).toBeLessThanOrEqual(most(count) + 0.01);
      const shown = new Set(
        board.scenes.flatMap(({ layers }) =>
          layers.flatMap((layer) =>
            layer.type === 'photo' && layer.id !== 'portrait' ? [layer.digest] : [],
          ),
        ),
      );
      expect(shown).toEqual(new Set(photos.map(({ digest }) => digest)));
    },
  );

  it('keeps 80 and 100 photos of all shapes within its greatest length', () => {
    const shapes = [
      [4032, 3024],
      [3024, 4032],
      [1024, 683],
      [683, 1024],
    ] as const;
    for (const count of [80, 100]) {
      const photos = Array.from({ length: count }, (_, at) => samplePhoto(`photo-${at}`, ...shapes[at % 4]!));
      expect(seconds(sampleStoryboard({ template, ratio, photos }))).toBeLessThanOrEqual(most(count) + 0.01);
    }
  });

  it('shows none of sixty photos as a strip, and says the facts in the opening', () => {
    const photos = samplePhotos(60, 1024, 683);
    const { scenes, warnings } = sampleStoryboard({ template, ratio, photos });
    const boxes = scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box] : [])),
    );
    if (ratio === '1080:1920') for (const { w, h } of boxes) expect(w / h).toBeLessThan(2.25);
    expect(scenes.filter(({ kind }) => kind === 'photo').length).toBeGreaterThan(4);
    expect(scenes.map(({ kind }) => kind)).not.toContain('facts');
    expect(warnings.join()).not.toContain('facts');
  });

  it('keeps the captions of photos 1 and 2 where there is no time for all', () => {
    const caption = 'The great room below the gallery and its stone hearth and doors to the terrace';
    const { warnings } = sampleStoryboard({ template, ratio, data: withCaptions(12, caption) });
    const lost = warnings.find((warning) => warning.startsWith('the captions of photos'));
    expect(lost).toContain('11 (photo-11)');
    expect(lost).not.toMatch(/\b[12] \(/);
  });

  it('cuts, but for every third change, which pushes; never into the card', () => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(16) });
    const changes = fromOpening(board)
      .slice(0, -1)
      .map(({ transition }) => transition.kind);
    expect(changes.at(-1)).toBe('cut');
    expect(changes.slice(0, -1)).toEqual(
      changes.slice(0, -1).map((_, index) => (index % 3 === 2 ? 'push' : 'cut')),
    );
  });

  it('shows the same video for all agents up to the card', () => {
    const body = (agent: object) =>
      sampleStoryboard({ template, ratio, agent: agent as never }).scenes.slice(0, -1);
    expect(body({ id: 'b', first_name: 'Bo', last_name: 'Li' })).toEqual(
      body({ id: 'm', first_name: 'Maximiliana', last_name: 'Featherstonehaugh', designation: 'Broker' }),
    );
  });
});
