/**
 * Equal keys mean equal pixels: pairs of videos that differ in one thing, in every quality. What their segments with
 * equal keys show is compared frame by frame.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../src/design/photo.ts';
import { type Quality, toQuality } from '../../src/design/storyboard/scale-storyboard.ts';
import type { Layer, Storyboard } from '../../src/design/storyboard/storyboard.ts';
import { makeTimeline } from '../../src/design/timeline/make-timeline.ts';
import type { FrameSpan, Timeline } from '../../src/design/timeline/timeline.ts';
import type { Agent } from '../../src/listing/listing.ts';
import { composeFrame } from '../../src/media/render/compose/compose-frame.ts';
import type { DrawOp } from '../../src/media/render/compose/draw-list.ts';
import { locateFrame } from '../../src/media/render/compose/locate-frame.ts';
import { restBox } from '../../src/media/render/compose/rect.ts';
import { transitionDrawer } from '../../src/media/render/draw-transitions.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import {
  photoMap,
  RATIOS,
  type Sample,
  samplePhoto,
  sampleStoryboard,
  templates,
} from '../design/storyboard/sample.ts';
import { Workbench } from '../media/render/synthetic.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';

interface Subject {
  readonly sample: Sample & { readonly photos: readonly Photo[]; readonly agent: Agent };
  readonly quality: Quality;
}

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const names = pick(
  'Ng',
  'Ĝoa',
  'Ấgỹ Ǻpjörg',
  'Konstantinopoulou-Featherstonehaugh',
  'Jp',
  'ליאה',
  'Ana María',
);
const sizes = pick<readonly [number, number]>(
  [1920, 1280],
  [1280, 1920],
  [800, 600],
  [2560, 1440],
  [1600, 1600],
);

const agents: fc.Arbitrary<Agent> = fc
  .record({
    first_name: names,
    last_name: names,
    designation: pick(undefined, 'Principal Broker', 'Ång. pj'),
    phone: pick(undefined, '(503) 555-0142', '(503) 555-0199'),
    office: pick(undefined, 'Harbor & Pine Realty', 'Ǻgentur Jpgy'),
  })
  .map(({ phone, office, designation, ...name }) => ({
    id: 'a',
    ...name,
    ...(designation ? { designation } : {}),
    ...(phone ? { phones: [{ number: phone }] } : {}),
    ...(office ? { offices: [{ name: office }] } : {}),
  }));

const portraits = pick(null, samplePhoto('portrait', 800, 800), samplePhoto('other-portrait', 600, 800));
const data = pick<Record<string, string>>(
  {},
  { status: 'Just listed' },
  { price: '$1,250,000', headline: 'The Harbor Pine House' },
  { accent: '#7A1F2B' },
  { paper: '#101418', ink: '#F4F1EA' },
);

const subjects: fc.Arbitrary<Subject> = fc
  .record({
    template: fc.constantFrom(...templates),
    ratio: fc.constantFrom(...RATIOS),
    quality: pick<Quality>('draft', 'standard'),
    sizes: fc.array(sizes, { minLength: 1, maxLength: 7 }),
    agent: agents,
    portrait: portraits,
    data,
  })
  .map(({ quality, sizes, ...sample }) => ({
    quality,
    sample: { ...sample, photos: sizes.map(([w, h], index) => samplePhoto(`photo-${index}`, w, h)) },
  }));

/** Of the agent alone: everything before the card stays. */
const agentChanges: fc.Arbitrary<Partial<Subject['sample']>> = fc.oneof(
  agents.map((agent) => ({ agent })),
  portraits.map((portrait) => ({ portrait })),
);

