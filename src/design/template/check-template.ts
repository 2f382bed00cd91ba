/**
 * Checks a parsed template file and resolves it. All faults are found at once.
 *
 * A schema of the file cannot know these faults: names that stand for nothing, missing scenes, and fields that are
 * missing after blocks and defaults are put in. The published schema checks the rest (`load-template.ts`). Pure.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import { nearestName, notOneOf, orNearest } from '../../platform/nearest-name.ts';
import { BUNDLED_FAMILIES } from '../text/text.ts';
import { clip } from './data-layers.ts';
import { ELEMENTS, type Element } from './elements.ts';
import { color } from './format/parts.ts';
import { asList, asRecord, type Fields, type Json, toRecord } from './format/value.ts';
import { toJsonPath } from './json-path.ts';
import { resolveTemplate } from './resolve-template.ts';
import type { Report } from './resolve-variants.ts';
import { FONT_FILE_NAME, RATIOS, type SceneRole, type Template, TRANSITIONS } from './template.ts';

const COLOR = new RegExp(String(color.definition?.schema.pattern));
export const REQUIRED_ROLES = ['paper', 'ink', 'accent'];
/** Roles of color that are made of others where a template gives none. */
export const DERIVED_ROLES = [
  ...['soft', 'accentText', 'tint', 'onAccent', 'onInk', 'white', 'photoShade', 'photoEdge'],
];
const ELEMENT_TYPES = Object.keys(ELEMENTS).filter((type) => type !== 'photos');
/** The fields that an element of a type must have once it is resolved. */
const NEEDED = new Map(
  Object.entries(ELEMENTS).map(([type, { fields }]: [string, { fields: Fields }]) => [
    type,
    Object.keys(fields).filter((key) => fields[key]!.presence === 'needed'),
  ]),
);
/** Keys that name a type style, at any depth of an element. */
const STYLE_KEYS = new Set(['style', 'number', 'label']);
/** Keys that name a color role, or several. */
export const COLOR_KEYS = new Set(['color', 'fill', 'numberColor', 'labelColor', 'ground', 'background']);
export const COLOR_LIST_KEYS = new Set(['grounds', 'inks']);

export interface FormatFault {
  /** JSON path such as `$.ratios["1920:1080"].scenes.hero[0]`; `$` for the whole. */
  readonly path: string;
  /** Continues the path: `is missing`. */
  readonly problem: string;
  /** The key of the path is not known: the key is wrong, not its value. */
  readonly unknown_key?: true;
}

/**
 * @param file - Named in the message.
 * @param id - The folder's name, which must be the template's id; absent: any id.
 * @throws {@link ListingVideoError} `template_invalid`, its context listing `{path, problem}` of every fault.
 */
export function checkTemplate(value: unknown, file: string, id?: string): Template {
  const faults: FormatFault[] = [];
  const report: Report = (path, problem) => {
    // A block with a fault reports it at each use.
    if (!faults.some((fault) => fault.path === path && fault.problem === problem))
      faults.push({ path, problem });
  };
  const root = asRecord(value);
  if (!root) throw templateInvalid(file, [{ path: '$', problem: 'is not an object' }]);
  for (const name of ['id', 'name', 'description'] as const) {
    if (typeof root[name] !== 'string') report(`$.${name}`, 'is not a string');
  }
  if (id !== undefined && typeof root.id === 'string' && root.id !== id)
    report('$.id', `is "${root.id}", but the folder of the template is "${id}"`);
  const palette = asRecord(root.palette);
  if (palette === undefined)
    report('$.palette', root.palette === undefined ? 'is missing' : 'is not an object');
  else checkPalette(palette, report);
  const families = checkFonts(root.fonts, report);
  const styleDefaults = asRecord(root.styleDefaults);
  if (styleDefaults) checkFamily(styleDefaults, '$.styleDefaults', families, report);
  else report('$.styleDefaults', 'is missing');
  const { template, origins } = resolveTemplate(root, report);
  checkChoices(template, report);
  for (const ratio of RATIOS) {
    const path = `$.ratios["${ratio}"]`;
    if (!asRecord(asRecord(root.ratios)?.[ratio])) report(path, 'is missing');
    else checkRatio(path, { template, families, hasPalette: palette !== undefined, ratio, origins, report });
  }
  if (faults.length > 0) throw templateInvalid(file, faults);
  return template;
}

