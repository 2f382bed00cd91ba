/**
 * Measures an agent's card. What fits stands on one page; else two pages share it. What neither holds is left out, the
 * least right first, with a warning. The template's own variants are both pages. Pure.
 */
import type { SceneVariant } from '../../../template/template.ts';
import { animated } from '../../elements/animate-layer.ts';
import type { SceneContext } from '../../elements/scene-context.ts';
import { losesWords, plain } from '../../elements/text-element.ts';
import { matches, type Texts } from '../../texts.ts';
import { buildScene, type SceneDraft } from '../build-scene.ts';
import { type Groups, type Shape, twoPages } from './pairs.ts';

/** What a page shows of a card. */
export interface CardContent {
  readonly texts: Texts;
  readonly licenses: readonly string[];
}

type Parts = readonly { readonly name: string; readonly words: string }[];

/** Without these a card does not do its work. */
const DUE_GROUPS: readonly Parts[] = [
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
  [{ name: 'office', words: 'office' }],
  [{ name: 'office_phone', words: "office's phone" }],
  [
    { name: 'open_house', words: 'open house' },
    { name: 'open_house_line', words: '' },
  ],
];
/**
 * The order of right: what stands later goes first. A group is never divided between two pages. `words` names a text in
 * warnings; texts without it are other forms of one that has it.
 */
