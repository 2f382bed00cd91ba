/** Names that follow from other names: a photo's number from its id, a text and its style from the id. Pure. */
import { ELEMENTS, elementFormat } from './elements.ts';
import { countUpFields, PLATE_LINE, STACK_ITEMS } from './format/parts.ts';
import { type Fields, type Json, presetsOf } from './format/value.ts';

export function elementId(raw: Json): string | undefined {
  if (raw.id !== undefined && raw.id !== null) return String(raw.id);
  const type = String(raw.type);
  if (type === 'photo') return `photo-${Number(raw.photo ?? 0) + 1}`;
  return type === 'text' || type === 'plate' ? idOfText(raw.text) : elementFormat(type)?.defaultId;
}

export function defaultElement(raw: Json): Json {
  const element: Record<string, unknown> = { ...raw };
  element.id ??= elementId(raw);
  if (raw.type === 'photo')
    element.photo ??= Math.max(0, Number(/-(\d+)$/.exec(String(element.id))?.[1] ?? 1) - 1);
  else if (raw.type === 'text' || raw.type === 'plate') nameText(element);
  if (typeof element.countUp === 'object' && element.countUp !== null)
    element.countUp = withPresets(element.countUp as Json, countUpFields);
  return element;
}

/** An item of a stack or of plates: `{id: "phone", gap: 44}` is the text `{phone}` in the style `phone`. */
export function defaultItem(raw: Json, type: string): Json {
  const item: Record<string, unknown> = { ...raw };
  const kind = (['rule', 'facts', 'line'] as const).find((key) => key in item) ?? 'text';
  if (kind === 'text') nameText(item);
  else item.id ??= kind === 'rule' ? 'rule' : 'facts';
  if (kind === 'facts' || kind === 'line') {
    for (const [key, element] of [
      ['facts', 'facts'],
      ['line', 'facts-line'],
    ] as const)
      if (item[key] !== undefined) item[key] = withPresets(item[key] as Json, ELEMENTS[element].fields);
  }
  const presets = presetsOf(type === 'plates' ? PLATE_LINE : STACK_ITEMS[kind], ANY_RATIO);
  for (const [key, preset] of Object.entries(presets)) item[key] ??= preset;
  return item;
}

/** Items and counting have the same defaults in both ratios. */
const ANY_RATIO = '1920:1080';

function withPresets(own: Json, fields: Fields): Json {
  return { ...presetsOf(fields, ANY_RATIO), ...own };
}

function nameText(fields: Record<string, unknown>): void {
  fields.id ??= idOfText(fields.text);
  if (typeof fields.id !== 'string') return;
  fields.text ??= `{${fields.id.replaceAll('-', '_')}}`;
  fields.style ??= fields.id;
}

/** `{office_phone}` alone is the text `office-phone`. */
function idOfText(words: unknown): string | undefined {
  return /^\{(\w+)\}$/.exec(String(words ?? ''))?.[1]?.replaceAll('_', '-');
}
