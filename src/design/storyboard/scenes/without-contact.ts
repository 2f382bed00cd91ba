/** Template data of a video without branding: nothing in them names a phone number or an address. Pure. */

import type { Listing } from '../../../listing/listing.ts';
import { FACT_LAYERS } from '../../../listing/words/facts.ts';
import type { DataValues } from '../../template/data-layers.ts';

/** Seven digits or more, however they are grouped; commas group amounts, not phone numbers. */
const PHONE = /(?:\+|\(|\b)\p{Nd}(?:[\s().\-–/]*\p{Nd}){6,}/u;
const DATE = /\b\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{1,4}\b/gu;
const TIME = /\b\p{Nd}{1,2}(?:[:.]\p{Nd}{2})?\s?(?:[ap]\.?m\b|h\b|uhr\b)|\b\p{Nd}{1,2}:\p{Nd}{2}\b/giu;
const ADDRESS =
  /@|https?:\/\/|www\.|\b[\p{L}\p{Nd}-]+\.(?:com|net|org|info|biz|io|co|us|realtor|homes|house|realestate)\b/iu;

/** Labels have no room for more than a word, and a link is given in order to be shown. */
function isOfTheHouse(name: string): boolean {
  return name.startsWith('label_') || name === 'link';
}

/** Without the digits of prices, dates and times, which are none of a phone number. */
function toChecked(name: string, text: string): string {
  const fact = FACT_LAYERS.find((layer) => layer.name === name);
  if (fact) return fact.format(text) ?? '';
  return name === 'open_house' ? text.replace(DATE, ' ').replace(TIME, ' ') : text;
}

function namesContact(text: string): boolean {
  return ADDRESS.test(text) || PHONE.test(text);
}

export function withoutContactCaptions(listing: Listing): { listing: Listing; warnings: string[] } {
  const warnings: string[] = [];
  const assets = listing.assets.map(({ caption, ...asset }, index) => {
    if (caption === undefined || !namesContact(caption)) {
      return caption === undefined ? asset : { ...asset, caption };
    }
    warnings.push(
      `the caption of photo ${index + 1} names a phone number or an address; it is left out of a video without branding`,
    );
    return asset;
  });
  return warnings.length === 0 ? { listing, warnings } : { listing: { ...listing, assets }, warnings };
}

export function withoutContact(data: DataValues): { data: DataValues; warnings: string[] } {
  const dropped = Object.keys(data.values).filter(
    (name) =>
      data.given.has(name) && !isOfTheHouse(name) && namesContact(toChecked(name, data.values[name] ?? '')),
  );
  if (dropped.length === 0) return { data, warnings: [] };
  const values = { ...data.values, ...Object.fromEntries(dropped.map((name) => [name, ''])) };
  return {
    data: { ...data, values },
    warnings: dropped.map(
      (name) =>
        `template data "${name}" names a phone number or an address; it is left out of a video without branding`,
    ),
  };
}
