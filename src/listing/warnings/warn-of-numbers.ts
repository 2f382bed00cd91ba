/** Warns of a price and a living area that are probably slips: a point for thousands, or thousands left out. Pure. */
import type { Listing, ListingWarning } from '../listing.ts';
import { dollarsOf } from '../words/price.ts';
import { warnOfPrice } from './warn-of-price.ts';

type Data = Readonly<Record<string, string | undefined>>;

/** Of a text that a message quotes. */
const MAX_PRICE = 60;
/** Lower prices are those of rents. */
const MIN_SALE_DOLLARS = 1_000;
/** Smaller than any home that is sold by its area. */
const MIN_SQUARE_FEET = 100;
/** What else the video says of a price that is no sale's, or only where bids begin. */
const NO_SALE = /\b(?:rent|leas|let\b|per |month|week|night|auction|bid)/i;

/** Of a listing alone: what templates and options add is not known. */
export function warnOfNumbers({
  interior_square_footage: area,
  agents,
}: Pick<Listing, 'agents' | 'interior_square_footage'>): ListingWarning[] {
  const ofPrices = agents.flatMap(({ video_options: options }, at) => {
    const message = priceSlip(options?.template_data ?? {});
    const loc = ['body', 'agents', at, 'video_options', 'template_data', 'price'];
    return message === null ? [] : [{ loc, message }];
  });
  return [...ofPrices, ...warnOfArea(area)];
}

export function warnOfArea(squareFeet: number | null | undefined): ListingWarning[] {
  if (typeof squareFeet !== 'number' || squareFeet >= MIN_SQUARE_FEET) return [];
  const found = `the living area is ${squareFeet} square feet`;
  const message = `${found}, which is less than a home has: write it without a point for thousands, such as 2840`;
  return [{ loc: ['body', 'interior_square_footage'], message }];
}

/** @param data - Data layers that a video shows. @returns Why its price is probably a slip; null for one that is none. */
export function priceSlip(data: Data): string | null {
  const text = data.price?.trim() ?? '';
  if (text === '') return null;
  const slip = warnOfPrice(text);
  if (slip !== null) return slip;
  const dollars = dollarsOf(text);
  const words = [data.status, data.label_price, data.headline].join(' ');
  if (dollars === null || dollars >= MIN_SALE_DOLLARS || NO_SALE.test(words)) return null;
  return `the price is "${text.slice(0, MAX_PRICE)}", which is little for a sale: write all digits, such as 450000, or for a rent its time, such as $450 a week`;
}