/** A choice has options, and its default is one of them. */
function checkChoices({ dataLayers }: Template, report: Report): void {
  for (const { name, type, options, default: value } of dataLayers) {
    if (type !== 'choice') continue;
    if (options === undefined) report('$.dataLayers.own', `has the choice "${name}" without options`);
    else if (!options.includes(value))
      report('$.dataLayers', `has "${value}" as default of "${name}", expected ${options.join(' or ')}`);
  }
}

/** @param faults - At least one. @param at - Place of the first in the file, where the text is at hand. */
export function templateInvalid(
  file: string,
  faults: readonly FormatFault[],
  at?: { readonly line: number | null; readonly column: number | null },
): ListingVideoError {
  const first = faults[0]!;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const place = at?.line == null ? '' : `:${at.line}:${at.column}`;
  return new ListingVideoError('template_invalid', `${file}${place}: ${first.path} ${first.problem}${more}`, {
    hint: 'listing-video templates validate shows every fault with its place',
    context: { file, faults },
  });
}

function checkPalette(palette: Json, report: Report): void {
  for (const role of new Set([...REQUIRED_ROLES, ...Object.keys(palette)])) {
    const value = palette[role];
    const hex = typeof value === 'string' ? value : asRecord(value)?.color;
    const isDerived = hex === undefined && asRecord(value) !== undefined;
    if (!Object.hasOwn(palette, role)) report(`$.palette.${role}`, 'is missing');
    else if (!isDerived && !COLOR.test(String(hex ?? '')))
      report(`$.palette.${role}`, 'is not a color such as #F4EFE4');
  }
}

function checkFonts(fonts: unknown, report: Report): readonly string[] {
  if (fonts !== undefined && !asRecord(fonts)) report('$.fonts', 'is not an object');
  const own = Object.entries(toRecord(fonts));
  for (const [name, family] of own) {
    const path = toJsonPath(['fonts', name]);
    if ((BUNDLED_FAMILIES as readonly string[]).includes(name))
      report(path, 'has the name of a family that ships: choose another name');
    const files = asRecord(family)?.files;
    if (!Array.isArray(files) || files.length === 0)
      report(`${path}.files`, 'does not list the files of the family');
    asList(files).forEach((entry, index) => {
      const file = typeof entry === 'string' ? entry : asRecord(entry)?.file;
      if (typeof file !== 'string' || !FONT_FILE_NAME.test(file))
        report(`${path}.files[${index}]`, 'is not the name of a TTF, OTF or WOFF2 file in the folder fonts');
    });
  }
  return [...own.map(([name]) => name), ...BUNDLED_FAMILIES];
}

function checkFamily(
  { family }: { readonly family?: unknown },
  path: string,
  families: readonly string[],
  report: Report,
): void {
  if (typeof family === 'string' && families.includes(family)) return;
  const near = orNearest(family, families);
  report(
    `${path}.family`,
    near === ''
      ? `is not a font family: there are ${families.join(', ')}, and those that fonts names (listing-video help templates)`
      : `names a font family that neither ships nor is in fonts: "${clip(String(family))}"${near}`,
  );
}

interface RatioCheck {
  readonly template: Template;
  readonly families: readonly string[];
  /** Without one every name of a color would be a fault. */
  readonly hasPalette: boolean;
  readonly ratio: (typeof RATIOS)[number];
  readonly origins: WeakMap<object, string>;
  readonly report: Report;
}

