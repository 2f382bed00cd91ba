/**
 * Measures an agent's card. What fits stands on one page; else two pages share it. What neither holds is left out, the
 * least right first, with a warning. The template's own variants are both pages. Pure.
 */
import type { SceneVariant } from '../../template/template.ts';
import type { SceneContext } from '../elements/scene-context.ts';
import { plain } from '../elements/text-element.ts';
import { matches, type Texts } from '../texts.ts';
import { buildScene, type SceneDraft } from './build-scene.ts';

/** What a page shows of a card. */
export interface CardContent {
  readonly texts: Texts;
  readonly licenses: readonly string[];
}

type Parts = readonly { readonly name: string; readonly words: string }[];

/**
 * The order of right: what stands later goes first. A group is never divided between two pages. `words` names a text in
 * warnings; texts without it are other forms of one that has it.
 */
const GROUPS: readonly Parts[] = [
  [
    { name: 'name', words: 'name' },
    { name: 'first_name', words: '' },
    { name: 'last_name', words: '' },
  ],
  [
    { name: 'phone', words: 'phone' },
    { name: 'phone_2', words: 'second phone' },
  ],
  [{ name: 'licenses', words: 'licenses' }],
  [
    { name: 'office', words: 'office' },
    { name: 'office_phone', words: "office's phone" },
  ],
  [
    { name: 'open_house', words: 'open house' },
    { name: 'open_house_line', words: '' },
  ],
  [
    { name: 'email', words: 'e-mail' },
    { name: 'website', words: 'website' },
  ],
  [{ name: 'cta', words: 'call to action' }],
  [{ name: 'link', words: 'link' }],
  [{ name: 'designation', words: 'designation' }],
  [
    { name: 'office_address', words: "office's address" },
    { name: 'office_address_short', words: '' },
  ],
];
/** Who speaks, and how to reach them: on both pages, in the same places. The office too, as far as it has room. */
const HEAD = ['name', 'first_name', 'last_name', 'designation', 'phone', 'phone_2', 'link'];
const HEADS: readonly (readonly string[])[] = [
  [...HEAD, 'office', 'office_phone', 'office_address'],
  [...HEAD, 'office'],
  HEAD,
];

/** What advertising rules want beside the name: on the first page wherever it fits. */
const LEGAL = new Set(['licenses', 'office']);

/** What stands in one place on both pages. */
const FIXED = /^(portrait|initials|equal-housing|logo|qr|link|name|first-name|last-name|designation|phone)/;
/** Type of two pages is large enough at this share of its full sizes. */
const GOOD_SCALE = 0.7;

/** How a page says it. */
interface Manner {
  readonly hasLogo: boolean;
  /** The office without its phone and the postal code of its address. */
  readonly isBrief: boolean;
}

/** What both pages of a pair share. */
interface Shape {
  readonly variant: SceneVariant;
  readonly maxScale: number;
}

/** Absent where the shape's variant is not for such a page. */
type PageOf = (names: readonly string[], manner: Manner, shape?: Shape) => SceneDraft | undefined;
type Groups = readonly (readonly string[])[];

/**
 * The one or two pages of the card. The second stands as it will be, without entrances.
 *
 * @param contextOf - The scene with that content, and with or without the logo.
 */