const changes: fc.Arbitrary<(subject: Subject) => Subject> = fc.oneof(
  { weight: 4, arbitrary: agentChanges.map((change) => (it: Subject) => withSample(it, change)) },
  fc.constantFrom(...templates).map((template) => (it: Subject) => withSample(it, { template })),
  fc.constantFrom(...RATIOS).map((ratio) => (it: Subject) => withSample(it, { ratio })),
  pick<Quality>('draft', 'standard').map((quality) => (it: Subject) => ({ ...it, quality })),
  data.map((data) => (it: Subject) => withSample(it, { data })),
  // The last photo is often the one of the card, too.
  fc.tuple(fc.nat(6), sizes, fc.boolean()).map(([at, [w, h], isNew]) => (it: Subject) => {
    const photos = it.sample.photos.map((photo, index) =>
      index === at % it.sample.photos.length ? samplePhoto(isNew ? `new-${at}` : photo.url, w, h) : photo,
    );
    // Equal digests are equal photos: another size is another photo.
    return withSample(it, { photos: photos.map((photo) => named(photo)) });
  }),
  fc.nat(6).map((at) => (it: Subject) => withSample(it, { photos: it.sample.photos.toSpliced(at, 1) })),
  pick('Sunny', 'A garden with room for a long table under the trees').map(
    (caption) => (it: Subject) =>
      withSample(it, {
        listing: {
          assets: it.sample.photos.map(({ url }, index) => (index === 1 ? { url, caption } : { url })),
        },
      }),
  ),
);

function named(photo: Photo): Photo {
  return { ...photo, digest: `${photo.url} ${photo.widthPx}x${photo.heightPx}` };
}

function withSample(subject: Subject, change: Partial<Subject['sample']>): Subject {
  const sample = { ...subject.sample, ...change };
  return sample.photos.length === 0 ? subject : { ...subject, sample };
}

function plan({ sample, quality }: Subject, photos: ReadonlyMap<string, Photo>): Timeline {
  return makeTimeline(toQuality(sampleStoryboard(sample), quality), transitionDrawer(photos), 'fuzz');
}

function photosOf(...subjects: readonly Subject[]): Map<string, Photo> {
  return photoMap(subjects.flatMap(({ sample }) => [...sample.photos, sample.portrait ?? []].flat()));
}

/** A frame without the places of its layers in the video: what pixels depend on, read from the storyboard again. */
function drawnIn(board: Storyboard, photos: ReadonlyMap<string, Photo>, frame: number): string {
  const materialOf = (op: DrawOp): unknown => {
    if (!('ref' in op)) return op;
    const layer = board.scenes[op.ref.scene]!.layers[op.ref.layer]!;
    return { ...op, ref: undefined, material: contentOf(layer, op.ref.step) };
  };
  const { base, over } = composeFrame(board, photos, frame);
  return JSON.stringify([base.map(materialOf), over?.mix, over?.ops.map(materialOf)]);
}

function contentOf(layer: Layer, step: number): unknown {
  if (layer.type === 'text')
    return [layer.style, step === 0 ? layer.lines : layer.steps![step - 1]!.lines, layer.addedFonts];
  const { w, h } = restBox(layer.box);
  return layer.type === 'mark' ? [layer.path, w, h] : layer.type === 'graphic' ? [layer.digest, w, h] : null;
}

/** Pairs of segments with one key. */
function sharedSegments(one: Timeline, other: Timeline): [FrameSpan, FrameSpan][] {
  const byKey = new Map(one.segments.map((segment) => [segment.key, segment]));
  return other.segments.flatMap((segment): [FrameSpan, FrameSpan][] => {
    const own = byKey.get(segment.key);
    return own === undefined ? [] : [[own, segment]];
  });
}

/** All frames of transitions; of scenes that stand alone, whose layers are in the key, some. */
function framesToCompare({ storyboard }: Timeline, { startFrame, endFrame }: FrameSpan): number[] {
  const frames = Array.from({ length: endFrame - startFrame }, (_, index) => index);
  return frames.filter(
    (index) => index % 15 === 0 || locateFrame(storyboard, startFrame + index).transitionFrame !== null,
  );
}

