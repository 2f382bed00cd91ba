/** Before the card starts, the videos of all agents are equal to the last pixel: those segments are shared. */
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Scene } from '../../src/design/storyboard/storyboard.ts';
import type { Agent } from '../../src/listing/listing.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { graphicsByDigest, photosByDigest } from '../../src/video/plan/gather-assets.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { RATIOS, templates } from '../design/storyboard/sample.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small', import.meta.url));
const work = temporaryFolder();
const pool = createRenderPool();
afterAll(async () => {
  await pool.close();
});

const assets = await prepareIn(work, {
  assets: [{ url: 'photos/front.jpg' }, { url: 'photos/kitchen.jpg' }],
  baseDir: SMALL,
});

// Accents and descenders hang far out of their lines; one is as wide as the column, one is short.
const AGENTS: readonly Agent[] = [
  { id: 'a', first_name: 'Ĝoa', last_name: 'Ng' },
  {
    id: 'b',
    first_name: 'Ấgỹ Ǻpjörg',
    last_name: 'Ȭyqvist-Ĝjällström',
    designation: 'Ång. pj',
    phones: [{ number: '(503) 555-0142' }],
    offices: [{ name: 'Ǻgentur Jpgy' }],
  },
];

describe.each(templates.map(({ id }) => id))('%s', (id) => {
  it.each(RATIOS)('in %s', async (ratio) => {
    const planned = await planVideos({
      listing: {
        id: 'way-in',
        assets: [{ url: 'photos/front.jpg' }, { url: 'photos/kitchen.jpg' }],
        agents: AGENTS.map((agent) => ({ ...agent, video_options: { template_id: id, ratio } })),
      },
      options: { quality: 'standard', minAssets: 1, force: false },
      assets,
      fingerprint: () => 'test',
    });
    const [one, other] = planned.map(({ timeline }) => timeline);
    const keys = new Set(one!.segments.map(({ key }) => key));
    const shared = other!.segments.filter(({ key }) => keys.has(key));
    const last = shared.at(-1)!;
    const [before, card] = other!.storyboard.scenes.slice(-2) as [Scene, Scene];
    // All but the card and the change to it, with which a portrait comes, or all of it where no agent is shown.
    const ownFrames = before.transition.durationFrames + card.durationFrames;
    expect(other!.totalFrames - last.endFrame).toBeLessThanOrEqual(ownFrames);
    const frames = [last.endFrame - 10, last.endFrame - 5, last.endFrame - 1];
    const stills = [];
    for (const timeline of [one!, other!]) {
      const sources = { timeline, photos: photosByDigest(assets), graphics: graphicsByDigest(assets) };
      stills.push(await pool.renderStills({ ...sources, frames, size: { widthPx: 480, heightPx: 480 } }));
    }
    for (const [index, frame] of frames.entries()) {
      expect(Buffer.compare(stills[0]![index]!, stills[1]![index]!), `frame ${frame}`).toBe(0);
    }
  });
});
