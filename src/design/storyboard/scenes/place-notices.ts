/**
 * Places what must be read: the disclosure of the listing, the labels of altered photos and of their originals. Each
 * stands whole on a plate of its own, over everything else, where it covers no other words. Pure.
 */
import { RTL_LETTER } from '../../text/order-runs.ts';
import { contains, growBox, intersection, overlaps, unionOf } from '../box.ts';
import { fillLayer } from '../elements/animate-layer.ts';
import { hidesAttention } from '../elements/photo-element.ts';
import type { BuiltElement, LayerDraft, PhotoDraft, SceneContext } from '../elements/scene-context.ts';
import { plain } from '../elements/text-element.ts';
import { limitsOf } from '../frame-limits.ts';
import { contrastRatio, luminance, MIN_CONTRAST } from '../palette.ts';
import type { SetText } from '../set-type.ts';
import type { Box } from '../storyboard.ts';
import { clamp } from './fit-photo.ts';

interface Wanted {
  readonly id: string;
  readonly text: string;
  /** The photos that it can stand on; the label of a photo stands on that photo only. */
  readonly hosts: readonly PhotoDraft[];
  /** It can also stand beside the photos. */
  readonly canStandOnPage: boolean;
  readonly turn?: LayerDraft['turn'];
}

/** Free space around other words, px. */
const CLEARANCE_PX = 12;
/** From the edges of the frame, where a photo lies outside the safe area, px. */
const RIM_PX = 40;
/** Of a text that stands in a narrow photo. */
const MAX_LINES = 14;
/** A line of this share of the frame is broken in two where the text allows it. */
const LONG_LINE = 0.62;
/** Widths of narrow columns, as shares of their area: they find room where wide lines do not. */
const COLUMNS = [0.6, 0.4];
const SCAN_STEP_PX = 12;
/** Corners of which none is nearer to the edges than another by more than this, px, are equally good. */
const SAME_PLACE_PX = 100;
const LONG_WORD = /\S{25,}/gu;
/** Letters at the end of a line that tell a hyphen of the text from an added one. */
const TAIL = 6;
const CORNERS = ['bottom-left', 'bottom-right', 'top-right', 'top-left'] as const;

/** @param layers - The whole scene without its notices. Not `fits` where one has to cover other words. */
export function placeNotices(layers: readonly LayerDraft[], context: SceneContext): BuiltElement {
  const wanted = listNotices(layers, context);
  if (wanted.length === 0) return { layers: [], fits: true };
  const plates: Box[] = [];
  const placed: LayerDraft[] = [];
  let fits = true;
  for (const notice of wanted) {
    const place = findPlace(notice, { layers, plates, context });
    fits &&= place.fits;
    plates.push(place.plate);
    placed.push(...toLayers(notice, place, context));
  }
  return { layers: placed, fits };
}

function listNotices(layers: readonly LayerDraft[], context: SceneContext): Wanted[] {
  const photos = layers.filter((layer): layer is PhotoDraft & LayerDraft => layer.type === 'photo');
  const shown = photos.filter((draft) => draft.photo !== context.portrait && draft.turn?.of !== 'original');
  const labels = shown.flatMap((draft): Wanted[] => {
    const { label, original } = draft.photo;
    if (label === undefined) return [];
    const base = { hosts: [draft], canStandOnPage: false };
    const own = { ...base, id: `notice-${draft.id}`, text: label };
    const over = photos[photos.indexOf(draft) + 1];
    if (original === undefined || over?.turn?.of !== 'original') return [own];
    return [
      { ...own, turn: { of: 'altered' } },
      { ...base, id: `notice-${over.id}`, text: context.originalLabel, turn: over.turn },
    ];
  });
  // A label that is seen all the time says it already.
  const isSaid = labels.some(
    ({ text, turn }) => turn === undefined && text.toLowerCase() === context.disclosure.toLowerCase(),
  );
  if (context.disclosure === '' || shown.length === 0 || isSaid) return labels;
  return [
    ...labels,
    { id: 'notice-disclosure', text: context.disclosure, hosts: shown, canStandOnPage: true },
  ];
}