const pairs = fc.tuple(subjects, changes).map(([subject, change]) => {
  const one = withSample(subject, { photos: subject.sample.photos.map(named) });
  return [one, change(one)] as const;
});

describe('segments with equal keys', () => {
  it('have equal draw lists in every frame', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let compared = 0;
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const photos = photosOf(one, other);
        const [a, b] = [plan(one, photos), plan(other, photos)];
        for (const [own, segment] of sharedSegments(a, b)) {
          expect(segment.endFrame - segment.startFrame).toBe(own.endFrame - own.startFrame);
          for (const index of framesToCompare(a, own)) {
            compared += 1;
            const drawn = drawnIn(b.storyboard, photos, segment.startFrame + index);
            // Not `expect`: its message would be computed for each of many thousand frames.
            if (drawn !== drawnIn(a.storyboard, photos, own.startFrame + index))
              throw new Error(
                `frame ${index} of the segments at ${own.startFrame} and ${segment.startFrame} differ`,
              );
          }
        }
      }),
      fuzz(40),
    );
    expect(compared).toBeGreaterThan(100);
  });

  it('are all but those of the card when only the agent changes', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(subjects, agentChanges, (subject, change) => {
        const one = withSample(subject, { photos: subject.sample.photos.map(named) });
        const other = withSample(one, change);
        const photos = photosOf(one, other);
        const [a, b] = [plan(one, photos), plan(other, photos)];
        const card = a.storyboard.scenes.findIndex(({ kind }) => kind === 'card');
        if (card < 1) return;
        const wayIn =
          a.sceneSpans[card]!.startFrame - a.storyboard.scenes[card - 1]!.transition.durationFrames;
        const before = a.segments.filter(({ endFrame }) => endFrame <= wayIn);
        const isEqual = before.every(({ key }, index) => b.segments[index]?.key === key);
        expect([isEqual, before.length > 0 || card === 1]).toEqual([true, true]);
      }),
      fuzz(40),
    );
  });

  it('have equal planes', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    const bench = await Workbench.open();
    const pool = createRenderPool();
    try {
      const noise = (seed: number) => (x: number, y: number) => 40 + ((x * 7 + y * 13 + seed * 29) % 160);
      const photos = [samplePhoto('planes-0', 640, 480), samplePhoto('planes-1', 480, 640)];
      const portrait = samplePhoto('planes-portrait', 320, 320);
      for (const [seed, { digest, widthPx: w, heightPx: h }] of [...photos, portrait].entries())
        await bench.addPhoto({ digest, w, h, y: noise(seed) });
      const samples = fc.record({
        template: fc.constantFrom(...templates),
        ratio: fc.constantFrom(...RATIOS),
        agents: fc.tuple(agents, agents),
        shown: fc.tuple(fc.boolean(), fc.boolean()),
      });
      await fc.assert(
        fc.asyncProperty(samples, async ({ template, ratio, agents, shown }) => {
          const [a, b] = agents.map((agent, index) => {
            const sample = { template, ratio, agent, photos, portrait: shown[index] ? portrait : null };
            return plan({ sample, quality: 'draft' }, bench.photos);
          }) as [Timeline, Timeline];
          const last = sharedSegments(a, b).at(-1);
          if (last === undefined) return;
          const stills = [];
          for (const [index, timeline] of [a, b].entries()) {
            const { startFrame, endFrame } = last[index]!;
            const frames = [Math.floor((startFrame + endFrame) / 2), endFrame - 4, endFrame - 1];
            const { photos, graphics } = bench;
            const size = { widthPx: 240, heightPx: 240 };
            stills.push(await pool.renderStills({ timeline, photos, graphics, frames, size }));
          }
          for (const [index, still] of stills[0]!.entries())
            expect(Buffer.compare(still, stills[1]![index]!)).toBe(0);
        }),
        fuzz(4),
      );
    } finally {
      await pool.close();
      await bench.close();
    }
  });
});
