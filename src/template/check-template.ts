/** Whether a parsed JSON value is a template this program can draw: shape and cross-references, all faults at once. Pure. */
import { ListingVideoError } from '../errors.ts';
import { type Fields, resolveTemplate } from './resolve-template.ts';
import { FONT_FAMILIES, type SceneRole, type Template } from './template.ts';

const RATIOS = ['1920:1080', '1080:1920'] as const;
const PALETTE = ['paper', 'ink', 'accent'] as const;
/** Roles of colour that are made of others where a template gives none. */
const DERIVED = ['soft', 'accentText', 'tint', 'onAccent', 'onInk', 'white'];
const TRANSITIONS = ['cut', 'crossfade', 'push', 'wipe', 'match-zoom', 'dip', 'aperture', 'over'];
/** What an element cannot do without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  photo: ['box'],
  mosaic: ['box'],
  fill: ['box'],
  scrim: ['box', 'stops'],
  image: ['box', 'layer'],
  text: ['box', 'style'],
  plate: ['at', 'style'],
  plates: ['at', 'items', 'textAt', 'textEnd'],
  stack: ['box', 'items'],
  facts: ['box', 'pitch'],
  'facts-line': ['box'],
  'fact-cells': ['box', 'numberAt', 'labelAt'],
  poster: ['box'],
  portrait: ['box'],
  initials: ['box'],
  marks: ['at'],
};
/** Keys that name a type style, wherever they stand in an element. */
const STYLE_KEYS = new Set(['style', 'number', 'label']);
const COLOR_KEYS = new Set(['color', 'fill', 'numberColor', 'labelColor', 'ground', 'background']);

type Report = (path: string, problem: string) => void;

/**
 * @param file - Named in the message.
 * @param id - What the template has to call itself: its folder's name; absent: anything.
 * @throws ListingVideoError `template_invalid`, its context listing `{path, problem}` of every fault.
 */
export function checkTemplate(value: unknown, file: string, id?: string): Template {
  const faults: { path: string; problem: string }[] = [];
  const report = (path: string, problem: string) => {
    // A fault of a block shows wherever the block is used.
    if (!faults.some((fault) => fault.path === path && fault.problem === problem))
      faults.push({ path, problem });
  };
  const root = asRecord(value);
  let template: Template | undefined;
  if (!root) report('$', 'is not an object');
  else {
    for (const name of ['id', 'name', 'description'] as const) {
      if (typeof root[name] !== 'string') report(`$.${name}`, 'is not a string');
    }
    if (id !== undefined && typeof root.id === 'string' && root.id !== id)
      report('$.id', `is "${root.id}", and the template's folder is called "${id}"`);
    checkPalette(asRecord(root.palette), report);
    checkStyleDefaults(asRecord(root.styleDefaults), report);
    const resolved = resolveTemplate(root, report);
    template = resolved.template;
    for (const ratio of RATIOS) {
      const path = `$.ratios["${ratio}"]`;
      if (!asRecord(asRecord(root.ratios)?.[ratio])) report(path, 'is missing');
      else checkRatio(path, template, ratio, resolved.origins, report);
    }
  }
  if (faults.length > 0 || !template) throw templateInvalid(file, faults);
  return template;
}

/** The error for a template that breaks the format. @param faults - At least one. */
export function templateInvalid(
  file: string,
  faults: readonly { readonly path: string; readonly problem: string }[],
): ListingVideoError {
  const first = faults[0]!;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new ListingVideoError('template_invalid', `${file}: ${first.path} ${first.problem}${more}`, {
    hint: 'listing-video templates validate shows every fault with its place',
    context: { file, faults },
  });
}

function checkPalette(palette: Fields | undefined, report: Report): void {
  for (const role of new Set<string>([...PALETTE, ...Object.keys(palette ?? {})])) {
    const value = palette?.[role];
    const color = typeof value === 'string' ? value : asRecord(value)?.color;
    const isDerived = color === undefined && asRecord(value) !== undefined;
    if (!isDerived && !/^#[0-9a-f]{6}$/i.test(String(color ?? ''))) {
      report(`$.palette.${role}`, 'is not a colour such as #F4EFE4');
    }
  }
}

