/**
 * The facts of a house in words and numbers, each declared once: where it comes from, its data layers, and its
 * labels. The template decides how they look and whether they count up. A new fact is a row of `FACTS`.
 */
import type { Listing } from '../listing.ts';
import { displayTextOrNull } from './display-text.ts';
import { formatPrice } from './price.ts';

export interface Fact extends FactWords {
  readonly kind: FactKind;
}

interface FactWords {
  /** `"4"`, `"3.5"`, `"2,840"`, `"$1,245,000"`; empty for a studio, which has only a label. */
  readonly value: string;
  /** The number behind `value`, for counting up; null for a studio and a price. */
  readonly numeric: number | null;
  /** `bedrooms`, `baths`, `square feet`, `Studio`; empty for a price. */
  readonly longLabel: string;
  /** `beds`, `baths`, `sq ft`, `Studio`; empty for a price. */
  readonly shortLabel: string;
  /** The fact as one text, where long label and value do not read as one: `5 full, 2 half baths`. */
  readonly sentence?: string;
}

/** Values of the data layers by name. */
export type DataLayers = Readonly<Record<string, string>>;

/** A text layer that every template has. */
export interface FactLayer {
  readonly name: string;
  readonly description: string;
  readonly default: string;
  readonly example: string;
}

/** The layer that has the value of a fact which is no field of a listing. */
interface ValueLayer extends FactLayer {
  /** Null for a text that is no such value. */
  readonly format: (text: string) => string | null;
  /** Of messages: what `format` reads. */
  readonly expected: string;
}

interface FactRow {
  readonly layer?: ValueLayer;
  /** Whether a template can let its number count up. */
  readonly counts?: true;
  readonly of: (listing: Listing, layers: DataLayers) => FactWords | null;
}

const PRICE: ValueLayer = {
  name: 'price',
  description: 'The first fact. Digits are dollars: 500000 is shown as $500,000. Words stay as they are.',
  default: '',
  example: '1250000',
  format: formatPrice,
  expected: 'dollars such as 500000, or words such as "Price on request"',
};

/** In the order in which videos show them. */
const FACTS = {
  // Its label is a data layer of its own, which not every element shows.
  price: { layer: PRICE, of: (_, layers) => ofLayer(PRICE, layers, ['', '']) },
  beds: { counts: true, of: bedsFact },
  baths: { counts: true, of: bathsFact },
  sqft: { counts: true, of: squareFeetFact },
} as const satisfies Readonly<Record<string, FactRow>>;

export type FactKind = keyof typeof FACTS;
type CountedKind = { [K in FactKind]: (typeof FACTS)[K] extends { counts: true } ? K : never }[FactKind];

const ROWS = Object.entries(FACTS) as readonly (readonly [FactKind, FactRow])[];
export const FACT_KINDS = ROWS.map(([kind]) => kind);
export const COUNTED_FACT_KINDS = ROWS.filter(([, row]) => row.counts).map(([kind]) => kind as CountedKind);
/** The layers that have values of facts. */
export const FACT_LAYERS: readonly ValueLayer[] = ROWS.flatMap(([, { layer }]) => layer ?? []);
/** Each replaces the long and the short label of a fact. */
export const FACT_LABELS: readonly FactLayer[] = [
  label('beds', 'Label of two or more bedrooms.', 'bedrooms', 'Schlafzimmer'),
  label('bed', 'Label of one bedroom.', 'bedroom', 'Schlafzimmer'),
  label('baths', 'Label of bathrooms.', 'baths', 'Bäder'),
  label('bath', 'Label of one bathroom.', 'bath', 'Bad'),
  label('sqft', 'Label of the interior area.', 'square feet', 'square feet'),
  label('studio', 'Shown when there are no bedrooms.', 'Studio', 'Studio'),
  label(
    'price',
    'Label of the price. The default is left out where the price is words (“Price on request”) or other labels are in another script.',
    'offered at',
    'offered at',
  ),
];

function label(name: string, description: string, words: string, example: string): FactLayer {
  return { name: `label_${name}`, description, default: words, example };
}

/** The facts in order, without those that are null or absent. */
export function listingFacts(listing: Listing, layers: DataLayers = {}): Fact[] {
  return ROWS.flatMap(([kind, row]) => {
    const words = row.of(listing, layers);
    return words === null ? [] : [{ kind, ...words }];
  });
}

function ofLayer(
  { name, format }: ValueLayer,
  layers: DataLayers,
  [longLabel, shortLabel]: [string, string],
) {
  const value = format(layerText(layers, name) ?? '');
  return value === null ? null : { value, numeric: null, longLabel, shortLabel };
}

function ofNumber(number: number, longLabel: string, shortLabel: string): FactWords {
  return { value: formatNumber(number), numeric: number, longLabel, shortLabel };
}

function bedsFact({ bedrooms }: Listing, layers: DataLayers): FactWords | null {
  if (bedrooms == null) return null;
  if (bedrooms === 0) {
    const words = layerText(layers, 'label_studio') ?? 'Studio';
    return { value: '', numeric: null, longLabel: words, shortLabel: words };
  }
  const own = layerText(layers, bedrooms === 1 ? 'label_bed' : 'label_beds');
  const [long, short] = bedrooms === 1 ? ['bedroom', 'bed'] : ['bedrooms', 'beds'];
  return ofNumber(bedrooms, own ?? long!, own ?? short!);
}

/**
 * One half bath is a `.5`; more would add up to a full one that is not there: `5` `baths, 2 half`, in a sentence `5 full,
 * 2 half baths`. Own words have no half ones: `5 + 2`. Half baths alone are not shown: how many full ones there are is
 * unknown.
 */
function bathsFact({ bathrooms: full, half_bathrooms }: Listing, layers: DataLayers): FactWords | null {
  if (full == null) return null;
  const half = half_bathrooms ?? 0;
  const baths = half === 1 ? full + 0.5 : full;
  const own = layerText(layers, baths === 1 && half <= 1 ? 'label_bath' : 'label_baths');
  const words = own ?? (baths === 1 ? 'bath' : 'baths');
  if (half <= 1) return ofNumber(baths, words, words);
  const [fulls, halves] = [formatNumber(full), formatNumber(half)];
  if (own !== null) return { value: `${fulls} + ${halves}`, numeric: null, longLabel: own, shortLabel: own };
  const label = `${words}, ${halves} half`;
  return { ...ofNumber(full, label, label), sentence: `${fulls} full, ${halves} half baths` };
}

function squareFeetFact({ interior_square_footage: area }: Listing, layers: DataLayers): FactWords | null {
  if (area == null) return null;
  const rounded = Math.round(area);
  const own = layerText(layers, 'label_sqft');
  return ofNumber(rounded, own ?? (rounded === 1 ? 'square foot' : 'square feet'), own ?? 'sq ft');
}

/** Own properties only: a data layer called `constructor` is absent until a client sets it. */
function layerText(layers: DataLayers, name: string): string | null {
  return Object.hasOwn(layers, name) ? displayTextOrNull(layers[name]) : null;
}

/** Grouped digits with at most one decimal. A trillion and more in scientific notation, so that it fits. */
function formatNumber(value: number): string {
  const notation = value >= 1e12 ? 'scientific' : 'standard';
  return value.toLocaleString('en-US', { maximumFractionDigits: 1, notation });
}