interface Surroundings {
  readonly layers: readonly LayerDraft[];
  /** Of the notices that have their place. */
  readonly plates: readonly Box[];
  readonly context: SceneContext;
}

interface Place {
  readonly set: SetText;
  readonly plate: Box;
  readonly fits: boolean;
}

/** An area that a plate can stand in, and the photo that it is part of. */
interface Area {
  readonly box: Box;
  readonly host: PhotoDraft | undefined;
}

interface Candidate extends Place {
  readonly area: Area;
}

/**
 * The free place nearest to a corner of its photo, if it can one that keeps what matters in the photo clear; few lines
 * before many, large type before small. Outside the safe area only where there is none inside.
 */
function findPlace(notice: Wanted, surroundings: Surroundings): Place {
  const { context } = surroundings;
  const { frame } = context;
  const { safe } = limitsOf(frame);
  const rim = { ...growBox({ x: 0, y: 0, w: frame.w, h: frame.h }, -RIM_PX), x: safe.x, w: safe.w };
  const isFree = createFreeTest(notice, surroundings);
  const covering: Candidate[] = [];
  const attempts = [safe, rim].flatMap((region) => [
    { region, widths: lineWidths },
    { region, widths: columnWidths },
  ]);
  for (const { region, widths } of attempts) {
    const sets = setNotice(notice, region, widths, context);
    const onPage = sets.filter(({ area }) => area.host === undefined);
    const below = onPage.flatMap((set) => besidePhotos(set, notice.hosts, context)).find(isFree);
    if (below !== undefined) return below;
    const inCorners = sets.flatMap((set) => cornersOf(set, context));
    const atSides = sets.flatMap((set) => sidesOf(set, context));
    const far = (candidate: Candidate) => fromCorner(candidate, frame);
    const free = [...inCorners, ...atSides].filter(isFree).sort((a, b) => far(a) - far(b));
    const near = free.filter((each) => far(each) <= far(free[0]!) + SAME_PLACE_PX);
    const clear = near.find(
      ({ plate, area: { host } }) => host === undefined || !hidesAttention(host, [plate], frame),
    );
    const found = clear ?? free[0] ?? scan(sets, isFree, context);
    if (found !== undefined) return found;
    covering.push(...inCorners);
  }
  const [least] = covering
    .map((candidate) => ({ candidate, covered: coveredArea(candidate.plate, surroundings) }))
    .sort((a, b) => a.covered - b.covered);
  return { ...(least?.candidate ?? forced(notice, context)), fits: false };
}

interface SetNotice {
  readonly set: SetText;
  readonly area: Area;
}

/** The text in every area, size and width that holds it whole; the preferred ones first. */
function setNotice(
  { text, hosts, canStandOnPage }: Wanted,
  region: Box,
  widths: (ofArea: number, frame: SceneContext['frame']) => readonly number[],
  context: SceneContext,
): SetNotice[] {
  const { frame, type, notice } = context;
  const areas: readonly Area[] = [
    ...hosts.map((host) => ({ box: intersection(host.box, region), host })),
    ...(canStandOnPage ? [{ box: region, host: undefined }] : []),
  ];
  const [, right, , left] = notice.padding;
  const least = Math.max(type.minSize(notice.style), limitsOf(frame).minPx);
  const sizes = new Set([Math.max(least, type.style(notice.style).size), least]);
  for (const words of [text, toBreakable(text)]) {
    const found: SetNotice[] = [];
    for (const area of areas) {
      const widthPx = area.box.w - left - right;
      for (const sizePx of sizes) {
        for (const width of widthPx > 0 ? widths(widthPx, frame) : []) {
          const set = type.fit(words, notice.style, {
            widthPx: width,
            ...{ maxLines: MAX_LINES, sizePx, minSizePx: sizePx, wrapFirst: true },
          });
          const { lines, truncated } = set.fitted;
          const isWhole = !truncated && !isHyphenated(lines, text);
          if (isWhole && plateSize(set, context).h <= area.box.h) found.push({ set, area });
        }
      }
    }
    if (found.length > 0) return found;
  }
  return [];
}

