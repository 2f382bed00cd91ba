/** A crowded card of `social`: who speaks lasts on every page, and a rest changes. */
import { expect, it } from 'vitest';
import type { Box } from '../../../../src/design/storyboard/storyboard.ts';
import { CROWDED_AGENT, RATIOS, samplePhoto, sampleStoryboard, templates } from '../sample.ts';

const template = templates.find(({ id }) => id === 'social')!;
const data = {
  open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM',
  website: 'www.harringtonlowell.example.com',
  cta: 'Book a private tour this week',
  link: 'https://harringtonlowell.example.com/4128',
};
const logo = { digest: 'logo', widthPx: 480, heightPx: 130, url: 'logo.png' };
const LASTING = /^(name|designation|phone|office$|licenses|qr|logo|portrait)/;
const CASES = RATIOS.flatMap((ratio) =>
  [1, 2].flatMap((count) => [true, false].map((hasLink) => [ratio, count, hasLink] as const)),
);

it.each(CASES)(
  '%s names office and license on every page (phones: %d, link: %s)',
  (ratio, count, hasLink) => {
    const own = { ...CROWDED_AGENT, phones: CROWDED_AGENT.phones.slice(0, count) };
    const { link, ...others } = data;
    const { scenes, warnings } = sampleStoryboard({
      ...{ template, ratio, agent: own, data: hasLink ? data : others, logo: logo as never },
      ...{ portrait: samplePhoto('me', 800, 800), listing: { agents: [own] } },
    });
    expect(warnings.filter((warning) => /card/.test(warning))).toEqual([]);
    const lasting = scenes
      .filter(({ kind }) => kind === 'card')
      .map(({ layers }) => layers.filter(({ id }) => LASTING.test(id)).map(({ id, box }) => [id, box]));
    const words = scenes.at(-1)!.layers.filter(({ type }) => type === 'text');
    for (const layers of lasting) {
      const boxes = new Map(layers as [string, Box][]);
      // On a phone, mark and logo stand under the words, and a phone reads the code across a room.
      if (ratio === '1080:1920') {
        for (const { box } of words) expect(boxes.get('logo')!.y).toBeGreaterThan(box.y + box.h);
        if (hasLink) expect(boxes.get('qr')!.h).toBeGreaterThanOrEqual(200);
      }
      expect(layers.map(([id]) => id)).toEqual(expect.arrayContaining(['office', 'licenses']));
      expect(layers).toEqual(lasting[0]);
    }
  },
);

it.each(RATIOS)('%s names the street of the house over its open house', (ratio) => {
  const { open_house } = data;
  const { scenes, heightPx } = sampleStoryboard({
    template,
    ratio,
    data: { open_house },
    portrait: samplePhoto('me', 800, 800),
  });
  const { layers } = scenes.at(-1)!;
  const [street, visit] = ['house', 'open-house'].map((id) => layers.find((layer) => layer.id === id)!);
  expect(street!.box.y).toBeLessThan(visit!.box.y);
  // On a phone the portrait is large, and nothing stands beside it but the house.
  const portrait = layers.find(({ id }) => id === 'portrait')!;
  if (ratio === '1080:1920') expect(portrait.box.h).toBeGreaterThan(0.25 * heightPx);
});
