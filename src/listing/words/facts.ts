/** The facts of a listing in words and numbers. The template decides how they look and whether they count up. */

import type { Listing } from '../listing.ts';
import { displayTextOrNull } from './display-text.ts';
import { formatPrice } from './price.ts';

export interface Fact {
  readonly kind: 'price' | 'beds' | 'baths' | 'sqft';
  /** `"4"`, `"3.5"`, `"2,840"`, `"$1,245,000"`; empty for a studio, which has only a label. */
  readonly value: string;
  /** The number behind `value`, for counting up; null for a studio and a price. */
  readonly numeric: number | null;
  /** `bedrooms`, `baths`, `square feet`, `Studio`; empty for a price. */
  readonly longLabel: string;
  /** `beds`, `baths`, `sq ft`, `Studio`; empty for a price. */
  readonly shortLabel: string;
}

/** Values of the data layers by name. The facts read `price`, `label_bed(s)`, `label_bath(s)`, `label_sqft`, `label_studio`. */
export type DataLayers = Readonly<Record<string, string>>;

/**
 * The facts in order: price (a data layer), beds, baths, square feet, without those that are null or absent. A label from
 * the data layers replaces the long and the short one.
 *
 * @param locale - The language of the labels; it groups the digits.
 */
export function listingFacts(listing: Listing, layers: DataLayers = {}, locale = 'en-US'): Fact[] {
  return [
    priceFact(layers),
    bedsFact(listing, layers, locale),
    bathsFact(listing, layers, locale),
    squareFeetFact(listing, layers, locale),
  ].filter((fact) => fact !== null);
}

function priceFact(layers: DataLayers): Fact | null {
  const value = formatPrice(layer(layers, 'price') ?? '');
  return value === null ? null : { kind: 'price', value, numeric: null, longLabel: '', shortLabel: '' };
}

function bedsFact(listing: Listing, layers: DataLayers, locale: string): Fact | null {
  const beds = listing.bedrooms ?? null;
  if (beds === null) return null;
  if (beds === 0) {
    const label = layer(layers, 'label_studio') ?? 'Studio';
    return { kind: 'beds', value: '', numeric: null, longLabel: label, shortLabel: label };
  }
  const own = layer(layers, beds === 1 ? 'label_bed' : 'label_beds');
  return {
    kind: 'beds',
    value: formatNumber(beds, locale),
    numeric: beds,
    longLabel: own ?? (beds === 1 ? 'bedroom' : 'bedrooms'),
    shortLabel: own ?? (beds === 1 ? 'bed' : 'beds'),
  };
}

/** Half baths alone are not shown: without full baths the sum is unknown. */
function bathsFact(listing: Listing, layers: DataLayers, locale: string): Fact | null {
  const full = listing.bathrooms ?? null;
  if (full === null) return null;
  const baths = full + 0.5 * (listing.half_bathrooms ?? 0);
  const label = layer(layers, baths === 1 ? 'label_bath' : 'label_baths') ?? (baths === 1 ? 'bath' : 'baths');
  return {
    kind: 'baths',
    value: formatNumber(baths, locale),
    numeric: baths,
    longLabel: label,
    shortLabel: label,
  };
}

function squareFeetFact(listing: Listing, layers: DataLayers, locale: string): Fact | null {
  const area = listing.interior_square_footage ?? null;
  if (area === null) return null;
  const rounded = Math.round(area);
  const own = layer(layers, 'label_sqft');
  return {
    kind: 'sqft',
    value: formatNumber(rounded, locale),
    numeric: rounded,
    longLabel: own ?? (rounded === 1 ? 'square foot' : 'square feet'),
    shortLabel: own ?? 'sq ft',
  };
}

/** Own properties only: a data layer called `constructor` is absent until a client sets it. */
function layer(layers: DataLayers, name: string): string | null {
  return Object.hasOwn(layers, name) ? displayTextOrNull(layers[name]) : null;
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Grouped digits with at most one decimal. A trillion and more in scientific notation, so that it fits. */
function formatNumber(value: number, locale: string): string {
  const isHuge = value >= 1e12;
  const key = `${locale} ${isHuge}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(
      locale,
      isHuge ? { notation: 'scientific', maximumFractionDigits: 1 } : { maximumFractionDigits: 1 },
    );
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}
