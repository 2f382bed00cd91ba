/**
 * Random listings with altered photos, floor plans and disclosures, and an oracle of what must be seen: it judges every
 * frame by what is drawn in it, not by how the storyboard came about.
 */
import fc from 'fast-check';

import type { Photo } from '../../src/design/photo.ts';
import { contains, growBox, overlaps } from '../../src/design/storyboard/box.ts';
import { LIMITS } from '../../src/design/storyboard/frame-limits.ts';
import { contrastRatio } from '../../src/design/storyboard/palette.ts';
import { type Quality, toQuality } from '../../src/design/storyboard/scale-storyboard.ts';
import type { Box, Color, Storyboard, TextLayer } from '../../src/design/storyboard/storyboard.ts';
import type { Asset } from '../../src/listing/listing.ts';
import { alteredLabel } from '../../src/listing/words/altered-label.ts';
import { composeFrame } from '../../src/media/render/compose/compose-frame.ts';
import type { DrawOp, Rect } from '../../src/media/render/compose/draw-list.ts';
import { listed, RATIOS, samplePhoto, sampleStoryboard, templates } from '../design/storyboard/sample.ts';

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const LABELS = [
  'Virtually staged',
  'Digitally altered: sky replaced',
  'Virtually staged; furniture, rugs and art were added by hand.',
  'Rendering',
  'أثاث افتراضي مضاف رقميا',
  '虚拟布置的房间，家具为电脑制作',
  'W'.repeat(60),
  true,
].map((label) => (typeof label === 'string' ? label.slice(0, 60) : label));
const SENTENCE =
  'Some photos are virtually staged or digitally altered; the unaltered photos can be seen at harborpine.example/128/originals or are sent on request by the office.';
/** Without an address, so that every start of it can be shown in a video without branding. */
const SPOKEN =
  'Some photos are virtually staged or digitally altered; each original is shown right after its photo, and prints of all of them are kept at the house and office.';
const DISCLOSURES = [
  '',
  'Virtually staged',
  SENTENCE.slice(0, 160),
  `https://harborpine.example/${'x'.repeat(133)}`,
];
const CAPTIONS = [
  '',
  'The entry',
  'The kitchen, with a marble waterfall island',
  'A word. '.repeat(15).trim(),
];

interface Made {
  readonly photo: Photo & { readonly original?: Photo };
  readonly asset: Omit<Asset, 'url'>;
}

const sizes = pick<readonly [number, number]>(
  ...[
    [1920, 1280] as const,
    [1024, 682] as const,
    [1280, 1920] as const,
    [2560, 800] as const,
    [640, 480] as const,
  ],
);

/** @param share - Of the photos that are altered, 0 to 1. */
function photosOf(count: number, share: number): fc.Arbitrary<Made[]> {
  const one = fc.record({
    size: sizes,
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
    label: pick(...LABELS),
    original: pick<null | 'alike' | 'other'>(null, 'alike', 'other'),
    caption: pick('', ...CAPTIONS),
    isPlan: fc.integer({ min: 0, max: 12 }).map((value) => value === 0),
    focus: fc.option(
      fc.record({
        x: fc.double({ min: 0, max: 1, noNaN: true }),
        y: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    ),
    emphasis: pick<NonNullable<Asset['emphasis']>>('normal', 'normal', 'high', 'low'),
  });
  return fc.array(one, { minLength: count, maxLength: count }).map((all) =>
    all.map(({ size: [w, h], chance, label, original, caption, isPlan, focus, emphasis }, index): Made => {
      const photo = samplePhoto(`photo-${index}`, w, h, { x: (index % 5) / 5, y: (index % 3) / 3 });
      const isAltered = chance < share;
      const [ow, oh] = original === 'alike' ? [w, h] : [1600, 1200];
      return {
        photo:
          isAltered && original !== null
            ? { ...photo, original: samplePhoto(`original-${index}`, ow, oh) }
            : photo,
        asset: {
          ...(caption === '' ? {} : { caption }),
          ...(isAltered ? { altered: label } : {}),
          ...(isPlan ? { kind: 'floor_plan' } : {}),
          ...(focus ? { focus } : {}),
          ...(emphasis === 'normal' ? {} : { emphasis }),
        },
      };
    }),
  );
}

export const listings = listingsOf(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 5, max: 20 }) },
    { weight: 1, arbitrary: pick(60, 100) },
  ),
);

