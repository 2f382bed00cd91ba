/** What an element has unless a template says otherwise. Data, and the names that follow from other names. Pure. */

type Fields = Readonly<Record<string, unknown>>;

const LANDSCAPE = '1920:1080';
const PORTRAIT = '1080:1920';

/** By type: for both ratios, and for one. */
export const ELEMENT_DEFAULTS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  photo: { all: { fit: 'cover' }, [LANDSCAPE]: {}, [PORTRAIT]: {} },
  mosaic: { all: { fit: 'whole' }, [LANDSCAPE]: { gap: 32 }, [PORTRAIT]: { gap: 24 } },
  fill: { all: { color: 'ink' } },
  scrim: { all: { color: 'paper', direction: 'down' } },
  image: { all: { align: 'left', anchor: 'middle' } },
  text: { all: { color: 'ink', align: 'left', anchor: 'cap-top' } },
  plate: {
    all: {
      color: 'ink',
      fill: 'paper',
      corner: 'bottom-left',
      maxWidth: 0.6,
      maxLines: 2,
      padding: [30, 40, 28, 40],
    },
  },
  plates: {
    all: { heightEm: 1.06, padEm: 0.1, padding: 10, edge: 0, anchor: 'bottom', maxHeight: 0.6, items: [] },
  },
  stack: { all: { align: 'left', anchor: 'cap-top', items: [] } },
  facts: { all: { number: 'number', label: 'label', wording: 'long' } },
  'facts-line': {
    all: { number: 'fact', label: 'fact', wording: 'short', gapEm: 1.6, align: 'left', anchor: 'baseline' },
  },
  'fact-cells': {
    all: {
      number: 'number',
      label: 'label',
      wording: 'short',
      flow: 'across',
      divide: 'even',
      gap: 0,
      align: 'left',
      inset: [0],
      wordScale: 0.42,
    },
  },
  poster: {
    all: {
      lines: 'facts',
      style: 'poster',
      color: 'ink',
      wording: 'short',
      gap: 48,
      align: 'left',
      anchor: 'middle',
    },
  },
  portrait: { all: {} },
  initials: {
    all: { style: 'initials', color: 'ink', fitWidth: 0.76, align: 'center', anchor: 'middle', inset: 0 },
  },
  marks: { all: { color: 'ink', size: 56, sizeWithLogo: 64, arrange: 'apart', maxLogoWidth: 0.2 } },
};

const COUNT_UP: Fields = { fromShare: 0.8, for: 0.7, steps: 12, kinds: ['sqft'] };
/** Elements that are called by their type unless they have an id. */
const NAMED_BY_TYPE: ReadonlySet<string> = new Set([
  'facts',
  'facts-line',
  'fact-cells',
  'poster',
  'portrait',
  'initials',
  'marks',
  'scrim',
  'mosaic',
]);

/** Names that follow from others: a photo's number from its id, a text's words and style from its id. */
export function defaultElement(raw: Fields): Fields {
  const element: Record<string, unknown> = { ...raw };
  const type = String(raw.type);
  if (type === 'photo') {
    element.id ??= `photo-${Number(raw.photo ?? 0) + 1}`;
    element.photo ??= Math.max(0, Number(/-(\d+)$/.exec(String(element.id))?.[1] ?? 1) - 1);
  } else if (NAMED_BY_TYPE.has(type))
    element.id ??= type === 'mosaic' ? 'photo' : type.startsWith('fact') ? 'facts' : type;
  else if (type === 'text' || type === 'plate') nameText(element);
  if (typeof element.countUp === 'object' && element.countUp !== null)
    element.countUp = { ...COUNT_UP, ...element.countUp };
  return element;
}

/** An item of a stack or of plates: `{id: "phone", gap: 44}` is the text `{phone}` in the style `phone`. */
export function defaultItem(raw: Fields, type: string): Fields {
  const item: Record<string, unknown> = { ...raw };
  if (type === 'stack') item.gap ??= 0;
  if ('rule' in item) {
    item.id ??= 'rule';
    item.color ??= 'accent';
  } else if ('facts' in item || 'line' in item) {
    item.id ??= 'facts';
    for (const key of ['facts', 'line'] as const) {
      const defaults = key === 'line' ? ELEMENT_DEFAULTS['facts-line']!.all : ELEMENT_DEFAULTS.facts!.all;
      if (item[key] !== undefined) item[key] = { ...defaults, ...(item[key] as Fields) };
    }
  } else {
    nameText(item);
    item.color ??= 'ink';
  }
  if (type === 'plates') item.fill ??= 'paper';
  return item;
}

function nameText(fields: Record<string, unknown>): void {
  fields.id ??= /^\{(\w+)\}$/.exec(String(fields.text ?? ''))?.[1]?.replaceAll('_', '-');
  if (typeof fields.id !== 'string') return;
  fields.text ??= `{${fields.id.replaceAll('-', '_')}}`;
  fields.style ??= fields.id;
}