function lineWidths(ofArea: number, frame: SceneContext['frame']): number[] {
  return frame.w > frame.h && ofArea > LONG_LINE * frame.w ? [LONG_LINE * frame.w, ofArea] : [ofArea];
}

function columnWidths(ofArea: number): number[] {
  return COLUMNS.map((share) => share * ofArea);
}

/** A word that is too long, such as a web address, can be broken between any two letters: a hyphen would change it. */
function toBreakable(text: string): string {
  return text.replace(LONG_WORD, (word) => [...word].join('\u200b'));
}

/** True when a word was broken with a hyphen that is not its own. */
function isHyphenated(lines: readonly { readonly text: string }[], text: string): boolean {
  return lines.some((line) => line.text.endsWith('-') && !text.includes(line.text.slice(-TAIL)));
}

function plateSize({ widthPx, heightPx }: SetText, { notice }: SceneContext): { w: number; h: number } {
  const [top, right, bottom, left] = notice.padding;
  return { w: Math.ceil(widthPx) + left + right, h: Math.ceil(heightPx) + top + bottom };
}

function cornersOf({ set, area }: SetNotice, context: SceneContext): Candidate[] {
  const { corner: wished } = context.notice;
  const { box } = area;
  const { w, h } = plateSize(set, context);
  const [vertical] = wished.split('-') as [string];
  const others = CORNERS.filter((corner) => corner !== wished);
  const order = [
    wished,
    ...others.filter((corner) => corner.startsWith(vertical)),
    ...others.filter((corner) => !corner.startsWith(vertical)),
  ];
  return order.map((corner) => ({
    ...{ set, area, fits: true },
    plate: {
      x: Math.round(corner.endsWith('left') ? box.x : box.x + box.w - w),
      y: Math.round(corner.startsWith('top') ? box.y : box.y + box.h - h),
      ...{ w, h },
    },
  }));
}

/** Along the left and the right side of the area, from corner to corner. */
function sidesOf({ set, area }: SetNotice, context: SceneContext): Candidate[] {
  const { w, h } = plateSize(set, context);
  const { x, y, w: width, h: height } = area.box;
  const steps = Array.from({ length: Math.floor((height - h) / SCAN_STEP_PX) }, (_, step) => step + 1);
  return steps.flatMap((step) =>
    [x, x + width - w].map((left) => ({
      ...{ set, area, fits: true },
      plate: { x: Math.round(left), y: Math.round(y + step * SCAN_STEP_PX), w, h },
    })),
  );
}

/**
 * How far a notice is from the nearest corner of its photo, across and down together, px. A wide frame has narrow
 * margins: there the corners of the safe area are as good.
 */
function fromCorner({ plate, area: { box, host } }: Candidate, frame: SceneContext['frame']): number {
  const photo = frame.w > frame.h ? box : (host?.box ?? box);
  const across = [plate.x - photo.x, photo.x + photo.w - plate.x - plate.w];
  const down = [plate.y - photo.y, photo.y + photo.h - plate.y - plate.h];
  return Math.max(0, Math.min(...across)) + Math.max(0, Math.min(...down));
}

/** Space between the photos and a notice that stands under or over them on the page, px. */
const BESIDE_PX = 14;

/** On the page, right under the photos or over them. */
function besidePhotos(
  { set, area }: SetNotice,
  hosts: readonly PhotoDraft[],
  context: SceneContext,
): Candidate[] {
  const { w, h } = plateSize(set, context);
  const photos = unionOf(hosts.map(({ box }) => box));
  const x = Math.round(clamp(photos.x, area.box.x, area.box.x + area.box.w - w));
  return [photos.y + photos.h + BESIDE_PX, photos.y - BESIDE_PX - h].map((y) => ({
    ...{ set, area, fits: true },
    plate: { x, y: Math.round(y), w, h },
  }));
}

type FreeTest = (candidate: Pick<Candidate, 'plate' | 'area'>) => boolean;

