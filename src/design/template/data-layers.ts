/** Values of a template's data layers: the defaults, replaced by `template_data` where a value has the right type. */

import { nearestName } from '../../platform/nearest-name.ts';
import { parseSeconds } from '../../platform/video-length.ts';
import { commonLayers } from './common-layers.ts';
import type { DataLayer } from './template.ts';

export interface DataValues {
  /** Every layer of the template by name. Text as given, colors as `#RRGGBB`, booleans as `true` or `false`. */
  readonly values: Readonly<Record<string, string>>;
  readonly given: ReadonlySet<string>;
  /** Text layers that only this template has. */
  readonly ownTexts: readonly string[];
  readonly faults: readonly DataFault[];
}

export interface DataFault {
  readonly name: string;
  readonly message: string;
}

/**
 * Fills the layers of a template. A value of the wrong type is a warning, and the default is used. An unknown name is a
 * warning that suggests the nearest known name. A blank value means the default.
 */
export function fillDataLayers(
  layers: readonly DataLayer[],
  data: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): DataValues {
  const values: Record<string, string> = {};
  const given = new Set<string>();
  const faults: DataFault[] = [];
  const report = (name: string, message: string) => faults.push({ name, message });
  for (const layer of layers) {
    values[layer.name] = layer.default;
    const raw = Object.hasOwn(data, layer.name) ? data[layer.name]?.trim() : undefined;
    if (raw === undefined || raw === '') continue;
    const read = readValue(layer, raw);
    if ('value' in read) {
      values[layer.name] = read.value;
      given.add(layer.name);
      const length = [...raw].length;
      if (layer.maxLength !== undefined && length > layer.maxLength)
        report(
          layer.name,
          `template data "${layer.name}" has ${length} characters: ${layer.maxLength} are the most for uploads`,
        );
    } else {
      report(
        layer.name,
        `template data "${layer.name}": expected ${read.expected}, found "${clip(raw)}"; ${
          layer.default === '' ? 'it is left out' : `"${layer.default}" is used`
        }`,
      );
    }
  }
  const names = layers.map((layer) => layer.name);
  for (const name of Object.keys(data)) {
    if (names.includes(name)) continue;
    if (without.includes(name)) {
      if (data[name]?.trim())
        report(name, `template data "${name}" has no place in this template and is ignored`);
      continue;
    }
    const near = nearestLayer(name, names);
    report(
      name,
      `template data "${clip(name)}" is not a data layer of this template and is ignored${near ? `; did you mean "${near}"?` : ''}`,
    );
  }
  const ownTexts = layers
    .filter(({ name, type }) => type === 'text' && !COMMON.has(name))
    .map(({ name }) => name);
  return { values, given, ownTexts, faults };
}

/** What people call layers that have another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  speed: 'pace',
  tempo: 'pace',
  song: 'music',
  soundtrack: 'music',
  audio: 'music',
  duration: 'length',
  title: 'headline',
  description: 'video_description',
  qr: 'link',
  url: 'link',
  website: 'link',
  filter: 'grade',
};

/** The layer that a name was probably meant to be. */
export function nearestLayer(name: string, names: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const other = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  return other !== undefined && names.includes(other) ? other : nearestName(name, names);
}

/** Names with a meaning in the storyboard. */
const COMMON: ReadonlySet<string> = new Set(
  commonLayers({ accent: '', paper: '', ink: '' }, '').map(({ name }) => name),
);

function readValue(layer: DataLayer, raw: string): { value: string } | { expected: string } {
  switch (layer.type) {
    case 'text':
    case 'image':
      return { value: raw };
    case 'color': {
      const color = toColor(raw);
      return color ? { value: color } : { expected: 'a color such as #1F5C4D' };
    }
    case 'boolean': {
      if (/^(true|yes|on|1)$/i.test(raw)) return { value: 'true' };
      if (/^(false|no|off|0)$/i.test(raw)) return { value: 'false' };
      return { expected: 'true or false' };
    }
    case 'choice': {
      const { options = [], min, max } = layer;
      const value = raw.toLowerCase();
      if (options.includes(value)) return { value };
      if (min === undefined || max === undefined) return { expected: options.join(' or ') };
      const sec = parseSeconds(raw, { min, max });
      return sec === null
        ? { expected: `${options.join(', ')} or ${min}s to ${max}s` }
        : { value: `${sec}s` };
    }
    case 'number': {
      const value = Number(raw);
      const min = layer.min ?? Number.NEGATIVE_INFINITY;
      const max = layer.max ?? Number.POSITIVE_INFINITY;
      if (Number.isFinite(value) && value >= min && value <= max) return { value: String(value) };
      return { expected: `a number${layer.min === undefined ? '' : ` from ${layer.min} to ${layer.max}`}` };
    }
  }
}

/** `#abc`, `#aabbcc` and the same without `#`; nothing with transparency. */
function toColor(raw: string): string | undefined {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(raw)?.[1];
  if (!hex) return undefined;
  const long = hex.length === 6 ? hex : [...hex].map((digit) => digit + digit).join('');
  return `#${long.toUpperCase()}`;
}

export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
