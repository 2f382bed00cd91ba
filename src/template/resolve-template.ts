/**
 * A template as designers write it, in full: blocks put in, variants that are like others written out, defaults filled.
 *
 * Writes nothing of its own into the design but what `templates/README.md` names as defaults. Pure.
 */
import { BRAND_LAYERS, commonLayers } from './common-layers.ts';
import { defaultElement, defaultItem, ELEMENT_DEFAULTS } from './element-defaults.ts';
import { PACING_TABLES } from './pacing-tables.ts';
import { resolveAnimations } from './resolve-animation.ts';
import { type DataLayer, SCENE_ROLES, type Template } from './template.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Report = (path: string, problem: string) => void;

export interface ResolvedTemplate {
  readonly template: Template;
  /** Where in the file an element was written, by the element. */
  readonly origins: WeakMap<object, string>;
}

const RATIOS = ['1920:1080', '1080:1920'] as const;

const RATIO_DEFAULTS = {
  '1920:1080': {
    pacing: {
      table: 'landscape',
      heroSec: 4.5,
      factsSec: 4,
      endSec: 5,
      factor: 1,
      capSec: 90,
      minSceneSec: 1.5,
      factsAt: 0.4,
    },
    heroPhotos: 1,
    factsPhotos: 1,
    closingPhotos: 1,
  },
  '1080:1920': {
    pacing: {
      table: 'portrait',
      heroSec: 3.3,
      factsSec: 2.5,
      endSec: 4.2,
      factor: 1,
      capSec: 60,
      minSceneSec: 1.5,
      factsAt: 0.4,
    },
    heroPhotos: 1,
    factsPhotos: 1,
    closingPhotos: 1,
  },
} as const;

const CAMERA_DEFAULTS = {
  speedPerSec: 0.012,
  maxTravel: 0.08,
  hero: 'in',
  cycle: ['out', 'lateral', 'in'],
  pan: { min: 0.1, max: 0.16, perSec: 0.045 },
  parallax: 0.85,
};

const TRANSITION_DEFAULTS: Readonly<Record<string, Fields>> = {
  cut: {},
  crossfade: { sec: 0.6, easing: 'linear' },
  push: { sec: 0.8, easing: 'glide', direction: ['left'], gutter: 0, color: 'paper' },
  wipe: { sec: 0.6, easing: 'glide', direction: ['left'], bar: 0, color: 'accent' },
  'match-zoom': { sec: 0.9, easing: 'glide', fadeSec: 0.25 },
  dip: { sec: 0.7, outSec: 0.35, easing: 'linear', color: 'paper' },
  aperture: { sec: 1.35, fadeSec: 0.25, easing: 'draw', axis: 'horizontal', color: 'paper' },
  over: { sec: 0.6 },
};

/** A scene of photos that the template does not design: whole photos in rows on paper. */
const FALLBACK_SCENE: Fields = {
  name: 'rows',
  elements: [{ type: 'mosaic', box: [0.05, 0.1, 0.9, 0.8] }],
};
const FALLBACK_ROLES: ReadonlySet<string> = new Set(['single', 'pair', 'three', 'four', 'six']);

/** @param raw - Of the right shape by and large: what is missing is reported and comes out as missing. */
export function resolveTemplate(raw: Fields, report: Report): ResolvedTemplate {
  const origins = new WeakMap<object, string>();
  const palette = resolvePaletteFields(record(raw.palette));
  const music = typeof raw.music === 'string' ? raw.music : undefined;
  const layers = resolveLayers(
    record(raw.dataLayers),
    palette.colors,
    raw.branding === 'none',
    music ?? 'none',
  );
  const ratios = Object.fromEntries(
    RATIOS.flatMap((ratio) => {
      const own = optional(record(raw.ratios)[ratio]);
      return own === undefined ? [] : [[ratio, resolveRatio(raw, ratio, own, origins, report)]];
    }),
  );
  const template = {
    id: raw.id,
    name: raw.name,
    description: raw.description,
    branding: raw.branding ?? 'agent',
    ...(music === undefined ? {} : { music }),
    palette: palette.colors,
    paletteRules: palette.rules,
    dataLayers: layers.all,
    withoutLayers: layers.without,
    styleDefaults: raw.styleDefaults,
    ratios,
  } as unknown as Template;
  return { template, origins };
}

function resolvePaletteFields(raw: Fields): { colors: Template['palette']; rules: Template['paletteRules'] } {
  const colors: Record<string, string> = {};
  const rules: Record<string, Template['paletteRules'][string]> = {};
  for (const [role, value] of Object.entries(raw)) {
    if (typeof value === 'string') colors[role] = value;
    else {
      const { color, ...rule } = record(value);
      if (typeof color === 'string') colors[role] = color;
      rules[role] = rule;
    }
  }
  return { colors: colors as Template['palette'], rules };
}