function checkRatio(path: string, check: RatioCheck): void {
  const { template, families, ratio, origins, report } = check;
  const design = template.ratios[ratio];
  if (Object.keys(design.styles).length === 0) report(`${path}.styles`, 'has no type style');
  for (const [name, style] of Object.entries(design.styles)) {
    const at = `${path}.styles.${name}`;
    if (typeof style.size !== 'number') report(`${at}.size`, 'is not a number');
    if (style.family !== undefined) checkFamily(style, at, families, report);
  }
  checkReferences(design.notice, `${path}.notice`, check);
  if (design.transitions.length === 0) report(`${path}.transitions`, 'needs at least one rule');
  design.transitions.forEach((rule, index) => {
    const at = `${path}.transitions[${index}]`;
    if (Object.hasOwn(TRANSITIONS, rule.kind)) checkReferences(rule, at, check);
    else report(`${at}.kind`, notOneOf(rule.kind, Object.keys(TRANSITIONS)));
  });
  const needed: SceneRole[] = ['hero', 'facts', template.branding === 'none' ? 'closing' : 'card'];
  for (const role of [...needed, ...design.extras.map((extra) => extra.role)]) {
    // An extra scene of an unknown role is a fault of the schema.
    if (design.scenes[role]?.length === 0) report(`${path}.scenes.${role}`, 'needs at least one variant');
  }
  for (const [role, variants] of Object.entries(design.scenes)) {
    variants.forEach(({ background, elements }, index) => {
      const at = `${path}.scenes.${role}[${index}]`;
      checkReferences({ background }, at, check);
      for (const [turn, element] of elements.entries()) {
        const place = origins.get(element) ?? at;
        checkElement(element as unknown as Json, place, check);
        const isRepeat = elements
          .slice(0, turn)
          .some((other) => other.id === element.id && canMeet(other, element));
        if (isRepeat) report(`${place}.id`, `names two elements of a scene "${clip(String(element.id))}"`);
      }
    });
  }
}

/** Whether no name is a condition of one and, with `!`, of the other. */
function canMeet({ when: a = [] }: Pick<Element, 'when'>, { when: b = [] }: Pick<Element, 'when'>): boolean {
  const opposite = (term: string): string => (term.startsWith('!') ? term.slice(1) : `!${term}`);
  return !a.some((term) => b.includes(opposite(term)));
}

function checkElement(element: Json, path: string, check: RatioCheck): void {
  const { report } = check;
  const type = String(element.type);
  if (!ELEMENT_TYPES.includes(type)) {
    const misspelled = Object.keys(element).find((key) => nearestName(key, ['type']) !== undefined);
    if (element.type !== undefined) report(`${path}.type`, notOneOf(element.type, ELEMENT_TYPES));
    else
      report(
        `${path}.type`,
        misspelled === undefined ? 'is missing' : `is missing: rename "${clip(misspelled)}"`,
      );
    return;
  }
  if (typeof element.id !== 'string' || element.id === '') report(`${path}.id`, 'is missing');
  for (const key of NEEDED.get(type) ?? [])
    if (element[key] === undefined) report(`${path}.${key}`, 'is missing');
  checkReferences(element, path, check);
}

/** Style and color names at any depth: in stack items, rules and plates. */
function checkReferences(fields: object, path: string, check: RatioCheck): void {
  const { template, hasPalette, ratio, report } = check;
  const { styles } = template.ratios[ratio];
  const hasStyles = Object.keys(styles).length > 0;
  const checkColor = (name: string, at: string) => {
    if (!hasPalette) return;
    const { palette, paletteRules } = template;
    // A required role that is missing is one fault, at the palette.
    const roles = [
      ...REQUIRED_ROLES,
      ...Object.keys(palette),
      ...Object.keys(paletteRules),
      ...DERIVED_ROLES,
    ];
    const names = [...new Set(roles)];
    if (!names.includes(name))
      report(at, `names a color that the palette does not have: "${clip(name)}"${orNearest(name, names)}`);
  };
  for (const [key, value] of Object.entries(fields)) {
    const at = `${path}.${key}`;
    if (COLOR_LIST_KEYS.has(key)) for (const name of asList(value)) checkColor(String(name), at);
    else if (typeof value === 'string') {
      if (COLOR_KEYS.has(key)) checkColor(value, at);
      if (STYLE_KEYS.has(key) && hasStyles && !Object.hasOwn(styles, value))
        report(
          at,
          `names a type style that does not exist: "${clip(value)}"${orNearest(value, Object.keys(styles))}`,
        );
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        if (asRecord(item)) checkReferences(item, `${at}[${index}]`, check);
      });
    } else if (asRecord(value)) checkReferences(value, at, check);
  }
}
