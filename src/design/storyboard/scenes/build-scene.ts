/** Builds a scene into layers, from the first variant of the template that suits its texts and photos. Pure. */
import type {
  Element,
  PhotoElement,
  ScrimElement,
  StackElement,
  TextElement,
} from '../../template/elements.ts';
import type { SceneVariant } from '../../template/template.ts';
import { buildInitials, buildMarks, buildPortrait } from '../elements/agent-elements.ts';
import { showsAlike } from '../elements/comparison.ts';
import { buildFactCells } from '../elements/fact-cells.ts';
import { buildFactsRows } from '../elements/facts-element.ts';
import { buildFactsLine } from '../elements/facts-line.ts';
import { buildFill } from '../elements/fill-element.ts';
import {
  buildImage,
  buildMosaic,
  buildPhoto,
  hidesAttention,
  hidesHouse,
} from '../elements/photo-element.ts';
import { buildPlates } from '../elements/plates-element.ts';
import { buildPoster } from '../elements/poster-element.ts';
import { areCodesFree, buildQr } from '../elements/qr-element.ts';
import { fromRightToLeft, isMirrored } from '../elements/right-to-left.ts';
import type { BuiltElement, LayerDraft, PhotoDraft, SceneContext } from '../elements/scene-context.ts';
import { buildScrim } from '../elements/scrim-element.ts';
import { buildStack } from '../elements/stack-element.ts';
import { buildPlate, buildText, losesWords, OF_CODES } from '../elements/text-element.ts';
import type { TextLayer } from '../storyboard.ts';
import { matches } from '../texts.ts';
import { findOverlaps, paintedLayers, SHARED_PX } from './overlaps.ts';
import { placeNotices } from './place-notices.ts';
import { captionSizes, countCaptions, strayCaptions } from './scene-captions.ts';

export interface SceneDraft {
  /** False when a notice had to cover other words, or to leave its photo. */
  readonly hasRoomForNotices: boolean;
  /** False where no variant fits, and this is the last one. */
  readonly fits: boolean;
  /** Of the stack that had to shrink most; 1 where none did. */
  readonly scale: number;
  /** Places in the scene of photos of a group whose captions have no place of their own. */
  readonly strayCaptions: readonly number[];
  readonly variant: SceneVariant;
  readonly layers: readonly LayerDraft[];
  readonly warnings: readonly string[];
}

/**
 * The first variant that applies and fits, else the last that applies. Of those that fit, one with places for more
 * captions of the scene comes first, and one whose captions all stand by their own photos, and whose words are whole,
 * before the others; in a run, one that fills the frame.
 *
 * @param captions - Those of the scene's photos.
 * @param turn - How many scenes of the role came before; `run` for a photo of a run.
 * @throws TypeError when no variant applies; the template's schema rules this out for templates that are checked.
 */
export function buildScene(
  variants: readonly SceneVariant[],
  context: SceneContext,
  captions: readonly string[] = [],
  turn: number | 'run' = 0,
): SceneDraft {
  const applying = variants.filter(
    (variant) =>
      (turn === 'run' || hasTurn(variant, turn)) &&
      matches(variant.when, context.texts, context.flags) &&
      (!variant.dealsFact || context.flags.has('fact')),
  );
  const places = new Map(
    applying.map((variant) => [variant, countCaptions(variant, context.texts, context.flags).shown]),
  );
  let draft: SceneDraft | undefined;
  let fitting: SceneDraft | undefined;
  const rankOf = (variant: SceneVariant) =>
    places.get(variant)! + (turn === 'run' && variant.ground === 'full-bleed' ? 1 : 0);
  for (const variant of applying.toSorted((a, b) => rankOf(b) - rankOf(a))) {
    // A caption that ends in an ellipsis says more than none.
    if (fitting?.strayCaptions.length === 0 && rankOf(fitting.variant) > rankOf(variant)) return fitting;
    const built = buildVariant(variant, context, captions);
    const { warnings, strayCaptions } = built.draft;
    const isWhole = !losesWords(warnings);
    if (built.fits && strayCaptions.length === 0 && isWhole && !built.isSplit) return built.draft;
    if (built.fits && (fitting === undefined || (built.isSplit && isWhole && losesWords(fitting.warnings))))
      fitting = built.draft;
    // Where none fits, the template's last one stands.
    if (variant === applying.at(-1)) draft = built.draft;
  }
  if (fitting) return fitting;
  if (!draft) throw new TypeError('the template has no variant of a scene that its conditions allow');
  return draft;
}

