/**
 * Makes the full template of a written one: merges what both ratios share, and fills in defaults. Every default comes
 * from the tables of the format. Pure.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import { BRAND_LAYERS, commonLayers } from './common-layers.ts';
import { ELEMENTS } from './elements.ts';
import { asList, asRecord, type Fields, type Json, presetsOf, toRecord } from './format/value.ts';
import { PACING_TABLES } from './pacing-tables.ts';
import { type Report, resolveVariants, type Scope } from './resolve-variants.ts';
import {
  CAMERA,
  type DataLayer,
  EXTRA_SCENE,
  NOTICE,
  PACING,
  PHOTO_COUNTS,
  RATIOS,
  SCENE_ROLES,
  TEMPLATE,
  type Template,
  TRANSITIONS,
} from './template.ts';

export interface ResolvedTemplate {
  readonly template: Template;
  /** Where in the file an element was written, by the element. */
  readonly origins: WeakMap<object, string>;
}

/** A scene of photos that the template does not design: whole photos in rows on paper. */
const FALLBACK_SCENE: Json = { name: 'rows', elements: [{ type: 'mosaic', box: [0.05, 0.1, 0.9, 0.8] }] };
/** Places of the scenes that every video can need. */
const FALLBACK_BOXES = {
  '1920:1080': {
    hook: { box: [0, 0, 1, 1], maxCropLoss: 0.26, maxEnlargement: 3 },
    window: { box: [0, 0.07, 1, 0.86], maxCropLoss: 0.3 },
    whole: [0.06, 0.07, 0.88, 0.86],
    plan: [0.02, 0.03, 0.96, 0.94],
    planByNotice: [0.02, 0.03, 0.96, 0.76],
    sheet: [0.26, 0, 0.74, 1],
    planOnSheet: [0.275, 0.03, 0.71, 0.94],
    planOnSheetByNotice: [0.275, 0.03, 0.71, 0.76],
    caption: { box: [0.05, 0.1, 0.185, 0.8], anchor: 'middle', align: 'left', maxLines: 6 },
    words: [0.1, 0.12, 0.8, 0.12],
    code: [0.3, 0.3, 0.4, 0.4],
    address: [0.1, 0.76, 0.8, 0.16],
  },
  '1080:1920': {
    hook: { box: [0, 0, 1, 1], maxCropLoss: 0.82, maxEnlargement: 3, camera: 'pan' },
    window: { box: [0, 0.1485, 1, 0.703], maxCropLoss: 0.8, camera: 'pan' },
    whole: [0.0352, 0.2, 0.9296, 0.5],
    plan: [0, 0.06, 1, 0.88],
    planByNotice: [0, 0.24, 1, 0.52],
    sheet: [0, 0.2969, 1, 0.7031],
    planOnSheet: [0, 0.31, 1, 0.676],
    planOnSheetByNotice: [0, 0.4, 1, 0.496],
    caption: { box: [0.08, 0.152, 0.78, 0.12], anchor: 'middle' },
    words: [0.08, 0.155, 0.78, 0.1],
    code: [0.2, 0.29, 0.6, 0.22],
    address: [0.08, 0.545, 0.78, 0.1],
  },
} as const;
const FALLBACK_ROLES: ReadonlySet<string> = new Set(['single', 'pair', 'three', 'four', 'six']);

/** @param raw - Can have any fault: what is missing in it is missing in the result, or reported. */
export function resolveTemplate(raw: Json, report: Report): ResolvedTemplate {
  const origins = new WeakMap<object, string>();
  const palette = resolvePalette(toRecord(raw.palette));
  const music = typeof raw.music === 'string' ? raw.music : undefined;
  const isUnbranded = raw.branding === 'none';
  const layers = resolveLayers(toRecord(raw.dataLayers), palette.colors, isUnbranded, music ?? 'none');
  const ratios = Object.fromEntries(
    RATIOS.flatMap((ratio) => {
      const own = asRecord(toRecord(raw.ratios)[ratio]);
      return own === undefined ? [] : [[ratio, resolveRatio(raw, ratio, own, origins, report)]];
    }),
  );
  const template = {
    id: raw.id,
    name: raw.name,
    description: raw.description,
    branding: raw.branding ?? presetsOf(TEMPLATE, RATIOS[0]).branding,
    ...(music === undefined ? {} : { music }),
    palette: palette.colors,
    paletteRules: palette.rules,
    dataLayers: layers.all,
    withoutLayers: layers.without,
    ...(raw.fonts === undefined ? {} : { fonts: toRecord(raw.fonts) }),
    styleDefaults: raw.styleDefaults,
    ratios,
  } as unknown as Template;
  return { template, origins };
}

