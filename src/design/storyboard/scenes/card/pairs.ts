/** Divides an agent's card between two pages on which nothing jumps. Pure. */
import type { SceneVariant } from '../../../template/template.ts';
import type { SceneDraft } from '../build-scene.ts';

export type Groups = readonly (readonly string[])[];

/** What both pages of a pair share. */
export interface Shape {
  readonly variant: SceneVariant;
  readonly maxScale: number;
}

/** Absent where the shape's variant is not for such a page. */
type PageOf = (names: readonly string[], shape: Shape) => SceneDraft | undefined;

/** Who speaks, and how to reach them: on both pages, in the same places. */
const HEAD = ['name', 'first_name', 'last_name', 'designation', 'phone', 'phone_2', 'link'];
/** What advertising rules want beside the name: on both pages where it fits, else on the first. */
const LEGAL = ['licenses', 'office'];
/** Who looks at the house needs these: on both pages of a layout made for them, else on the first with large type. */
const HOUSE = new Set(['open_house', 'open_house_line']);
/** What both pages show, the most first: people pause on the last page, so it has the e-mail address if that fits. */
const HEADS: readonly (readonly string[])[] = [
  [...HEAD, 'email', ...LEGAL, ...HOUSE],
  [...HEAD, ...LEGAL, ...HOUSE],
  [...HEAD, ...LEGAL, 'office_phone', 'office_address'],
  [...HEAD, ...LEGAL],
  [...HEAD, 'office'],
  HEAD,
];

/** Read with name and phone: else these are on the first page, and the open house on the second. */
const CONTACT = new Set(['email', 'website']);
/** With these, where the first page else has no room for who answers by law on both. */
const OFFICE = new Set([...CONTACT, 'office_phone', 'office_address', 'office_address_short']);

/** What stands in one place on both pages. */
const FIXED = /^(portrait|initials|equal-housing|logo|qr|name|first-name|last-name|designation|phone)/;
/** So does the e-mail address if both show it. */
const EMAIL = /^email/;

/** Type of two pages is large enough at this share of its full sizes. */
const GOOD_SCALE = 0.7;
/** Share of the full sizes that pages can lose for each line that one has more than the other. */
const UNEVEN_LINE = 0.02;

interface Pair {
  readonly pages: SceneDraft[];
  readonly scale: number;
}

/** The first pair of good size, or the first with the office on both pages, else the one whose type is largest. */
export function twoPages(
  groups: Groups,
  variants: readonly SceneVariant[],
  pageOf: PageOf,
): SceneDraft[] | undefined {
  let best: Pair | undefined;
  for (const heads of HEADS) {
    const head = groups.flat().filter((name) => heads.includes(name));
    const rest = groups
      .map((group) => group.filter((name) => !heads.includes(name)))
      .filter((group) => group.length > 0);
    if (rest.length < 2) continue;
    const [house, usual, office] = [HOUSE, CONTACT, OFFICE].map((first) => startingWith(first, rest));
    const isForVisit = head.some((name) => HOUSE.has(name));
    for (const variant of variants) {
      if (isForVisit && !variant.when?.includes('open_house')) continue;
      const pairOf = (order: Groups) => divide(head, order, variant, pageOf);
      const visit = pairOf(house!);
      const isLarge = visit && visit.scale >= GOOD_SCALE;
      const later = isLarge ? undefined : (pairOf(usual!) ?? pairOf(office!));
      const pair = visit && visit.scale >= (later?.scale ?? 0) ? visit : later;
      if (pair && pair.scale > (best?.scale ?? 0) + 0.01) best = pair;
      if (best && best.scale >= GOOD_SCALE) return best.pages;
    }
    if (best && head.includes('office') && !isForVisit) return best.pages;
  }
  return best?.pages;
}

function startingWith(first: ReadonlySet<string>, groups: Groups): Groups {
  return groups.toSorted((a, b) => Number(first.has(b[0]!)) - Number(first.has(a[0]!)));
}

/** The division with large type whose pages have about as much to read. */
function divide(
  head: readonly string[],
  rest: Groups,
  variant: SceneVariant,
  pageOf: PageOf,
): Pair | undefined {
  const whole = { variant, maxScale: 1 };
  let best: (Pair & { readonly rank: number }) | undefined;
  const legal = rest.findLastIndex((group) => group.some((name) => LEGAL.includes(name))) + 1;
  for (let count = rest.length - 1; count >= 1; count--) {
    if (best && count < legal) break;
    const names = [rest.slice(0, count), rest.slice(count)].map((part) => [...head, ...part.flat()]);
    const scales = names.map((page) => pageOf(page, whole)).map((draft) => (draft?.fits ? draft.scale : 0));
    const scale = Math.min(...scales);
    if (scale === 0 || (best && scale <= best.rank)) continue;
    const pages = names.map((page) => pageOf(page, { variant, maxScale: scale })!);
    const [first, second] = pages.map(countLines);
    const rank = scale - UNEVEN_LINE * Math.abs(first! - second!);
    if (pages.every(({ fits }) => fits) && standAlike(pages) && rank > (best?.rank ?? -1) + 0.01)
      best = { pages, scale, rank };
  }
  return best;
}

function countLines({ layers }: SceneDraft): number {
  return layers.reduce((sum, layer) => sum + (layer.type === 'text' ? layer.lines.length : 0), 0);
}

/** Nothing that both pages show jumps when they change. */
function standAlike(pages: readonly SceneDraft[]): boolean {
  const hasEmail = ({ layers }: SceneDraft) => layers.some(({ id }) => EMAIL.test(id));
  const isFixed = (id: string) => FIXED.test(id) || (EMAIL.test(id) && pages.every(hasEmail));
  const [first, second] = pages.map(({ layers }) =>
    JSON.stringify(layers.filter(({ id }) => isFixed(id)).map(({ id, box }) => [id, box])),
  );
  return first === second;
}
