/** The captions of a scene's photos as texts, and which of them a layout shows. Pure. */
import type { Animation, Element } from '../../template/elements.ts';
import type { SceneVariant } from '../../template/template.ts';
import { gapBetween, overlaps, unionOf } from '../box.ts';
import type { LayerDraft, ScenePhoto } from '../elements/scene-context.ts';
import { matches, type Texts } from '../texts.ts';

/** Texts that are always the caption of the same photo of the scene, in the order of its photos. */
const OWN = [
  'first_caption',
  'second_caption',
  'third_caption',
  'fourth_caption',
  'fifth_caption',
  'sixth_caption',
];

/**
 * The captions of a scene's photos by the names that templates use.
 *
 * `caption` is that of the first photo; in an upright frame, of the first that has one. `caption_of_second` is set
 * when only the second photo has a caption.
 *
 * @param captions - One per photo of the scene, empty where it has none.
 */
export function sceneCaptions(captions: readonly string[], isUpright: boolean): Record<string, string> {
  const [first = '', second = ''] = captions;
  const own = Object.fromEntries(OWN.map((name, index) => [name, captions[index] ?? '']));
  return { ...own, caption: isUpright ? first || second : first, caption_of_second: first ? '' : second };
}

export function countCaptions(
  variant: SceneVariant,
  texts: Texts,
  flags: ReadonlySet<string>,
): { readonly shown: number; readonly all: number } {
  const all = new Set(OWN.map((name) => texts[name] ?? '').filter((caption) => caption !== ''));
  if (all.size === 0) return { shown: 0, all: 0 };
  const shown = new Set<string>();
  for (const element of variant.elements) {
    const names = captionNames(element);
    if (names.length === 0 || !matches(element.when, texts, flags)) continue;
    for (const name of names) if (texts[name]) shown.add(texts[name]);
  }
  return { shown: shown.size, all: all.size };
}

/**
 * Seconds from the start of a scene to the middle of its caption's entrance, of the slowest of these variants: as usual,
 * and where the caption begins to come at once.
 */
export function captionEntranceSec(variants: readonly SceneVariant[]): {
  readonly usual: number;
  readonly atOnce: number;
} {
  const entrances = variants.flatMap(({ elements }) =>
    elements
      .filter((element) => captionNames(element).length > 0)
      .map((element) => [
        ...(element.enter ?? []),
        ...(element.type === 'plate' ? (element.textEnter ?? []) : []),
      ]),
  );
  const slowest = (startOf: (moves: readonly Animation[]) => number) =>
    Math.max(
      0,
      ...entrances.flatMap((moves) => moves.map((move) => move.at + move.for / 2 - startOf(moves))),
    );
  return { usual: slowest(() => 0), atOnce: slowest((moves) => Math.min(...moves.map(({ at }) => at))) };
}

/** The size of each caption of a scene, px, with the place of its element. */
export function captionSizes(
  parts: readonly { readonly element: Element; readonly layers: readonly LayerDraft[] }[],
): { readonly at: number; readonly sizePx: number }[] {
  return parts.flatMap(({ element, layers }, at) => {
    if (captionNames(element).length === 0) return [];
    const text = layers.find((layer) => layer.type === 'text');
    return text?.type === 'text' ? [{ at, sizePx: text.style.sizePx }] : [];
  });
}

/** Px by which a caption is nearer to its own photo than to any other. */
const NEARER_PX = 4;

/**
 * Photos of a group, by their place in it, whose caption is cut, missing, on another photo, or not nearest to its own:
 * these must stand alone.
 *
 * @param captions - One per photo, empty where it has none.
 */
export function strayCaptions(
  parts: readonly { readonly element: Element; readonly layers: readonly LayerDraft[] }[],
  photos: readonly ScenePhoto[],
  captions: readonly string[],
): number[] {
  const shown = parts.flatMap(({ layers }) => layers.filter(({ type }) => type === 'photo'));
  const boxes = photos.map(
    ({ digest }) => shown.find((layer) => layer.type === 'photo' && layer.digest === digest)?.box,
  );
  return [...captions.keys()].filter((index) => {
    if (captions[index] === '') return false;
    const own = boxes[index];
    const at = parts.filter(({ element }) =>
      captionNames(element).some((name) => ownerOf(name, captions) === index),
    );
    const layers = at.flatMap((part) => part.layers);
    const texts = layers.filter((layer) => layer.type === 'text');
    if (!own || texts.length === 0) return true;
    const isCut = texts.some((text) => text.lines.at(-1)!.text.endsWith('…'));
    if (isCut && !captions[index]!.endsWith('…')) return true;
    const words = unionOf(texts.map(({ box }) => box));
    return boxes.some(
      (other, place) =>
        other !== undefined &&
        place !== index &&
        (layers.some(({ box }) => overlaps(box, other)) ||
          gapBetween(words, own) + NEARER_PX > gapBetween(words, other)),
    );
  });
}

/** The photo whose caption a name of {@link sceneCaptions} stands for. */
function ownerOf(name: string, captions: readonly string[]): number {
  if (name === 'caption_of_second') return 1;
  if (name === 'caption') return captions[0] ? 0 : 1;
  return OWN.indexOf(name);
}

const known = new WeakMap<Element, readonly string[]>();

function captionNames(element: Element): readonly string[] {
  let names = known.get(element);
  if (names === undefined) {
    names = [...JSON.stringify(element).matchAll(/\{(\w*caption\w*)\}/g)].map(([, name]) => name!);
    known.set(element, names);
  }
  return names;
}
