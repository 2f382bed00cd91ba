/** Builds the agent's portrait or the initials in its place, the equal-housing mark and the logo. Pure. */
import type { InitialsElement, MarksElement, PortraitElement } from '../../template/elements.ts';
import { growBox, overlaps, toPx } from '../box.ts';
import { contrastRatio } from '../palette.ts';
import { enlargement, MAX_ENLARGEMENT, standWhole } from '../scenes/fit-photo.ts';
import type { Box, Color } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';

const NOTHING: BuiltElement = { layers: [], fits: true };
/** Largest inset of the initials' keyline, as a share of the box's shorter side. */
const KEYLINE_SHARE = 0.05;
/** Size of letters without capitals against capitals, and the room over and under them as a share of their box. */
const UNCASED_SCALE = 1.35;
const UNCASED_MARGIN = 0.1;
/** A portrait can be softer than a photo of the house. */
const MAX_PORTRAIT_ENLARGEMENT = 2;
/** Gap of mark and logo side by side, px. */
const PAIR_GAP = 40;
/** A logo that is hardly wider than high is taller than the mark: as wide as the mark is high, nobody could read it. */
const TALL = { below: 2.4, most: 1.35 };
/** Sizes of a logo that a text would reach, largest first. */
const LOGO_SIZES = [1, 0.8, 0.65];
/** Lowest contrast of a logo without a plate. */
const LOGO_CONTRAST = 3;
/** Padding of a logo's plate on every side, as a share of the logo's height. */
const PLATE_PADDING = 0.25;

/**
 * The equal-housing mark, a house with an equal sign, as an SVG path in a square of 100 x 100 units. The inner
 * contour runs against the outer one, so that the hole is a hole under both fill rules; the two bars run with the
 * outer.
 */
const EQUAL_HOUSING_PATH =
  'M50 4 L98 32 V49 H90 V96 H10 V49 H2 V32 Z ' +
  'M50 19 L23 34.8 V82 H77 V34.8 Z ' +
  'M33 44 H67 V54.5 H33 Z M33 62 H67 V72.5 H33 Z';

/** The portrait in its box, cropped around its focus; on a mat where the box would enlarge it too much. */
export function buildPortrait(element: PortraitElement, context: SceneContext): BuiltElement {
  if (!context.portrait) return NOTHING;
  const box = toPx(element.box, context.frame);
  // A tiny image stands on a mat instead of being blown up.
  const isSmall = enlargement(context.portrait, box) > MAX_PORTRAIT_ENLARGEMENT;
  const mat = Math.round(Math.min(box.w, box.h) * KEYLINE_SHARE * 2);
  const shown = isSmall
    ? roundBox(standWhole(context.portrait, growBox(box, -mat), MAX_ENLARGEMENT / MAX_PORTRAIT_ENLARGEMENT))
    : box;
  const layers: LayerDraft[] = [
    ...(isSmall ? [fillLayer(`${element.id}-mat`, box, context.palette.tint)] : []),
    {
      type: 'photo',
      id: element.id,
      digest: context.portrait.digest,
      photo: context.portrait,
      camera: 'still',
      box: shown,
      ...(element.mask ? { mask: toLayerMask(element.mask) } : {}),
    },
  ];
  return {
    layers: layers.map((layer) => animated(layer, element, { host: box, fps: context.fps })),
    fits: true,
  };
}