const GROUPS: readonly Parts[] = [
  ...DUE_GROUPS,
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

/** How a page says it. */
interface Manner {
  readonly hasLogo: boolean;
  /** The office without its phone and the postal code of its address. */
  readonly isBrief: boolean;
}

/** Absent where the shape's variant is not for such a page. */
type PageOf = (names: readonly string[], manner: Manner, shape?: Shape) => SceneDraft | undefined;

/**
 * The one or two pages of the card. On the second only enters what the first one does not show.
 *
 * @param contextOf - The scene with that content, and with or without the logo.
 * @param canBeTwo - Whether there is time for two pages where one would only lack the office's phone and postal code.
 */
export function layOutCard(
  variants: readonly SceneVariant[],
  { texts, licenses }: CardContent,
  contextOf: (content: CardContent, hasLogo: boolean) => SceneContext,
  canBeTwo: boolean,
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
  const drafts = chooseWholePages(given, variants, pageOf, canBeTwo);
  const missing = findMissing({ texts, licenses }, drafts);
  const { logo, fps } = contextOf({ texts, licenses }, true);
  const hasLogo = logo !== null;
  const isLogoShown = drafts.some(({ layers }) => layers.some(({ id }) => id === 'logo'));
  const isLogoPlaced = variants.some(({ elements }) => elements.some(({ type }) => type === 'marks'));
  const isLogoNamed = drafts.some(({ warnings }) => warnings.some(isOfLogo));
  if (hasLogo && isLogoPlaced && !isLogoShown && !isLogoNamed)
    missing.push('the logo has no room beside the text of the card and is left out');
  const [first, second] = drafts;
  const warned = { ...first!, warnings: [...first!.warnings, ...missing] };
  return second ? turned(warned, second, fps) : [warned];
}

function isOfLogo(warning: string): boolean {
  return warning.startsWith('the logo ');
}

const GOVERNED = new Set(GROUPS.flat().map(({ name }) => name));
/** All others go before the logo, without which a brokerage refuses a card. */
const DUE = new Set(DUE_GROUPS.flat().map(({ name }) => name));
const WORDS = new Map(GROUPS.flat().map(({ name, words }) => [name, words]));

/** Nobody can write to half an address; half of a title says something else. They are whole or left out. */
const WHOLE_OR_NONE = ['designation', 'email'];

function chooseWholePages(
  given: Groups,
  variants: readonly SceneVariant[],
  pageOf: PageOf,
  canBeTwo: boolean,
): SceneDraft[] {
  const drafts = choosePages(given, variants, pageOf, canBeTwo);
  const cut = drafts.every(isWhole) ? [] : WHOLE_OR_NONE.filter((name) => isCut(name, drafts));
  if (cut.length === 0) return drafts;
  const rest = given
    .map((group) => group.filter((name) => !cut.includes(name)))
    .filter((group) => group.length > 0);
  return chooseWholePages(rest, variants, pageOf, canBeTwo);
}

function isWhole({ warnings }: SceneDraft): boolean {
  return !losesWords(warnings);
}

function isCut(name: string, drafts: readonly SceneDraft[]): boolean {
  return drafts.some(({ layers }) =>
    layers.some(
      (layer) => layer.type === 'text' && layer.id.startsWith(name) && layer.lines.at(-1)?.text.endsWith('…'),
    ),
  );
}

/** Type of one page is large enough at this share of its full sizes, where two pages could be larger. */
const ENOUGH_SCALE = 0.53;

/** One page, then two, then one in small type, then two with less on them. A brief one waits for two that say all. */
function choosePages(
  given: Groups,
  variants: readonly SceneVariant[],
  pageOf: PageOf,
  canBeTwo: boolean,
): SceneDraft[] {
  const [full, brief] = [false, true].map((isBrief) => pageOf(given.flat(), { hasLogo: true, isBrief })!);
  const whole = [full!, brief!].filter(({ fits }) => fits);
  const good = whole.find((page) => isWhole(page) && page.scale >= ENOUGH_SCALE);
  const isBrief = good !== undefined && good !== full;
  if (good && !(isBrief && canBeTwo)) return [good];
  for (const { groups, manner } of lessAndLess(given)) {
    if (good && manner.isBrief) return [good];
    const pair = twoPages(groups, variants, (names, shape) => pageOf(names, manner, shape));
    if (pair && (pair.every(isWhole) || whole.length === 0)) return pair;
    if (whole.length > 0 && manner.isBrief) return [whole.find(isWhole) ?? whole[0]!];
    const alone = pageOf(groups.flat(), manner)!;
    if (alone.fits) return [alone];
  }
  return [pageOf(given[0] ?? [], { hasLogo: false, isBrief: true })!];
}

/** All of it, then briefly, then without the last text, and so on; the logo goes before what is due. */
function* lessAndLess(given: Groups): Generator<{ groups: Groups; manner: Manner }> {
  yield { groups: given, manner: { hasLogo: true, isBrief: false } };
  const due = given.filter(([name]) => DUE.has(name!)).length;
  for (const hasLogo of [true, false])
    for (let groups = given; groups.length >= (hasLogo ? due : 1); groups = withoutLast(groups))
      yield { groups, manner: { hasLogo, isBrief: true } };
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

/** Seconds in which words leave a page; as many later, others have come. */
const TURN_SEC = 0.2;
const PAGE_FADE = {
  kind: 'fade',
  for: TURN_SEC,
  easing: 'linear',
  stagger: 0,
  each: 'whole',
  from: 'bottom',
} as const;
const LEAVE = [{ ...PAGE_FADE, at: TURN_SEC }];
const COME = [{ ...PAGE_FADE, at: 0 }];

/** Words of the first page leave before those of the second come. What both show stands, and so does all else. */
function turned(first: SceneDraft, second: SceneDraft, fps: number): SceneDraft[] {
  const [before, after] = [first, second].map(({ layers }) => new Set(layers.map(looks)));
  return [
    {
      ...first,
      layers: first.layers.map((layer) =>
        after!.has(looks(layer)) ? layer : { ...layer, leaving: { box: layer.box, fps, exit: LEAVE } },
      ),
    },
    {
      ...second,
      layers: second.layers.map((layer) => {
        const { tracks: _, ...still } = layer;
        return before!.has(looks(layer)) ? still : animated(still, { enter: COME }, { fps });
      }),
    },
  ];
}

function looks({ tracks: _, leaving: __, ...layer }: SceneDraft['layers'][number]): string {
  return JSON.stringify(layer);
}