/** @param qualities - How often each comes. */
export function listingsOf(photoCounts: fc.Arbitrary<number>, qualities = { standard: 1, draft: 1 }) {
  return fc
    .record({
      template: fc.constantFrom(...templates),
      ratio: fc.constantFrom(...RATIOS),
      quality: fc.oneof(
        { weight: qualities.standard, arbitrary: fc.constant<Quality>('standard') },
        { weight: qualities.draft, arbitrary: fc.constant<Quality>('draft') },
      ),
      disclosure: fc.oneof(
        pick(...DISCLOSURES),
        fc.integer({ min: 20, max: 160 }).map((length) => SPOKEN.slice(0, length)),
      ),
      hasAddress: fc.boolean(),
      announces: fc.boolean(),
      photos: fc.tuple(photoCounts, pick(0, 0.15, 0.5, 1)).chain(([count, share]) => photosOf(count, share)),
    })
    .map(({ photos: made, disclosure: given, hasAddress, announces, template, ratio, quality }) => {
      // Without branding its web address is cut out.
      const disclosure =
        template.branding === 'none' ? given.replace(/(?:https:\/\/)?harborpine\S+/u, 'the office') : given;
      const assets = made.map(({ photo, asset }): Asset => ({ url: photo.url, ...asset }));
      const data = {
        ...(disclosure === '' ? {} : { disclosure }),
        ...(hasAddress ? { originals_url: 'https://harborpine.example/128/originals' } : {}),
        ...(announces
          ? {
              status: 'Just listed',
              headline: 'The Harbor Pine House, with a garden for long summer evenings',
            }
          : {}),
      };
      const shown = listed(made.map(({ photo }) => photo));
      const whole = sampleStoryboard({ template, ratio, data, photos: shown, listing: { assets } });
      const portrait = samplePhoto('portrait', 800, 800);
      const photos: Photo[] = [...shown.flatMap((photo) => [photo, photo.original ?? []].flat()), portrait];
      return {
        board: toQuality(whole, quality),
        quality,
        assets,
        disclosure,
        hasAddress,
        shown,
        photos,
        ratio,
      };
    });
}

export type Drawn = ReturnType<typeof listings.generate>['value'];

/** Words that a frame must show, and does by its draw list. */
export interface DrawnWords {
  readonly frame: number;
  readonly layer: TextLayer;
  readonly box: Box;
  readonly plateColor: Color;
}

interface Seen {
  readonly digest: string;
  readonly box: Box;
  readonly index: number;
}

/** What is seen in a frame. */
class Frame {
  readonly #ops: readonly DrawOp[];
  readonly #board: Storyboard;
  /** Two scenes dissolve into each other. */
  readonly isMixed: boolean;

  constructor(board: Storyboard, photos: ReadonlyMap<string, Photo>, at: number) {
    const { base, over } = composeFrame(board, photos, at);
    this.#board = board;
    this.isMixed = over !== undefined;
    this.#ops = [...base, ...(over?.ops ?? [])];
  }

  get photos(): Seen[] {
    return this.#ops.flatMap((op, index): Seen[] => {
      if (op.op === 'photo-mix') {
        const { box } = op;
        return [op.from, op.to].map((view) => ({ digest: view.source.digest, box, index }));
      }
      if (op.op !== 'photo' || op.alpha <= 0) return [];
      const seen = toBox(op.rect, this.#board);
      if (seen.w < 0.5 || seen.h < 0.5 || this.#isCovered(seen, index)) return [];
      return [{ digest: op.view.source.digest, box: seen, index }];
    });
  }