function hasTurn({ turn }: SceneVariant, before: number): boolean {
  return turn === undefined || turn.on.includes((before % turn.of) + 1);
}

/** An element with its layers. Scrims are built last: they depend on the texts painted over them. */
interface Built {
  readonly element: Element;
  layers: readonly LayerDraft[];
}

/** How much all stacks of the variant that can grow do so: the office of a card keeps its size beside the name. */
function commonGrowth({ elements }: SceneVariant, context: SceneContext): number {
  const scales = elements.flatMap((element) => {
    if (element.type !== 'stack' || !element.grow) return [];
    return matches(element.when, context.texts, context.flags)
      ? [buildStack(element, context).scale ?? 1]
      : [];
  });
  return scales.length === 0 ? 1 : Math.max(1, Math.min(...scales));
}

function buildVariant(
  variant: SceneVariant,
  given: SceneContext,
  captions: readonly string[],
): { readonly draft: SceneDraft; readonly fits: boolean; readonly isSplit: boolean } {
  const context = { ...given, maxScale: given.maxScale ?? commonGrowth(variant, given) };
  const parts: Built[] = [];
  const warnings: string[] = [];
  let fits = true;
  let isSplit = false;
  let scale = 1;
  for (const each of variant.elements) {
    if (!matches(each.when, context.texts, context.flags)) continue;
    const element = isMirrored(each, context.type.isRtl) ? fromRightToLeft(each) : each;
    const built =
      element.type === 'scrim' ? { layers: [], fits: true } : buildElement(element, context, parts);
    parts.push({ element, layers: built.layers });
    warnings.push(...(built.warnings ?? []));
    fits &&= built.fits;
    isSplit ||= built.isSplit === true;
    scale = Math.min(scale, built.scale ?? 1);
  }
  // The captions of a group have one size.
  const sizes = captionSizes(parts);
  const smallest = Math.min(...sizes.map(({ sizePx }) => sizePx));
  for (const { at, sizePx } of sizes) {
    const { element } = parts[at]!;
    if (sizePx === smallest || element.type === 'scrim') continue;
    const capped = { ...context, type: context.type.atMost(smallest) };
    parts[at]!.layers = buildElement(element, capped, parts).layers;
  }
  for (const [at, part] of parts.entries())
    if (part.layers.some(isNextView))
      part.layers = withOneNextView(part.layers, layersOf(parts.slice(at + 1)), context);
  for (const part of parts) {
    if (part.element.type === 'scrim') {
      const scrim = layScrim(part.element, parts, parts.indexOf(part), context);
      part.layers = scrim.layers;
      warnings.push(...scrim.warnings);
    }
    if (part.element.type === 'photo') fits &&= !isHidden(part.element, part.layers, parts, context);
  }
  const layers = withOwnIds(parts.flatMap(({ layers }) => layers));
  const notices = placeNotices(layers, context);
  fits &&=
    notices.fits &&
    findOverlaps(paintedLayers(layers), SHARED_PX).length === 0 &&
    areCodesFree(layers) &&
    showsAlike(layers, context.frame);
  // The caption of a photo over its original belongs to both.
  const shown = context.photos.filter(({ comparedAs }) => comparedAs !== 'original');
  return {
    draft: {
      variant,
      fits,
      scale,
      layers: [...layers, ...notices.layers],
      warnings,
      hasRoomForNotices: notices.fits,
      strayCaptions: context.photos.length > 1 ? strayCaptions(parts, shown, captions) : [],
    },
    fits,
    isSplit,
  };
}

function isNextView({ turn }: LayerDraft): boolean {
  return turn?.of === 'next';
}

/** Of the views that come halfway, with the best in which no words stand on what matters. */
function withOneNextView(
  layers: readonly LayerDraft[],
  above: readonly LayerDraft[],
  { frame }: SceneContext,
): readonly LayerDraft[] {
  const isGround = (layer: LayerDraft) => layer.type === 'fill' && (layer.gradient || (layer.alpha ?? 1) < 1);
  const over = above.flatMap((layer) => (isGround(layer) ? [] : [layer.box]));
  const kept = layers.find(
    (layer) => layer.type === 'photo' && isNextView(layer) && !hidesAttention(layer, over, frame),
  );
  return layers.flatMap((layer): LayerDraft[] => {
    if (isNextView(layer)) return layer === kept ? [layer] : [];
    const { turn, ...others } = layer;
    if (turn?.of !== 'first') return [layer];
    // Both take turns in one way.
    return [kept?.turn?.of === 'next' ? { ...others, turn: { ...kept.turn, of: 'first' } } : others];
  });
}

