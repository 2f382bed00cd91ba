/** Builds a gradient over a photo, dark (or light) enough for its texts. Pure. */
import type { ScrimElement } from '../../template/elements.ts';
import { growBox, intersection, toPx } from '../box.ts';
import { contrastOfLuma, lumaOf, MIN_CONTRAST, MIN_CONTRAST_LARGE } from '../palette.ts';
import { clamp, type PartOfPhoto, restingPart } from '../scenes/fit-photo.ts';
import type { Box, TextLayer } from '../storyboard.ts';
import { animated, fillLayer } from './animate-layer.ts';
import type { LayerDraft, PhotoDraft, PhotoLight, SceneContext } from './scene-context.ts';

const ALPHA_STEP = 0.06;
const MAX_ALPHA = 0.96;
const LARGE_PX = 48;
/** How far around a text the photo is checked too, since the camera moves; a share of the frame's height. */
const CAMERA_ROOM = 0.04;
/** A photo whose light is not known counts as white. */
const UNKNOWN_LUMA = 1;

type Stops = readonly { readonly at: number; readonly alpha: number }[];

/** The scrim, and a warning for each text that stays hard to read. @param carried - The texts it is for. */
export function buildScrim(
  element: ScrimElement,
  carried: readonly TextLayer[],
  photos: readonly PhotoDraft[],
  context: SceneContext,
): { readonly layers: readonly LayerDraft[]; readonly warnings: readonly string[] } {
  const { frame, palette, fps } = context;
  const color = palette[element.color]!;
  const box = reachUp(toPx(element.box, frame), element, carried, frame.h);
  let stops: Stops = element.stops.map(([at, alpha]) => ({ at, alpha }));
  const breaches = (tried: Stops) =>
    carried.filter(
      (text) => !reads(text, photos, { box, direction: element.direction, stops: tried, color }, context),
    );
  let unread = breaches(stops);
  while (unread.length > 0 && stops.some(({ alpha }) => alpha > 0 && alpha < MAX_ALPHA)) {
    stops = stops.map(({ at, alpha }) => ({
      at,
      alpha: alpha === 0 ? 0 : Math.min(MAX_ALPHA, Math.round((alpha + ALPHA_STEP) * 100) / 100),
    }));
    unread = breaches(stops);
  }
  const gradient = { direction: element.direction, stops };
  return {
    layers: [animated({ ...fillLayer(element.id, box, color), gradient }, element, { fps })],
    warnings: unread.map(
      ({ id }) => `the ${id} is hard to read on its photo, however dark its ground is made`,
    ),
  };
}

/** The scrim's box, grown so that its first edge keeps its distance from the texts. */
function reachUp(
  box: Box,
  { reach, direction }: ScrimElement,
  carried: readonly TextLayer[],
  frameH: number,
): Box {
  if (reach === undefined || carried.length === 0) return box;
  if (direction === 'down') {
    const top = Math.min(...carried.map((text) => text.box.y)) - reach * frameH;
    const y = Math.max(0, Math.round(Math.min(box.y, top)));
    return { ...box, y, h: box.y + box.h - y };
  }
  if (direction === 'up') {
    const bottom = Math.max(...carried.map((text) => text.box.y + text.box.h)) + reach * frameH;
    return { ...box, h: Math.min(frameH, Math.round(Math.max(box.y + box.h, bottom))) - box.y };
  }
  return box;
}

interface Ground {
  readonly box: Box;
  readonly direction: ScrimElement['direction'];
  readonly stops: Stops;
  readonly color: string;
}

function reads(
  text: TextLayer,
  photos: readonly PhotoDraft[],
  ground: Ground,
  context: SceneContext,
): boolean {
  const minContrast = text.style.sizePx >= LARGE_PX ? MIN_CONTRAST_LARGE : MIN_CONTRAST;
  const ink = lumaOf(text.color);
  const scrim = lumaOf(ground.color);
  return photos.every((draft) => {
    const area = intersection(draft.box, growBox(text.box, CAMERA_ROOM * context.frame.h));
    if (area.w <= 0 || area.h <= 0) return true;
    return worstCells(draft, area, context).every(({ luma, y }) => {
      const alpha = alphaAt(ground, { x: area.x + area.w / 2, y });
      return contrastOfLuma(ink, luma * (1 - alpha) + scrim * alpha) >= minContrast;
    });
  });
}

/** Opacity of a gradient at a point of the frame; 0 outside its box. */
export function alphaAt(
  { box, direction, stops }: Omit<Ground, 'color'>,
  point: { x: number; y: number },
): number {
  const { x, y } = point;
  if (x < box.x || x > box.x + box.w || y < box.y || y > box.y + box.h) return 0;
  const across = (x - box.x) / box.w;
  const down = (y - box.y) / box.h;
  const t =
    direction === 'down' ? down : direction === 'up' ? 1 - down : direction === 'right' ? across : 1 - across;
  const after = stops.findIndex(({ at }) => at >= t);
  if (after < 0) return stops.at(-1)?.alpha ?? 0;
  const [a, b] = [stops[after - 1], stops[after]!];
  if (!a || b.at === a.at) return b.alpha;
  return a.alpha + ((b.alpha - a.alpha) * (t - a.at)) / (b.at - a.at);
}

/** The cells of the photo in an area of the frame before the camera moves, with their places. */
function worstCells(
  draft: PhotoDraft,
  area: Box,
  { lightOf }: SceneContext,
): { readonly luma: number; readonly y: number }[] {
  const light = lightOf?.(draft.photo);
  if (light) return cellsIn(restingPart(draft.photo, draft.box), draft.box, area, light);
  return [area.y, area.y + area.h].map((y) => ({ luma: UNKNOWN_LUMA, y }));
}

/** The cells of a photo that lie in an area of the frame when `part` of the photo fills `box`. */
export function cellsIn(
  part: PartOfPhoto,
  box: Box,
  area: Box,
  light: PhotoLight,
): { readonly luma: number; readonly y: number }[] {
  const cellAt = (share: number, count: number) => clamp(Math.floor(share * count), 0, count - 1);
  const column = (x: number) => cellAt(part.left + ((x - box.x) / box.w) * part.width, light.columns);
  const row = (y: number) => cellAt(part.top + ((y - box.y) / box.h) * part.height, light.rows);
  const cells: { luma: number; y: number }[] = [];
  for (let r = row(area.y); r <= row(area.y + area.h); r++) {
    const y = box.y + (((r + 0.5) / light.rows - part.top) / part.height) * box.h;
    for (let c = column(area.x); c <= column(area.x + area.w); c++) {
      cells.push({
        luma: light.luma[r * light.columns + c] ?? UNKNOWN_LUMA,
        y: clamp(y, area.y, area.y + area.h),
      });
    }
  }
  return cells;
}