export function layOutCard(
  variants: readonly SceneVariant[],
  { texts, licenses }: CardContent,
  contextOf: (content: CardContent, hasLogo: boolean) => SceneContext,
): SceneDraft[] {
  const isGiven = (name: string) => (name === 'licenses' ? licenses.length > 0 : (texts[name] ?? '') !== '');
  const given = GROUPS.map((group) => group.map(({ name }) => name).filter(isGiven)).filter(
    (group) => group.length > 0,
  );
  const pages = new Map<string, SceneDraft>();
  const pageOf: PageOf = (names, { hasLogo, isBrief }, shape) => {
    const shown = new Set(isBrief ? names.filter((name) => name !== 'office_phone') : names);
    const turn = shape ? `${variants.indexOf(shape.variant)} ${shape.maxScale}` : '';
    const key = `${[...shown].sort().join()} ${hasLogo} ${isBrief} ${turn}`;
    const known = pages.get(key);
    if (known) return known;
    const all = isBrief ? { ...texts, office_address: texts.office_address_short ?? '' } : texts;
    const content = {
      texts: Object.fromEntries(
        Object.entries(all).filter(([name]) => shown.has(name) || !GOVERNED.has(name)),
      ),
      licenses: shown.has('licenses') ? licenses : [],
    };
    const context = contextOf(content, hasLogo);
    if (shape && !matches(shape.variant.when, context.texts, context.flags)) return undefined;
    const draft = shape
      ? buildScene([shape.variant], { ...context, maxScale: shape.maxScale })
      : buildScene(variants, context);
    pages.set(key, draft);
    return draft;
  };
  const [first, ...others] = choosePages(given, variants, pageOf);
  const missing = findMissing({ texts, licenses }, [first!, ...others]);
  const hasLogo = contextOf({ texts, licenses }, true).logo !== null;
  const isLogoShown = [first!, ...others].some(({ layers }) => layers.some(({ id }) => id === 'logo'));
  const isLogoPlaced = variants.some(({ elements }) => elements.some(({ type }) => type === 'marks'));
  if (
    hasLogo &&
    isLogoPlaced &&
    !isLogoShown &&
    ![first!, ...others].some(({ warnings }) => warnings.some(isOfLogo))
  )
    missing.push('the logo has no room beside the text of the card and is left out');
  return [
    { ...first!, warnings: [...first!.warnings, ...missing] },
    ...others.map((draft) => ({ ...draft, layers: draft.layers.map(standing) })),
  ];
}

function isOfLogo(warning: string): boolean {
  return warning.startsWith('the logo ');
}

const GOVERNED = new Set(GROUPS.flat().map(({ name }) => name));
const WORDS = new Map(GROUPS.flat().map(({ name, words }) => [name, words]));

/** One page, then two, then two with less on them. */
function choosePages(given: Groups, variants: readonly SceneVariant[], pageOf: PageOf): SceneDraft[] {
  for (const isBrief of [false, true]) {
    const whole = pageOf(given.flat(), { hasLogo: true, isBrief })!;
    if (whole.fits) return [whole];
  }
  for (const { groups, manner } of lessAndLess(given)) {
    const pair = twoPages(groups, variants, (names, shape) => pageOf(names, manner, shape));
    if (pair) return pair;
    const alone = pageOf(groups.flat(), manner)!;
    if (alone.fits) return [alone];
  }
  return [pageOf(given[0] ?? [], { hasLogo: false, isBrief: true })!];
}

/** All of it, then briefly, then without the logo, then without the last text, and so on. */
function* lessAndLess(given: Groups): Generator<{ groups: Groups; manner: Manner }> {
  yield { groups: given, manner: { hasLogo: true, isBrief: false } };
  yield { groups: given, manner: { hasLogo: true, isBrief: true } };
  for (let groups = given; groups.length > 0; groups = withoutLast(groups))
    yield { groups, manner: { hasLogo: false, isBrief: true } };
}

function withoutLast(groups: Groups): Groups {
  const last = groups.at(-1)!;
  // Other forms of one text go together with it.
  const kept = last.slice(
    0,
    last.findLastIndex((name) => WORDS.get(name) !== ''),
  );
  return kept.length > 0 ? [...groups.slice(0, -1), kept] : groups.slice(0, -1);
}

interface Pair {
  readonly pages: SceneDraft[];
  readonly scale: number;
}