function createFreeTest(notice: Wanted, { layers, plates, context }: Surroundings): FreeTest {
  const taken = [...layers.flatMap((layer) => obstacleOf(layer, context)), ...plates].map((box) =>
    growBox(box, CLEARANCE_PX),
  );
  return ({ plate, area: { box, host } }) => {
    if (!contains(box, plate)) return false;
    if (taken.some((obstacle) => overlaps(obstacle, plate))) return false;
    // On the page it covers no photo in part.
    if (host === undefined) return !notice.hosts.some((photo) => overlaps(photo.box, plate));
    const above = layers.slice(layers.indexOf(host) + 1);
    return !above.some(
      (layer) => layer.type === 'photo' && layer.turn === undefined && overlaps(layer.box, plate),
    );
  };
}

/** Words, marks, logos, codes, portraits, and the plates under them; not photos, scrims and grounds. */
function obstacleOf(layer: LayerDraft, { portrait, frame }: SceneContext): Box[] {
  if (layer.type === 'photo') return layer.photo === portrait ? [layer.box] : [];
  if (layer.type !== 'fill') return [layer.box];
  const isGround = layer.box.w * layer.box.h >= frame.w * frame.h * 0.9;
  return layer.gradient || (layer.alpha ?? 1) < 1 || layer.id.endsWith('-mat') || isGround ? [] : [layer.box];
}

function scan(sets: readonly SetNotice[], isFree: FreeTest, context: SceneContext): Place | undefined {
  for (const { set, area } of sets) {
    const { w, h } = plateSize(set, context);
    const { x: left, y: top } = area.box;
    for (let y = top + area.box.h - h; y >= top; y -= SCAN_STEP_PX) {
      for (let x = left; x <= left + area.box.w - w; x += SCAN_STEP_PX) {
        const plate = { x: Math.round(x), y: Math.round(y), w, h };
        if (isFree({ plate, area })) return { set, plate, fits: true };
      }
    }
  }
  return undefined;
}

/** One notice on another costs more than any words of the scene. */
const NOTICE_WEIGHT = 1000;

function coveredArea(plate: Box, { layers, plates, context }: Surroundings): number {
  const coveredBy = (boxes: readonly Box[]) =>
    boxes.reduce((sum, box) => {
      const { w, h } = intersection(plate, box);
      return sum + Math.max(0, w) * Math.max(0, h);
    }, 0);
  return coveredBy(layers.flatMap((layer) => obstacleOf(layer, context))) + NOTICE_WEIGHT * coveredBy(plates);
}

/** Where no area of the photo holds the text: from its top left corner, as far into the frame as it must. */
function forced({ text, hosts }: Wanted, context: SceneContext): Place {
  const { frame, type, notice } = context;
  const safe = limitsOf(frame).safe;
  const sizePx = Math.max(type.minSize(notice.style), limitsOf(frame).minPx);
  const set = type.fit(toBreakable(text), notice.style, {
    ...{ widthPx: safe.w - notice.padding[1] - notice.padding[3], maxLines: MAX_LINES },
    ...{ sizePx, minSizePx: sizePx, wrapFirst: true },
  });
  const { w, h } = plateSize(set, context);
  const { x, y } = hosts[0]!.box;
  const inside = (at: number, size: number, all: number) => Math.round(Math.max(0, Math.min(at, all - size)));
  return { set, plate: { x: inside(x, w, frame.w), y: inside(y, h, frame.h), w, h }, fits: false };
}

function toLayers({ id, text, turn }: Wanted, { set, plate }: Place, context: SceneContext): LayerDraft[] {
  const { palette, notice, type } = context;
  const [top, , , left] = notice.padding;
  const fill = palette[notice.fill]!;
  const wished = palette[notice.color]!;
  const color =
    contrastRatio(wished, fill) >= MIN_CONTRAST ? wished : luminance(fill) > 0.18 ? '#000000' : '#FFFFFF';
  const at = { x: plate.x + left, w: Math.ceil(set.widthPx), capTopY: plate.y + top };
  const words = type.place(id, set, at, RTL_LETTER.test(text) ? 'right' : 'left', {
    color,
    reads: plain(text),
  });
  const layers: LayerDraft[] = [fillLayer(`${id}-plate`, plate, fill), words];
  return turn === undefined ? layers : layers.map((layer) => ({ ...layer, turn }));
}