function checkStyleDefaults(defaults: Fields | undefined, report: Report): void {
  if (!defaults) report('$.styleDefaults', 'is missing');
  else checkFamily(defaults, '$.styleDefaults', report);
}

function checkFamily({ family }: Fields, path: string, report: Report): void {
  if (!(FONT_FAMILIES as readonly unknown[]).includes(family)) {
    report(`${path}.family`, `is none of ${FONT_FAMILIES.join(', ')}`);
  }
}

function checkRatio(
  path: string,
  template: Template,
  ratio: (typeof RATIOS)[number],
  origins: WeakMap<object, string>,
  report: Report,
): void {
  const design = template.ratios[ratio];
  for (const [name, style] of Object.entries(design.styles)) {
    if (typeof style.size !== 'number') report(`${path}.styles.${name}.size`, 'is not a number');
    if (style.family !== undefined) checkFamily(style as unknown as Fields, `${path}.styles.${name}`, report);
  }
  if (design.transitions.length === 0) report(`${path}.transitions`, 'has no rule');
  design.transitions.forEach((rule, index) => {
    const at = `${path}.transitions[${index}]`;
    if (!TRANSITIONS.includes(rule.kind)) report(`${at}.kind`, `is none of ${TRANSITIONS.join(', ')}`);
    else checkReferences(rule as unknown as Fields, at, template, design.styles, report);
  });
  const needed: SceneRole[] = ['hero', 'facts', template.branding === 'none' ? 'closing' : 'card'];
  for (const extra of design.extras) needed.push(extra.role);
  for (const role of needed) {
    if (design.scenes[role].length === 0) report(`${path}.scenes.${role}`, 'has no variant');
  }
  for (const [role, variants] of Object.entries(design.scenes)) {
    variants.forEach((variant, index) => {
      const at = `${path}.scenes.${role}[${index}]`;
      checkReferences({ background: variant.background }, at, template, design.styles, report);
      for (const element of variant.elements)
        checkElement(
          element as unknown as Fields,
          origins.get(element) ?? at,
          template,
          design.styles,
          report,
        );
    });
  }
}

function checkElement(
  element: Fields,
  path: string,
  template: Template,
  styles: Fields,
  report: Report,
): void {
  const required = REQUIRED[String(element.type)];
  if (!required || !Object.hasOwn(REQUIRED, String(element.type))) {
    report(`${path}.type`, `is none of ${Object.keys(REQUIRED).join(', ')}`);
    return;
  }
  if (typeof element.id !== 'string' || element.id === '') report(`${path}.id`, 'is missing');
  for (const key of required) if (element[key] === undefined) report(`${path}.${key}`, 'is missing');
  checkReferences(element, path, template, styles, report);
}

/** Style and colour names, however deep: in stack items, rules and plates. */
function checkReferences(
  fields: Fields,
  path: string,
  template: Template,
  styles: Fields,
  report: Report,
): void {
  const isColor = (name: string) =>
    Object.hasOwn(template.palette, name) ||
    DERIVED.includes(name) ||
    Object.hasOwn(template.paletteRules, name);
  for (const [key, value] of Object.entries(fields)) {
    const at = `${path}.${key}`;
    if (STYLE_KEYS.has(key) && typeof value === 'string' && !Object.hasOwn(styles, value)) {
      report(at, `names no type style: "${value}"`);
    } else if (COLOR_KEYS.has(key) && typeof value === 'string' && !isColor(value)) {
      report(at, `names no colour of the palette: "${value}"`);
    } else if (key === 'grounds' || key === 'inks') {
      for (const role of Array.isArray(value) ? value : [])
        if (!isColor(String(role))) report(at, `names no colour of the palette: "${String(role)}"`);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        const inner = asRecord(item);
        if (inner) checkReferences(inner, `${at}[${index}]`, template, styles, report);
      });
    } else {
      const inner = asRecord(value);
      if (inner) checkReferences(inner, at, template, styles, report);
    }
  }
}

function asRecord(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
