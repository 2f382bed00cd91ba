/** Whether a parsed JSON value is a template this program can draw: shape and cross-references, all faults at once. Pure. */
import { ListingVideoError } from '../errors.ts';
import type { Template } from './template.ts';

const ROLES = ['hero', 'single', 'pair', 'three', 'four', 'six', 'facts', 'card'] as const;
const RATIOS = ['1920:1080', '1080:1920'] as const;
const PALETTE = ['paper', 'ink', 'soft', 'accent', 'accentText', 'tint'] as const;
const ELEMENTS = new Set([
  'photo',
  'mosaic',
  'fill',
  'text',
  'plate',
  'stack',
  'facts',
  'portrait',
  'initials',
  'marks',
]);
/** Keys that name a type style, wherever they stand in an element. */
const STYLE_KEYS = new Set(['style', 'number', 'label']);
const COLOR_KEYS = new Set(['color', 'fill']);

/**
 * @param file - Named in the message.
 * @throws ListingVideoError `template_invalid`, its context listing `{path, problem}` of every fault.
 */
export function checkTemplate(value: unknown, file: string): Template {
  const faults: { path: string; problem: string }[] = [];
  const report = (path: string, problem: string) => faults.push({ path, problem });
  const root = asRecord(value);
  if (!root) report('$', 'is not an object');
  else {
    for (const name of ['id', 'name', 'description'] as const) {
      if (typeof root[name] !== 'string') report(`$.${name}`, 'is not a string');
    }
    checkPalette(asRecord(root.palette), report);
    if (!Array.isArray(root.dataLayers)) report('$.dataLayers', 'is not a list');
    if (!asRecord(root.camera)) report('$.camera', 'is missing');
    if (!asRecord(root.styleDefaults)) report('$.styleDefaults', 'is missing');
    for (const ratio of RATIOS) checkRatio(ratio, asRecord(asRecord(root.ratios)?.[ratio]), report);
  }
  if (faults.length > 0) {
    const first = faults[0]!;
    throw new ListingVideoError(
      'template_invalid',
      `${file}: ${first.path} ${first.problem}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`,
      { context: { file, faults } },
    );
  }
  return value as Template;
}

type Report = (path: string, problem: string) => void;
type Fields = Readonly<Record<string, unknown>>;

function checkPalette(palette: Fields | undefined, report: Report): void {
  for (const role of PALETTE) {
    if (!/^#[0-9a-f]{6}$/i.test(String(palette?.[role] ?? ''))) {
      report(`$.palette.${role}`, 'is not a colour such as #F4EFE4');
    }
  }
}

function checkRatio(ratio: string, design: Fields | undefined, report: Report): void {
  const path = `$.ratios["${ratio}"]`;
  if (!design) {
    report(path, 'is missing');
    return;
  }
  const styles = asRecord(design.styles) ?? {};
  for (const part of ['pacing', 'styles', 'transitions', 'scenes']) {
    if (!asRecord(design[part])) report(`${path}.${part}`, 'is missing');
  }
  for (const role of ROLES) {
    const variants = asRecord(design.scenes)?.[role];
    if (!Array.isArray(variants) || variants.length === 0) {
      report(`${path}.scenes.${role}`, 'has no variant');
      continue;
    }
    variants.forEach((variant, index) => {
      const at = `${path}.scenes.${role}[${index}]`;
      const elements = asRecord(variant)?.elements;
      if (!Array.isArray(elements)) report(`${at}.elements`, 'is not a list');
      else
        for (const [place, element] of elements.entries())
          checkElement(element, `${at}.elements[${place}]`, styles, report);
    });
  }
}

function checkElement(value: unknown, path: string, styles: Fields, report: Report): void {
  const element = asRecord(value);
  if (!element || !ELEMENTS.has(String(element.type))) {
    report(`${path}.type`, `is none of ${[...ELEMENTS].join(', ')}`);
    return;
  }
  if (typeof element.id !== 'string' || element.id === '') report(`${path}.id`, 'is missing');
  checkReferences(element, path, styles, report);
}

/** Style and colour names, however deep: in stack items, rules and plates. */
function checkReferences(fields: Fields, path: string, styles: Fields, report: Report): void {
  for (const [key, value] of Object.entries(fields)) {
    const at = `${path}.${key}`;
    if (STYLE_KEYS.has(key) && typeof value === 'string' && !Object.hasOwn(styles, value)) {
      report(at, `names no type style: "${value}"`);
    } else if (
      COLOR_KEYS.has(key) &&
      typeof value === 'string' &&
      !(PALETTE as readonly string[]).includes(value)
    ) {
      report(at, `names no colour of the palette: "${value}"`);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        const inner = asRecord(item);
        if (inner) checkReferences(inner, `${at}[${index}]`, styles, report);
      });
    } else {
      const inner = asRecord(value);
      if (inner) checkReferences(inner, at, styles, report);
    }
  }
}

function asRecord(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