/** Two elements can make parts of one name, such as `divider-1`: the first keeps it, the next is `divider-1-2`. */
function withOwnIds(layers: readonly LayerDraft[]): LayerDraft[] {
  const taken = new Set(layers.map(({ id }) => id));
  const seen = new Set<string>();
  return layers.map((layer) => {
    let id = layer.id;
    for (let turn = 2; seen.has(id) || (id !== layer.id && taken.has(id)); turn++) id = `${layer.id}-${turn}`;
    seen.add(id);
    return id === layer.id ? layer : { ...layer, id };
  });
}

function buildElement(
  element: Exclude<Element, ScrimElement>,
  context: SceneContext,
  parts: readonly Built[],
): BuiltElement {
  if ('kinds' in element && element.kinds) {
    const { kinds, ...all } = element;
    const facts = context.facts.filter(({ kind }) => kinds.includes(kind));
    return buildElement(all, { ...context, facts }, parts);
  }
  switch (element.type) {
    case 'photo':
      return buildPhoto(element, context);
    case 'mosaic':
      return buildMosaic(element, context);
    case 'fill':
      return buildFill(element, context);
    case 'image':
      return buildImage(element, context);
    case 'text':
      return buildText(context.type.isRtl ? atCodeEnd(element, parts, context.frame.w) : element, context);
    case 'plate':
      return buildPlate(element, context);
    case 'plates':
      return buildPlates(element, context);
    case 'stack':
      return buildStack(context.type.isRtl ? atColumnEnd(element, parts) : element, context);
    case 'facts':
      return buildFactsRows(element, context);
    case 'facts-line':
      return buildFactsLine(element, context);
    case 'fact-cells':
      return buildFactCells(element, context);
    case 'poster':
      return buildPoster(element, context);
    case 'portrait':
      return buildPortrait(element, context);
    case 'initials':
      return buildInitials(element, context);
    case 'qr':
      return buildQr(element, context);
    case 'marks':
      return buildMarks(
        element,
        context,
        layersOf(parts),
        layersOf(parts, [element.logoAbove?.stack ?? '']),
        stackBoxes(parts),
      );
  }
}

/** A stack under another one ends at the same right edge, where texts from right to left begin. */
function atColumnEnd(element: StackElement, parts: readonly Built[]): StackElement {
  if (element.rtl) return element;
  const [x, y, w, h] = element.box;
  const column = stackBoxes(parts).find(([left]) => Math.abs(left - x) < 0.001);
  if (!column) return element;
  const own = Math.min(w, column[2]);
  return { ...element, box: [x + column[2] - own, y, own, h] };
}

/** Where it is read from right to left, an address that would begin with its code ends with it. */
function atCodeEnd(element: TextElement, parts: readonly Built[], frameW: number): TextElement {
  const code = layersOf(parts).find(({ id }) => /^qr/.test(id));
  const [, y, w, h] = element.box;
  const left = code ? (code.box.x + code.box.w) / frameW - w : -1;
  if (!OF_CODES.has(element.text) || element.align !== 'left' || left < 0) return element;
  return { ...element, align: 'right', box: [left, y, w, h] };
}

function stackBoxes(parts: readonly Built[]): StackElement['box'][] {
  return parts.flatMap(({ element }) => (element.type === 'stack' ? [element.box] : []));
}

function layersOf(parts: readonly Built[], ids?: readonly string[]): LayerDraft[] {
  return parts.flatMap(({ element, layers }) => (ids && !ids.includes(element.id) ? [] : [...layers]));
}

function layScrim(element: ScrimElement, parts: readonly Built[], index: number, context: SceneContext) {
  const carried = layersOf(parts, element.for ?? []).filter(
    (layer): layer is TextLayer & LayerDraft => layer.type === 'text',
  );
  const under = layersOf(parts.slice(0, index)).filter(
    (layer): layer is PhotoDraft => layer.type === 'photo',
  );
  return buildScrim(element, carried, under, context);
}

function isHidden(
  element: PhotoElement,
  layers: readonly LayerDraft[],
  parts: readonly Built[],
  context: SceneContext,
): boolean {
  if (!element.clearOf) return false;
  const over = layersOf(parts, element.clearOf).map(({ box }) => box);
  return layers.some(
    (layer) =>
      layer.type === 'photo' &&
      !isNextView(layer) &&
      (hidesAttention(layer, over, context.frame) || hidesHouse(layer, over)),
  );
}