function resolvePalette(raw: Json): { colors: Template['palette']; rules: Template['paletteRules'] } {
  const colors: Record<string, string> = {};
  const rules: Record<string, Template['paletteRules'][string]> = {};
  for (const [role, value] of Object.entries(raw)) {
    if (typeof value === 'string') colors[role] = value;
    else {
      const { color, ...rule } = toRecord(value);
      if (typeof color === 'string') colors[role] = color;
      rules[role] = rule;
    }
  }
  return { colors: colors as Template['palette'], rules };
}

function resolveLayers(
  raw: Json,
  palette: Template['palette'],
  isUnbranded: boolean,
  music: string,
): { all: DataLayer[]; without: string[] } {
  const without = [...asList(raw.without), ...(isUnbranded ? BRAND_LAYERS : [])] as string[];
  const defaults = toRecord(raw.defaults);
  const common = commonLayers(palette, music)
    .filter(({ name }) => !without.includes(name))
    .map((layer) => ({ ...layer, default: (defaults[layer.name] as string | undefined) ?? layer.default }));
  return { all: [...common, ...(asList(raw.own) as DataLayer[])], without: [...new Set(without)] };
}

function resolveRatio(
  raw: Json,
  ratio: AspectRatio,
  own: Json,
  origins: WeakMap<object, string>,
  report: Report,
): Json {
  const path = `$.ratios["${ratio}"]`;
  const merged = (key: string): Json => ({ ...toRecord(raw[key]), ...toRecord(own[key]) });
  const { table, ...pacing } = { ...presetsOf(PACING, ratio), ...merged('pacing') } as Json;
  if (pacing.rows === undefined && !Object.hasOwn(PACING_TABLES, String(table)))
    report(`${path}.pacing.table`, `is not one of ${Object.keys(PACING_TABLES).join(', ')}`);
  const styles = mergeEach(toRecord(raw.styles), toRecord(own.styles));
  const notice = {
    ...presetsOf(NOTICE, ratio),
    style: Object.hasOwn(styles, 'small') ? 'small' : smallestOf(styles),
    ...merged('notice'),
  };
  const scope: Scope = {
    scenes: toRecord(own.scenes),
    scenesPath: `${path}.scenes`,
    blocks: merged('blocks'),
    openBlocks: [],
    blockPaths: {
      ...pathsOf(toRecord(raw.blocks), '$.blocks'),
      ...pathsOf(toRecord(own.blocks), `${path}.blocks`),
    },
    defaults: mergeEach(toRecord(raw.defaults), toRecord(own.defaults)),
    presets: Object.fromEntries(
      Object.entries(ELEMENTS).map(([type, { fields }]) => [type, presetsOf(fields, ratio)]),
    ),
    motions: merged('motions'),
    origins,
    report,
  };
  const scenes = Object.fromEntries(
    SCENE_ROLES.map((role) => {
      const given = scope.scenes[role];
      const variants = given ?? fallbackScenes(role, ratio, styles, notice);
      return [role, Array.isArray(variants) ? resolveVariants(variants, role, scope) : []];
    }),
  );
  const photoCounts = presetsOf(PHOTO_COUNTS, ratio);
  return {
    camera: { ...presetsOf(CAMERA, ratio), ...merged('camera') },
    pacing: { ...pacing, rows: pacing.rows ?? PACING_TABLES[table as keyof typeof PACING_TABLES] ?? [] },
    ...Object.fromEntries(Object.entries(photoCounts).map(([key, preset]) => [key, own[key] ?? preset])),
    extras: asList(own.extras).map((extra) => ({ ...presetsOf(EXTRA_SCENE, ratio), ...toRecord(extra) })),
    styles,
    notice,
    scenes,
    transitions: asList(own.transitions ?? raw.transitions).map((rule) =>
      resolveTransition(toRecord(rule), ratio),
    ),
  };
}