export function buildInitials(element: InitialsElement, context: SceneContext): BuiltElement {
  const box = toPx(element.box, context.frame);
  const { palette, type, fps } = context;
  const { enter, exit } = element;
  const movedInside = (layer: LayerDraft) =>
    animated(layer, { enter: element.innerEnter, exit }, { host: box, fps });
  const layers: LayerDraft[] = [];
  if (element.fill !== undefined) {
    const ground = fillLayer(`${element.id}-ground`, box, palette[element.fill]!);
    layers.push(animated(ground, { enter, exit }, { fps }));
  }
  const { keyline } = element;
  if (keyline) {
    const inset = Math.min(keyline.inset, Math.round(Math.min(box.w, box.h) * KEYLINE_SHARE));
    const rules = frameRules(element.id, box, inset, keyline.rule, palette[keyline.color]!);
    layers.push(...rules.map(movedInside));
  }
  const initials = context.texts.initials ?? '';
  if (initials === '') return { layers, fits: true };
  const style = type.style(element.style);
  const hasCapitals = /\p{Lu}/u.test(initials);
  // Letters that stand on the foot of the box can fill it up to the same margin at the top.
  const capEm = type.fit('H', element.style, { widthPx: box.w }).heightPx / style.size;
  const most = element.anchor === 'middle' ? box.h * 0.52 : (box.h - 2 * element.inset) / capEm;
  const size = Math.min(style.size, Math.round(most));
  const setAt = (sizePx: number) =>
    type.fit(initials, element.style, { widthPx: box.w * element.fitWidth, sizePx });
  // Letters of scripts without capitals look smaller at the same size, but can hang far below their line.
  const grown = setAt(Math.round(size * (hasCapitals ? 1 : UNCASED_SCALE)));
  const room = ((1 - UNCASED_MARGIN * 2) * box.h) / (grown.inkBottomPx - grown.inkTopPx);
  const set = hasCapitals || room >= 1 ? grown : setAt(Math.floor(grown.fitted.style.sizePx * room));
  // Letters without capitals are centered: they have no common line to stand on.
  const isCentered = element.anchor === 'middle' || !hasCapitals;
  // Capitals are centered by their height, other letters by their ink.
  const capTopY = !isCentered
    ? box.y + box.h - element.inset - set.heightPx
    : hasCapitals
      ? box.y + (box.h - set.heightPx) / 2
      : box.y + (box.h - (set.inkBottomPx - set.inkTopPx)) / 2 - set.inkTopPx - set.heightPx;
  const column =
    element.align === 'center' || isCentered
      ? { x: box.x, w: box.w }
      : { x: box.x + element.inset, w: box.w - 2 * element.inset };
  const letters = type.place(element.id, set, { ...column, capTopY }, isCentered ? 'center' : element.align, {
    color: palette[element.color]!,
    reads: initials,
  });
  return { layers: [...layers, movedInside(letters)], fits: true };
}

function frameRules(id: string, box: Box, inset: number, rule: number, color: Color): LayerDraft[] {
  const x = box.x + inset;
  const y = box.y + inset;
  const w = box.w - 2 * inset;
  const h = box.h - 2 * inset;
  const sides: [string, Box][] = [
    ['top', { x, y, w, h: rule }],
    ['right', { x: x + w - rule, y: y + rule, w: rule, h: h - 2 * rule }],
    ['bottom', { x, y: y + h - rule, w, h: rule }],
    ['left', { x, y: y + rule, w: rule, h: h - 2 * rule }],
  ];
  return sides.map(([side, sideBox]) => fillLayer(`${id}-keyline-${side}`, sideBox, color));
}

/**
 * @param built - Of the scene so far: the logo stays clear of their texts.
 * @param stack - Those below the logo.
 * @param columns - The boxes of the stacks, shares of the frame. Where a card is read from right to left, marks at the
 *   end of a column stand at its left edge.
 */
