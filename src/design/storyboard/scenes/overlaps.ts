/** Finds text, marks, logos, codes and portraits that are painted into each other, at rest or in a frame. Pure. */
import { contains, intersection } from '../box.ts';
import type { LayerDraft } from '../elements/scene-context.ts';
import type { Box, Layer } from '../storyboard.ts';

/** Something painted, in painting order. */
export interface Painted {
  readonly id: string;
  readonly box: Box;
  /** `content` is read or recognized; `cover` hides what is under it; `both` is a portrait. */
  readonly kind: 'content' | 'cover' | 'both' | 'other';
  /** Things of two scenes that a transition shows at once are not compared. */
  readonly scene?: number;
}

export interface Overlap {
  readonly id: string;
  readonly other: string;
  /** Of the shorter side that both share, px. */
  readonly sharedPx: number;
}

/** Boxes of ink end on whole pixels: two that touch can share one. */
export const SHARED_PX = 1;
/** Lines of one text can touch: a tail reaches below the top of the next line's strokes. */
const PART = /-(?:(?:line|word)-)?\d+$/;

/** The pairs whose boxes intersect where nothing opaque lies between them. @param slackPx - Shared px that are no fault. */
export function findOverlaps(painted: readonly Painted[], slackPx = 0): Overlap[] {
  const isContent = ({ kind }: Painted) => kind === 'content' || kind === 'both';
  return painted.flatMap((upper, at) => {
    if (!isContent(upper)) return [];
    return painted.slice(0, at).flatMap((lower, below): Overlap[] => {
      if (!isContent(lower) || lower.scene !== upper.scene || isSameText(lower.id, upper.id)) return [];
      const shared = intersection(lower.box, upper.box);
      const sharedPx = Math.min(shared.w, shared.h);
      if (sharedPx <= slackPx) return [];
      const isHidden = painted
        .slice(below + 1, at)
        .some(({ kind, box }) => (kind === 'cover' || kind === 'both') && contains(box, shared, 0.5));
      return isHidden ? [] : [{ id: lower.id, other: upper.id, sharedPx: Math.round(sharedPx * 10) / 10 }];
    });
  });
}

function isSameText(a: string, b: string): boolean {
  // The second phone is a text of its own.
  if (/^phone/.test(a) && !/-(?:line|word)-/.test(a + b)) return false;
  return a.replace(PART, '') === b.replace(PART, '');
}

/** The layers as they stand when all have come. */
export function paintedLayers(layers: readonly (LayerDraft | Layer)[]): Painted[] {
  return layers.map(({ id, box, type, ...layer }) => {
    const isOpaque = type === 'fill' && !('gradient' in layer) && (!('alpha' in layer) || layer.alpha === 1);
    return { id, box, kind: kindOf({ id, type }, isOpaque) };
  });
}

/** @param isOpaque - Whether it hides all of its box. */
export function kindOf({ id, type }: Pick<LayerDraft, 'id' | 'type'>, isOpaque: boolean): Painted['kind'] {
  if (type === 'photo') return /^portrait/.test(id) ? 'both' : 'cover';
  if (type === 'fill') return isOpaque ? 'cover' : 'other';
  return 'content';
}
