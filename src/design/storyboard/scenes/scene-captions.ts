/** The captions of a scene's photos as texts, and which of them a layout shows. Pure. */
import type { Element } from '../../template/elements.ts';
import type { SceneVariant } from '../../template/template.ts';
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

const known = new WeakMap<Element, readonly string[]>();

function captionNames(element: Element): readonly string[] {
  let names = known.get(element);
  if (names === undefined) {
    names = [...JSON.stringify(element).matchAll(/\{(\w*caption\w*)\}/g)].map(([, name]) => name!);
    known.set(element, names);
  }
  return names;
}