function resolveLayers(
  raw: Fields,
  palette: Template['palette'],
  isUnbranded: boolean,
  music: string,
): { all: DataLayer[]; without: string[] } {
  const without = [...list(raw.without), ...(isUnbranded ? BRAND_LAYERS : [])] as string[];
  const defaults = record(raw.defaults);
  const common = commonLayers(palette, music)
    .filter(({ name }) => !without.includes(name))
    .map((layer) => ({ ...layer, default: (defaults[layer.name] as string | undefined) ?? layer.default }));
  return { all: [...common, ...(list(raw.own) as DataLayer[])], without: [...new Set(without)] };
}

function resolveRatio(
  raw: Fields,
  ratio: (typeof RATIOS)[number],
  own: Fields,
  origins: WeakMap<object, string>,
  report: Report,
): Fields {
  const path = `$.ratios["${ratio}"]`;
  const base = RATIO_DEFAULTS[ratio];
  const { table, ...pacing } = { ...base.pacing, ...record(raw.pacing), ...record(own.pacing) } as Fields;
  if (pacing.rows === undefined && !Object.hasOwn(PACING_TABLES, String(table)))
    report(`${path}.pacing.table`, `is none of ${Object.keys(PACING_TABLES).join(', ')}`);
  const camera = { ...CAMERA_DEFAULTS, ...record(raw.camera), ...record(own.camera) };
  const scope: Scope = {
    ratio,
    blocks: { ...record(raw.blocks), ...record(own.blocks) },
    blockPaths: {
      ...pathsOf(record(raw.blocks), '$.blocks'),
      ...pathsOf(record(own.blocks), `${path}.blocks`),
    },
    defaults: mergeEach(record(raw.defaults), record(own.defaults)),
    motions: { ...record(raw.motions), ...record(own.motions) },
    origins,
    report,
  };
  const scenes = Object.fromEntries(
    SCENE_ROLES.map((role) => {
      const given = record(own.scenes)[role];
      const variants = given === undefined && FALLBACK_ROLES.has(role) ? [FALLBACK_SCENE] : given;
      return [
        role,
        Array.isArray(variants)
          ? resolveVariants(variants, record(own.scenes), `${path}.scenes.${role}`, scope)
          : [],
      ];
    }),
  );
  return {
    camera,
    pacing: { ...pacing, rows: pacing.rows ?? PACING_TABLES[table as keyof typeof PACING_TABLES] ?? [] },
    heroPhotos: own.heroPhotos ?? base.heroPhotos,
    factsPhotos: own.factsPhotos ?? base.factsPhotos,
    closingPhotos: own.closingPhotos ?? base.closingPhotos,
    extras: list(own.extras).map((extra) => ({ photo: 'hero', sec: 2.5, at: 0.7, ...record(extra) })),
    ...(own.captionMakesPair === undefined ? {} : { captionMakesPair: own.captionMakesPair }),
    ...(own.pairWhen === undefined ? {} : { pairWhen: own.pairWhen }),
    styles: mergeEach(record(raw.styles), record(own.styles)),
    scenes,
    transitions: list(own.transitions ?? raw.transitions).map((rule) => resolveTransition(record(rule))),
  };
}

function resolveTransition(rule: Fields): Fields {
  const full: Record<string, unknown> = { ...TRANSITION_DEFAULTS[String(rule.kind)], ...rule };
  if (typeof full.direction === 'string') full.direction = [full.direction];
  return full;
}

interface Scope {
  readonly ratio: string;
  readonly blocks: Fields;
  readonly blockPaths: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, Fields>>;
  readonly motions: Fields;
  readonly origins: WeakMap<object, string>;
  readonly report: Report;
}

function resolveVariants(variants: readonly unknown[], scenes: Fields, path: string, scope: Scope): Fields[] {
  return variants.map((value, index) => {
    const at = `${path}[${index}]`;
    const { like: _, set: __, elements: ___, ...own } = record(value);
    const { fields, elements } = expandVariant(record(value), variants, scenes, at, scope, 0);
    return {
      ground: 'page',
      background: 'paper',
      ...fields,
      ...own,
      elements: elements.map(({ element, origin }) => completeElement(element, origin, scope)),
    };
  });
}

interface RawElement {
  readonly element: Fields;
  readonly origin: string;
}

/** Elements of a variant, those of the one it is like first. */
function expandVariant(
  variant: Fields,
  siblings: readonly unknown[],
  scenes: Fields,
  path: string,
  scope: Scope,
  depth: number,
): { fields: Fields; elements: RawElement[] } {
  const own = list(variant.elements).flatMap((element, index) =>
    expandElement(element, `${path}.elements[${index}]`, scope),
  );
  if (variant.like === undefined)
    return { fields: {}, elements: applySet(own, record(variant.set), path, scope) };
  const [role, name] = String(variant.like).includes('/')
    ? (String(variant.like).split('/') as [string, string])
    : [undefined, String(variant.like)];
  const others = role === undefined ? siblings : list(scenes[role]);
  const other = others.find((candidate) => candidate !== variant && record(candidate).name === name);
  if (other === undefined || depth > 8) {
    scope.report(`${path}.like`, `names no other variant: "${String(variant.like)}"`);
    return { fields: {}, elements: own };
  }
  const rolePath =
    role === undefined
      ? path.slice(0, path.lastIndexOf('['))
      : path.replace(/\.scenes\..*/, `.scenes.${role}`);
  const otherPath = `${rolePath}[${others.indexOf(other)}]`;
  const base = expandVariant(record(other), others, scenes, otherPath, scope, depth + 1);
  const { name: _, like: __, set: ___, elements: ____, when: _____, turn: ______, ...fields } = record(other);
  const changed = applySet(base.elements, record(variant.set), path, scope);
  return { fields: { ...base.fields, ...fields }, elements: [...changed, ...own] };
}

