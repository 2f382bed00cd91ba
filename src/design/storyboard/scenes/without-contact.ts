/**
 * What a video without branding is made of: every text that a scene can read passes one check, and what not every MLS
 * allows is there only where it is kept. Pure.
 */
import type { Address, Asset, Listing } from '../../../listing/listing.ts';
import { type ContactCheck, createContactCheck } from '../../../listing/words/contact/contact.ts';
import { displayText } from '../../../listing/words/display-text.ts';
import { FACT_LAYERS } from '../../../listing/words/facts.ts';
import { UPLOAD_TEXTS, uploadDescription } from '../../../listing/words/upload-texts.ts';
import type { DataValues } from '../../template/data-layers.ts';
import type { Template } from '../../template/template.ts';

/** Data layers that a video without branding can leave out: MLSs differ on them. */
export const OPTIONAL_TEXTS = ['open_house', 'price', 'status', 'link'] as const;
export type OptionalText = (typeof OPTIONAL_TEXTS)[number];

export interface UnbrandedTexts {
  readonly listing: Listing;
  readonly data: DataValues;
  readonly warnings: readonly string[];
}

/** A file, and addresses that are given in order to be shown: the public finds the unaltered photos at the second. */
const NOT_CHECKED: ReadonlySet<string> = new Set(['music', 'originals_url', 'link']);
/** The law asks for these words. */
const BY_LAW = 'disclosure';
const NOT_KEPT = 'is left out of a video without branding (add it to --unbranded-keep to show it)';
const OPEN_HOUSE = /\bopen[\s-]house\b/iu;

/** @param kept - Absent: all of {@link OPTIONAL_TEXTS}, as they are given. */
export function toUnbrandedTexts(
  { listing, template }: { readonly listing: Listing; readonly template: Pick<Template, 'dataLayers'> },
  data: DataValues,
  kept: readonly OptionalText[] = OPTIONAL_TEXTS,
): UnbrandedTexts {
  const check = createContactCheck(listing);
  const warnings: string[] = [];
  const values = { ...data.values };
  for (const name of OPTIONAL_TEXTS.filter((each) => !kept.includes(each))) {
    values[name] = '';
    if (data.given.has(name)) warnings.push(`template data "${name}" ${NOT_KEPT}`);
  }
  for (const name of kept.includes('open_house') ? [] : ['headline', 'status']) {
    if (!OPEN_HOUSE.test(values[name] ?? '')) continue;
    values[name] = '';
    warnings.push(`template data "${name}" is about the open house: it ${NOT_KEPT}`);
  }
  for (const { name, type, default: usual } of template.dataLayers) {
    if (type !== 'text' || NOT_CHECKED.has(name)) continue;
    const isByLaw = name === BY_LAW;
    const cut =
      name === UPLOAD_TEXTS.description
        ? cutOutOfLines(check, uploadDescription(values))
        : cutOut(check, readableText(name, values[name] ?? ''), isByLaw);
    if (cut === null) continue;
    values[name] = cut.text || (cutOut(check, usual, isByLaw)?.text ?? usual);
    warnings.push(`template data "${name}" ${cut.warning}`);
  }
  const assets = listing.assets.map((asset, index) => {
    const checked = checkAsset(check, asset);
    warnings.push(
      ...checked.warnings.map(([text, warning]) => `the ${text} of photo ${index + 1} ${warning}`),
    );
    return checked.asset;
  });
  const address = listing.address && checkAddress(check, listing.address, warnings);
  return {
    listing: { ...listing, assets, ...(address && { address }) },
    data: { ...data, values },
    warnings,
  };
}

/** As a scene reads it: digits of a price are none of a phone number. */
function readableText(name: string, value: string): string {
  const fact = FACT_LAYERS.find((layer) => layer.name === name);
  return fact ? (fact.format(value) ?? '') : displayText(value);
}

function checkAsset(check: ContactCheck, { caption, altered, ...rest }: Asset) {
  const warnings: [text: string, warning: string][] = [];
  const cutCaption = cutOut(check, displayText(caption ?? ''));
  if (cutCaption) warnings.push(['caption', cutCaption.warning]);
  const cutLabel = typeof altered === 'string' ? cutOut(check, displayText(altered), true) : null;
  if (cutLabel) warnings.push(['label', cutLabel.warning]);
  const shownCaption = cutCaption ? cutCaption.text : caption;
  // A label that is nothing but contact is the usual one.
  const shownLabel = cutLabel ? cutLabel.text || true : altered;
  const asset: Asset = {
    ...rest,
    ...(shownCaption === undefined || (cutCaption && shownCaption === '') ? {} : { caption: shownCaption }),
    ...(shownLabel === undefined ? {} : { altered: shownLabel }),
  };
  return { asset, warnings };
}

/** Names stay: offices are often named after the place where they are. */
function checkAddress(check: ContactCheck, address: Address, warnings: string[]): Address {
  const checked = Object.entries(address).map(([field, value]: [string, string | null | undefined]) => {
    const cut = cutOut(check, displayText(value ?? ''), true);
    if (cut) warnings.push(`the ${field.replace('_', ' ')} of the address ${cut.warning}`);
    return [field, cut ? cut.text : value];
  });
  return Object.fromEntries(checked);
}

interface CutText {
  readonly text: string;
  readonly warning: string;
}

function cutOut(check: ContactCheck, shown: string, isByLaw = false): CutText | null {
  if (shown === '') return null;
  const { text, cut } = check.cutOut(shown, { isByLaw });
  return cut.length === 0 ? null : { text, warning: warningOf(text, cut) };
}

/** Keeps the line breaks, unless contact is broken over two lines. */
function cutOutOfLines(check: ContactCheck, shown: string): CutText | null {
  const inOneLine = (words: string) => cutOut(check, words.replace(/\s+/gu, ' '));
  const whole = inOneLine(shown);
  const lines = shown.split('\n').map((line) => check.cutOut(line));
  const cut = lines.flatMap((line) => line.cut);
  const text = lines
    .map((line) => line.text)
    .join('\n')
    .trim();
  const byLine = cut.length === 0 ? null : { text, warning: warningOf(text, cut) };
  return byLine?.warning === whole?.warning && inOneLine(text) === null ? byLine : whole;
}

function warningOf(text: string, cut: readonly string[]): string {
  const words = cut.map((part) => `"${part}"`).join(' and ');
  return `names ${words}; a video without branding leaves ${text === '' ? 'the text' : 'that'} out`;
}
