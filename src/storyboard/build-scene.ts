/** One scene from a template's variants: the first that suits its words and photos, built into layers. Pure. */
import type { Element, SceneVariant } from '../template/template.ts';
import { buildInitials, buildMarks, buildPortrait } from './elements/agent-elements.ts';
import { animated } from './elements/animate-layer.ts';
import { buildFactsRows } from './elements/facts-element.ts';
import { buildMosaic, buildPhoto } from './elements/photo-element.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './elements/scene-context.ts';
import { buildStack } from './elements/stack-element.ts';
import { buildPlate, buildText } from './elements/text-element.ts';
import { toPx } from './set-type.ts';
import { holds } from './words.ts';

export interface SceneDraft {
  readonly variant: SceneVariant;
  readonly layers: readonly LayerDraft[];
  readonly warnings: readonly string[];
}

/** The first variant whose conditions hold and that fits; else the last whose conditions hold. */
export function buildScene(variants: readonly SceneVariant[], context: SceneContext): SceneDraft {
  let draft: SceneDraft | undefined;
  for (const variant of variants) {
    if (!holds(variant.when, context.words, context.truths)) continue;
    const built = buildVariant(variant, context);
    draft = built.draft;
    if (built.fits) return draft;
  }
  if (!draft) throw new TypeError('the template has no variant of a scene that its conditions allow');
  return draft;
}

function buildVariant(
  variant: SceneVariant,
  context: SceneContext,
): { readonly draft: SceneDraft; readonly fits: boolean } {
  const layers: LayerDraft[] = [];
  const warnings: string[] = [];
  let fits = true;
  for (const element of variant.elements) {
    if (!holds(element.when, context.words, context.truths)) continue;
    const built = buildElement(element, context, layers);
    layers.push(...built.layers);
    warnings.push(...(built.warnings ?? []));
    fits &&= built.fits;
  }
  return { draft: { variant, layers, warnings }, fits };
}

function buildElement(element: Element, context: SceneContext, built: readonly LayerDraft[]): BuiltElement {
  switch (element.type) {
    case 'photo':
      return buildPhoto(element, context);
    case 'mosaic':
      return buildMosaic(element, context);
    case 'fill':
      return { layers: [buildFill(element, context)], fits: true };
    case 'text':
      return buildText(element, context);
    case 'plate':
      return buildPlate(element, context);
    case 'stack':
      return buildStack(element, context);
    case 'facts':
      return buildFactsRows(element, context);
    case 'portrait':
      return buildPortrait(element, context);
    case 'initials':
      return buildInitials(element, context);
    case 'marks':
      return buildMarks(element, context, built);
    default:
      return { layers: [], fits: true };
  }
}

function buildFill(element: Extract<Element, { type: 'fill' }>, context: SceneContext): LayerDraft {
  const box = toPx(element.box, context.frame);
  const thin =
    element.rule === undefined
      ? box
      : box.h <= box.w
        ? { ...box, h: element.rule }
        : { ...box, w: element.rule };
  return animated(
    {
      type: 'fill',
      id: element.id,
      box: thin,
      color: context.palette[element.color]!,
      ...(element.alpha === undefined ? {} : { alpha: element.alpha }),
    },
    element,
    { fps: context.fps },
  );
}