/** A name of a block, a block with changes (`use`), or an element; `photos` becomes one element per box. */
function expandElement(raw: unknown, origin: string, scope: Scope): RawElement[] {
  const use = typeof raw === 'string' ? raw : record(raw).use;
  if (typeof use === 'string') {
    if (!Object.hasOwn(scope.blocks, use)) {
      scope.report(origin, `names no block: "${use}"`);
      return [];
    }
    const block = scope.blocks[use];
    const blockPath = scope.blockPaths[use]!;
    const parts = Array.isArray(block)
      ? block.flatMap((part, index) => expandElement(part, `${blockPath}[${index}]`, scope))
      : expandElement(block, blockPath, scope);
    const { use: _, set, ...own } = typeof raw === 'string' ? ({} as Fields) : record(raw);
    const changed = applySet(parts, record(set), origin, scope);
    return changed.map(({ element, origin: from }) => ({
      element: mergeElement(element, own),
      origin: from,
    }));
  }
  const element = record(raw);
  if (element.type !== 'photos')
    return [{ element: { ...scope.defaults[String(element.type)], ...element }, origin }];
  const { boxes, type: _, ...rest } = element;
  return list(boxes).map((box, index) => ({
    element: { ...scope.defaults.photo, ...rest, type: 'photo', id: `photo-${index + 1}`, photo: index, box },
    origin,
  }));
}

/** Changes by element id; `null` takes the element out. */
function applySet(elements: readonly RawElement[], set: Fields, path: string, scope: Scope): RawElement[] {
  const left = new Set(Object.keys(set));
  const changed = elements.flatMap((raw) => {
    const id = idOf(raw.element);
    if (!Object.hasOwn(set, id)) return [raw];
    left.delete(id);
    return set[id] === null ? [] : [{ ...raw, element: mergeElement(raw.element, record(set[id])) }];
  });
  for (const id of left) scope.report(`${path}.set.${id}`, 'changes no element of the variant');
  return changed;
}

/** Fields replace fields; `items` and other lists of things with ids may be changed by id. `null` takes a field out. */
function mergeElement(element: Fields, changes: Fields): Fields {
  const merged: Record<string, unknown> = { ...element };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else if (Array.isArray(before) && optional(value) !== undefined && key === 'items') {
      const byId = value as Fields;
      merged[key] = before.flatMap((item) => {
        const id = String(defaultItem(record(item), 'stack').id);
        if (!Object.hasOwn(byId, id)) return [item];
        return byId[id] === null ? [] : [mergeElement(record(item), record(byId[id]))];
      });
    } else merged[key] = value;
  }
  return merged;
}

/** The id an element or item has or gets. */
function idOf(element: Fields): string {
  return String(defaultElement(element).id ?? '');
}

function completeElement(raw: Fields, origin: string, scope: Scope): Fields {
  const type = String(raw.type);
  const named = defaultElement(raw);
  const defaults = ELEMENT_DEFAULTS[type];
  const full: Record<string, unknown> = { ...defaults?.all, ...defaults?.[scope.ratio], ...named };
  if (Array.isArray(full.items)) full.items = full.items.map((item) => defaultItem(record(item), type));
  const element = resolveMotion(full, origin, scope) as Fields;
  scope.origins.set(element, origin);
  return element;
}

/** Every `enter`, `exit` and `…Enter`, however deep. */
function resolveMotion(value: unknown, path: string, scope: Scope): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => resolveMotion(item, `${path}[${index}]`, scope));
  const fields = optional(value);
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, inner]) => {
      const at = `${path}.${key}`;
      if (!/^(enter|exit|[a-z]+Enter)$/.test(key)) return [key, resolveMotion(inner, at, scope)];
      const direction = key === 'exit' ? 'exit' : 'enter';
      return [
        key,
        resolveAnimations(inner, direction, scope.motions, (problem) => scope.report(at, problem)),
      ];
    }),
  );
}

function pathsOf(fields: Fields, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, `${prefix}.${name}`]));
}

/** Two tables of records, merged record by record. */
function mergeEach(base: Fields, over: Fields): Record<string, Fields> {
  const merged: Record<string, Fields> = {};
  for (const key of new Set([...Object.keys(base), ...Object.keys(over)]))
    merged[key] = { ...record(base[key]), ...record(over[key]) };
  return merged;
}

function optional(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function record(value: unknown): Fields {
  return optional(value) ?? {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