  /** The texts that are drawn whole, in full strength, on a plate, with nothing over them. */
  get wholeTexts(): { readonly layer: TextLayer; readonly box: Box }[] {
    return this.#ops.flatMap((op, index) => {
      if (op.op !== 'mask' || op.alpha < 1) return [];
      const layer = this.#board.scenes[op.ref.scene]!.layers[op.ref.layer]!;
      if (layer.type !== 'text') return [];
      const box = { x: op.x, y: op.y, w: layer.box.w, h: layer.box.h };
      const frame = { x: 0, y: 0, w: this.#board.widthPx, h: this.#board.heightPx };
      if (!contains(frame, box) || !contains(toBox(op.clip, this.#board), box)) return [];
      const plate = this.#ops.slice(0, index).findLastIndex((under) => {
        return (
          under.op === 'fill' &&
          under.alpha === 1 &&
          !under.gradient &&
          contains(toBox(under.rect, this.#board), box)
        );
      });
      const over = this.#ops.slice(plate + 1).filter((other) => other !== op);
      const isFree = over.every((other) => !overlaps(seenBox(other, this.#board), growBox(box, -1)));
      return plate >= 0 && isFree ? [{ layer, box }] : [];
    });
  }

  #isCovered(box: Box, index: number): boolean {
    return this.#ops
      .slice(index + 1)
      .some(
        (op) =>
          ((op.op === 'fill' && !op.gradient) || op.op === 'photo') &&
          op.alpha === 1 &&
          op.mask === undefined &&
          contains(toBox(op.rect, this.#board), box, 0.01),
      );
  }
}

function seenBox(op: DrawOp, board: Storyboard): Box {
  if (op.op === 'mask' || op.op === 'graphic') {
    const { box } = board.scenes[op.ref.scene]!.layers[op.ref.layer]!;
    return op.alpha > 0 ? { x: op.x, y: op.y, w: box.w, h: box.h } : { x: 0, y: 0, w: 0, h: 0 };
  }
  return toBox(op.rect, board);
}

function toBox({ x0, y0, x1, y1 }: Rect, { widthPx, heightPx }: Storyboard): Box {
  const [left, top] = [Math.max(0, x0), Math.max(0, y0)];
  return { x: left, y: top, w: Math.min(widthPx, x1) - left, h: Math.min(heightPx, y1) - top };
}

/** Spaces, breaks and places to break do not matter; an ellipsis does. */
function letters(text: string): string {
  return text.replace(/[\s\u200b\u00a0]/gu, '').toLowerCase();
}

function wordsOf({ lines }: TextLayer): string {
  return letters(lines.map(({ text }) => text).join(''));
}

function colorUnder(board: Storyboard, layer: TextLayer): string {
  const scene = board.scenes.find(({ layers }) => layers.includes(layer))!;
  const plate = scene.layers.find(({ id }) => id === `${layer.id}-plate`);
  return plate?.type === 'fill' ? plate.color : '#888888';
}

/** Every frame of scenes that change; of scenes that rest, the first, the last and every fifth. */
function framesOf(board: Storyboard): number[] {
  let start = 0;
  return board.scenes.flatMap(({ durationFrames, transition, layers }) => {
    const from = start;
    start += durationFrames;
    const hasOriginal = layers.some(({ id }) => id.includes('-original'));
    const isChanging = (at: number) =>
      hasOriginal || at >= durationFrames - transition.durationFrames - 1 || at < 2;
    return Array.from({ length: durationFrames }, (_, at) => at)
      .filter((at) => isChanging(at) || at % 5 === 0)
      .map((at) => from + at);
  });
}

/**
 * @returns The labels and disclosures that must be seen, frame by frame.
 * @throws An error that names the frame and what is wrong with it.
 */
export function judge({
  board,
  assets,
  disclosure,
  hasAddress,
  shown,
  photos: all,
  ratio,
}: Drawn): DrawnWords[] {
  const words: DrawnWords[] = [];
  const byDigest = new Map<string, Photo>(all.map((photo) => [photo.digest, photo]));
  const scale = board.widthPx / (ratio === '1920:1080' ? 1920 : 1080);
  const labels = new Map(
    shown.flatMap(({ digest, assetIndex }) => {
      const label = alteredLabel(assets[assetIndex]!);
      return label === null ? [] : [[digest, letters(label)] as const];
    }),
  );
  const originals = new Map(
    shown.flatMap(({ digest, original }) =>
      original && labels.has(digest) ? [[digest, original.digest]] : [],
    ),
  );
  let before: ReadonlySet<string> = new Set();
  for (const at of framesOf(board)) {
    const frame = new Frame(board, byDigest, at);
    const photos = frame.photos.filter(({ digest }) => digest !== 'digest-portrait');
    const texts = frame.wholeTexts;
    const note = ({ layer, box }: { readonly layer: TextLayer; readonly box: Box }) =>
      words.push({ frame: at, layer, box, plateColor: colorUnder(board, layer) });
    const fail = (what: string): never => {
      throw new Error(`${board.templateId} ${ratio} ${board.fps} fps, frame ${at}: ${what}`);
    };
    for (const { digest, box } of photos) {
      const label = labels.get(digest);
      if (label === undefined) continue;
      if (frame.isMixed) fail(`${digest} dissolves`);
      const near = growBox(box, 24 * scale);
      const found =
        texts.find(({ layer, box: at }) => wordsOf(layer) === label && contains(near, at, 2)) ??
        fail(`${digest} is seen without its label`);
      if (found.layer.style.sizePx < LIMITS[ratio].minPx * scale) fail(`the label of ${digest} is small`);
      if (contrastRatio(found.layer.color, colorUnder(board, found.layer)) < 4.5)
        fail(`the label of ${digest} is hard to read`);
      note(found);
    }
    if (disclosure !== '' && photos.length > 0 && !isInTransition(board, at)) {
      note(
        texts.find(({ layer }) => wordsOf(layer) === letters(disclosure)) ??
          fail('a photo is seen without the disclosure'),
      );
    }
    const digests = new Set(photos.map(({ digest }) => digest));
    for (const digest of before) {
      const original = originals.get(digest);
      if (original === undefined || digests.has(digest)) continue;
      if (!digests.has(original) && !before.has(original))
        fail(`${digest} is gone, and its original neither follows nor stood beside it`);
    }
    before = digests;
  }
  const address = board.scenes.find(({ kind }) => kind === 'originals');
  const addressSec = address ? (address.durationFrames - address.transition.durationFrames) / board.fps : 0;
  if (hasAddress !== addressSec >= 3) throw new Error(`the address of the originals stands ${addressSec} s`);
  return words;
}

function isInTransition(board: Storyboard, at: number): boolean {
  let start = 0;
  for (const { durationFrames, transition } of board.scenes) {
    if (at < start + durationFrames) return at >= start + durationFrames - transition.durationFrames;
    start += durationFrames;
  }
  return false;
}