export function buildMarks(
  element: MarksElement,
  context: SceneContext,
  built: readonly LayerDraft[],
  stack: readonly LayerDraft[],
  columns: readonly (readonly [number, number, number, number])[] = [],
): BuiltElement {
  const column = columns.find(([x, , w]) => x < element.at[0] && element.at[0] < x + w + 0.001);
  const isMirrored = context.type.isRtl && element.arrange === 'apart';
  const leftEdge = isMirrored && column ? column[0] * context.frame.w : undefined;
  const plate = logoPlate(element, context);
  // The logo is placed together with its plate: the plate's edges stand on the grid.
  const padding = plate ? PLATE_PADDING : 0;
  const seat = LOGO_SIZES.map((scale) =>
    placeLogo(element, context, { built, stack, leftEdge }, { padding, scale }),
  ).find((box) => box !== undefined);
  const warnings =
    context.logo && !seat ? ['the logo has no room beside the text of the card and is left out'] : [];
  const size = seat ? element.sizeWithLogo : element.size;
  const x = element.at[0] * context.frame.w;
  const foot = Math.round(element.at[1] * context.frame.h);
  const layers: LayerDraft[] = [];
  const pair = element.arrange === 'together' && seat ? (element.pairGap ?? PAIR_GAP) + seat.w : 0;
  if (context.hasEqualHousing) {
    const left =
      leftEdge ??
      (element.arrange === 'apart' ? x - size : element.arrange === 'edges' ? x : x - (size + pair) / 2);
    layers.push({
      type: 'mark',
      id: 'equal-housing',
      path: EQUAL_HOUSING_PATH,
      color: context.palette[element.color]!,
      box: { x: Math.round(left), y: foot - size, w: size, h: size },
    });
  }
  if (context.logo && seat) {
    const left =
      element.arrange !== 'together'
        ? seat.x
        : context.hasEqualHousing
          ? x + (size + pair) / 2 - seat.w
          : x - seat.w / 2;
    const pad = plate ? Math.round((seat.h * PLATE_PADDING) / (1 + 2 * PLATE_PADDING)) : 0;
    const ground = {
      ...seat,
      x: Math.round(left),
      // Beside the mark the logo stands on the mark's foot, and its plate below it.
      ...(element.arrange === 'together' ? { y: foot - seat.h + pad } : {}),
    };
    if (plate) layers.push(fillLayer('logo-plate', ground, plate));
    layers.push({ type: 'graphic', id: 'logo', digest: context.logo.digest, box: growBox(ground, -pad) });
  }
  return {
    layers: layers.map((layer) => animated(layer, element, { fps: context.fps })),
    fits: warnings.length === 0,
    warnings,
  };
}

/** The logo's box with its plate; undefined where a text reaches it. @param look.padding - Share of the logo's height. */
function placeLogo(
  element: MarksElement,
  { logo, frame }: SceneContext,
  {
    built,
    stack,
    leftEdge,
  }: {
    readonly built: readonly LayerDraft[];
    readonly stack: readonly LayerDraft[];
    readonly leftEdge: number | undefined;
  },
  { padding, scale }: { readonly padding: number; readonly scale: number },
): Box | undefined {
  if (!logo) return undefined;
  const aspect = logo.widthPx / logo.heightPx;
  const tall = Math.min(TALL.most, Math.max(1, TALL.below / aspect));
  const most = Math.min(element.sizeWithLogo * tall, (element.maxLogoWidth * frame.w) / aspect);
  const logoHeight = most * scale;
  const h = logoHeight * (1 + 2 * padding);
  const w = logoHeight * (aspect + 2 * padding);
  if (element.arrange === 'edges') {
    const right = (element.logoRight ?? 1 - element.at[0]) * frame.w;
    return roundBox({ x: right - w, y: element.at[1] * frame.h - (element.sizeWithLogo + h) / 2, w, h });
  }
  if (element.arrange === 'together') return roundBox({ x: 0, y: 0, w, h });
  const right = element.at[0] * frame.w;
  const beside =
    leftEdge === undefined
      ? right - element.sizeWithLogo - PAIR_GAP - w
      : leftEdge + element.sizeWithLogo + PAIR_GAP;
  const below = stack.map((layer) => layer.box.y);
  // Without a stack the logo stands beside the mark, on its foot.
  const box =
    below.length === 0
      ? roundBox({ x: beside, y: element.at[1] * frame.h - h, w, h })
      : roundBox({ x: leftEdge ?? right - w, y: Math.min(...below) - element.logoAbove!.gap - h, w, h });
  const reached = built.some((layer) => layer.type === 'text' && overlaps(layer.box, growBox(box, 16)));
  return reached ? undefined : box;
}

/** Color of the plate of a logo, ink or paper, whichever contrasts more; null for most logos that need none on their ground. */
function logoPlate({ ground = 'paper', plate }: MarksElement, { logo, palette }: SceneContext): Color | null {
  const color = logo?.medianColor;
  if (!logo || (color === undefined && !plate)) return null;
  if (!plate && contrastRatio(color!, palette[ground]!) >= LOGO_CONTRAST) return null;
  return color !== undefined && contrastRatio(color, palette.ink) > contrastRatio(color, palette.paper)
    ? palette.ink
    : palette.paper;
}

function roundBox(box: Box): Box {
  return { x: Math.round(box.x), y: Math.round(box.y), w: Math.round(box.w), h: Math.round(box.h) };
}