function smallestOf(styles: Readonly<Record<string, Json>>): string {
  const sizes = Object.entries(styles).map(([name, { size }]) => ({ name, size: Number(size) }));
  return sizes.sort((a, b) => a.size - b.size)[0]?.name ?? 'small';
}

/** All from the first frame on: people who scroll past judge by it. */
function threeUprights(): Json[] {
  const [width, step] = [0.325, 0.3375];
  return [0, 1, 2].map((place) => ({
    id: `photo-${place + 1}`,
    type: 'photo',
    box: [place * step, 0, width, 1],
    maxCropLoss: 0.3,
  }));
}

/** The scenes of a role that the template does not design. */
function fallbackScenes(
  role: string,
  ratio: AspectRatio,
  styles: Json,
  notice: Json,
): readonly Json[] | undefined {
  if (FALLBACK_ROLES.has(role)) return [FALLBACK_SCENE];
  const boxes = FALLBACK_BOXES[ratio];
  const style = Object.hasOwn(styles, 'page') ? 'page' : notice.style;
  const text = { type: 'text', style, align: 'center', maxLines: 3, prefer: 'wrap' };
  if (role === 'hook') {
    const photo = { id: 'photo-1', type: 'photo' };
    const print = { color: 'white', rule: 2, gap: 16 };
    const whole = { fit: 'plate', print };
    const ground = { id: 'ground', type: 'fill', box: [0, 0, 1, 1], color: 'photoShade' };
    return [
      { name: 'three uprights', when: ['photo-3'], elements: threeUprights() },
      { name: 'full-bleed', ground: 'full-bleed', elements: [{ ...photo, ...boxes.hook }] },
      {
        name: 'window',
        elements: [ground, { ...photo, ...boxes.window }],
      },
      {
        name: 'whole',
        elements: [ground, { ...photo, ...whole, box: boxes.whole }],
      },
    ];
  }
  if (role === 'floor_plan') {
    const plan = { id: 'photo-1', type: 'photo', fit: 'plate', maxCropLoss: 0, camera: 'still' };
    const sheet = { id: 'sheet-mat', type: 'fill', box: [0, 0, 1, 1], color: 'photoEdge' };
    const caption = { ...text, id: 'caption', text: '{first_caption}', ...boxes.caption };
    const alone = (box: readonly number[]) => ({ elements: [sheet, { ...plan, box }] });
    const captioned = (box: readonly number[]) => ({
      elements: [{ ...sheet, box: boxes.sheet }, { ...plan, box }, caption],
    });
    const [words, notice] = ['first_caption', 'disclosure'];
    return [
      {
        name: 'plan with caption and notice',
        when: [words, notice],
        ...captioned(boxes.planOnSheetByNotice),
      },
      { name: 'plan with caption', when: [words], ...captioned(boxes.planOnSheet) },
      { name: 'plan with a notice', when: [notice], ...alone(boxes.planByNotice) },
      { name: 'plan', ...alone(boxes.plan) },
    ];
  }
  if (role !== 'originals') return undefined;
  return [
    {
      name: 'words over a code',
      elements: [
        { ...text, id: 'label-originals', text: '{label_originals}', box: boxes.words, anchor: 'baseline' },
        { type: 'qr', of: 'originals', box: boxes.code, align: 'center', anchor: 'middle' },
        { ...text, id: 'originals', text: '{originals}', box: boxes.address },
      ],
    },
  ];
}

function resolveTransition(rule: Json, ratio: AspectRatio): Json {
  const kind = String(rule.kind);
  const fields: Fields = Object.hasOwn(TRANSITIONS, kind)
    ? TRANSITIONS[kind as keyof typeof TRANSITIONS]
    : {};
  const full: Record<string, unknown> = { ...presetsOf(fields, ratio), ...rule };
  if (typeof full.direction === 'string') full.direction = [full.direction];
  return full;
}

function pathsOf(fields: Json, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, `${prefix}.${name}`]));
}

/** Two tables of records, merged record by record. */
function mergeEach(base: Json, over: Json): Record<string, Json> {
  const merged: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(base), ...Object.keys(over)]))
    merged[key] = { ...toRecord(base[key]), ...toRecord(over[key]) };
  return merged;
}