/** The first pair of good size, else the one whose type is largest. */
function twoPages(
  groups: Groups,
  variants: readonly SceneVariant[],
  pageOf: (names: readonly string[], shape: Shape) => SceneDraft | undefined,
): SceneDraft[] | undefined {
  let best: Pair | undefined;
  for (const heads of HEADS) {
    const head = groups.flat().filter((name) => heads.includes(name));
    const rest = groups
      .map((group) => group.filter((name) => !heads.includes(name)))
      .filter((group) => group.length > 0);
    if (rest.length < 2) continue;
    for (const variant of variants) {
      const pair = divide(head, rest, variant, pageOf);
      if (pair && pair.scale > (best?.scale ?? 0) + 0.01) best = pair;
      if (best && best.scale >= GOOD_SCALE) return best.pages;
    }
  }
  return best?.pages;
}

/** The division whose smaller type is largest; of equal ones that with more on its first page. */
function divide(
  head: readonly string[],
  rest: Groups,
  variant: SceneVariant,
  pageOf: (names: readonly string[], shape: Shape) => SceneDraft | undefined,
): Pair | undefined {
  const whole = { variant, maxScale: 1 };
  if (!pageOf(head, whole)?.fits) return undefined;
  let best: Pair | undefined;
  const legal = rest.findLastIndex((group) => group.some((name) => LEGAL.has(name))) + 1;
  for (let count = rest.length - 1; count >= 1; count--) {
    if (best && count < legal) break;
    const names = [rest.slice(0, count), rest.slice(count)].map((part) => [...head, ...part.flat()]);
    const scales = names.map((page) => pageOf(page, whole)).map((draft) => (draft?.fits ? draft.scale : 0));
    const scale = Math.min(...scales);
    if (scale === 0 || (best && scale <= best.scale + 0.01)) continue;
    const pages = names.map((page) => pageOf(page, { variant, maxScale: scale })!);
    if (pages.every(({ fits }) => fits) && standAlike(pages)) best = { pages, scale };
  }
  return best;
}

/** Nothing that both pages show jumps when they change. */
function standAlike(pages: readonly SceneDraft[]): boolean {
  const [first, second] = pages.map(({ layers }) =>
    JSON.stringify(layers.filter(({ id }) => FIXED.test(id)).map(({ id, box }) => [id, box])),
  );
  return first === second;
}

/** Texts that no page shows, and the part of an address that a short form leaves out. */
function findMissing({ texts, licenses }: CardContent, drafts: readonly SceneDraft[]): string[] {
  const layers = drafts.flatMap((draft) => draft.layers);
  const read = layers.map((layer) => (layer.type === 'text' ? bare(layer.reads) : '')).join('\n');
  const joined = read.replaceAll('\n', '');
  const isRead = (text: string) => read.includes(bare(text)) || joined.includes(bare(text));
  const warn = (words: string, text: string) => `the card has no room for the ${words}: ${plain(text)}`;
  return GROUPS.flat().flatMap(({ name, words }): string[] => {
    if (words === '') return [];
    if (name === 'licenses') {
      const isShown = layers.some(({ id }) => /^licenses/.test(id));
      return isShown || licenses.length === 0 ? [] : [warn(words, licenses.join(' · '))];
    }
    const text = texts[name] ?? '';
    if (text === '' || isRead(text)) return [];
    if (name === 'name' && isRead(texts.first_name ?? '') && isRead(texts.last_name ?? '')) return [];
    if (name === 'link' && layers.some((layer) => layer.type === 'mark' && layer.qr)) return [];
    const short = name === 'office_address' ? (texts.office_address_short ?? '') : '';
    if (short !== '' && isRead(short)) return [warn("whole of the office's address", text)];
    return [warn(words, text)];
  });
}

function bare(text: string): string {
  return plain(text).replace(/\s+/g, '').toLowerCase();
}

/** Of the second page nothing enters: the time is for reading. */
function standing(layer: SceneDraft['layers'][number]): SceneDraft['layers'][number] {
  const { tracks: _, ...still } = layer;
  return still;
}
