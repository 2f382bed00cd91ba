/** The texts that a listing, an agent and the template data offer to a template. Pure. */

import type { Agent, Listing } from '../../listing/listing.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import { type AgentCard, agentCard } from '../../listing/words/agent-card.ts';
import { displayText } from '../../listing/words/display-text.ts';
import { type Fact, listingFacts } from '../../listing/words/facts.ts';
import type { DataValues } from '../../template/data-layers.ts';
import type { Wording } from '../../template/elements.ts';
import { breakableStreet, joinWithMiddleDots, unbreakable } from '../../text/break-text.ts';
import { factWords } from '../elements/facts-element.ts';
import { plain } from '../elements/text-element.ts';
import { joinWords, type Texts } from '../texts.ts';

/** The texts of all scenes but the card. */
export interface ListingTexts {
  /** For all scenes but the card; `templates/README.md` lists the names. */
  readonly texts: Texts;
  readonly facts: readonly Fact[];
  /** `128 Harbor Pine Lane, Portland, OR`, or the headline; empty without either. */
  readonly title: string;
}

/** The texts of all scenes but the card: the same for all agents whose template data are equal. */
export function toListingTexts(listing: Listing, data: DataValues): ListingTexts {
  const address = listing.address ? addressWords(listing.address) : undefined;
  const headline = displayText(data.values.headline ?? '');
  const status = displayText(data.values.status ?? '');
  const cityLine = address?.cityLine ?? '';
  const street = headline || (address?.street ? breakableStreet(address.street) : '');
  // Without a street the city is the title and does not stand above itself.
  const title = street || cityLine;
  const city = street ? cityLine : '';
  const place = [status, city].filter((word) => word !== '');
  const facts = data.values.show_facts === 'false' ? [] : listingFacts(listing, givenValues(data));
  const measures = facts.filter(({ kind }) => kind !== 'price');
  return {
    texts: {
      ...templateTexts(data),
      street: title,
      city,
      status,
      price: facts.find(({ kind }) => kind === 'price')?.value ?? '',
      facts_long: formatFacts(facts, 'long'),
      facts_short: formatFacts(facts, 'short'),
      facts_tiny: formatFacts(facts, 'tiny'),
      measures_long: formatFacts(measures, 'long'),
      measures_short: formatFacts(measures, 'short'),
      measures_tiny: formatFacts(measures, 'tiny'),
      place: place.length > 1 ? joinWithMiddleDots(place.map((word) => word)) : (place[0] ?? ''),
      title: title || place.join(' '),
      disclosure: displayText(data.values.disclosure ?? ''),
      label_price: displayText(data.values.label_price ?? ''),
    },
    facts,
    title: plain(joinWords([headline || address?.street || '', cityLine], ', ')),
  };
}

/** The texts of the card. */
export interface CardTexts {
  readonly texts: Texts;
  readonly licences: readonly string[];
  readonly name: string;
  readonly leftOut: readonly string[];
}

/** The texts that only the card can set. */
export function toCardTexts(agent: Agent, listing: Listing, data: DataValues): CardTexts {
  const card: AgentCard = agentCard(agent, listing);
  const [phone, second] = card.phones;
  const address = card.office?.address;
  return {
    texts: {
      name: card.name,
      first_name: displayText(agent.first_name),
      last_name: displayText(agent.last_name),
      initials: card.initials,
      designation: card.designation ?? '',
      phone: phone?.display ?? '',
      phone_2: second?.display ?? '',
      email: card.email ?? '',
      website: displayText(data.values.website ?? ''),
      cta: displayText(data.values.cta ?? ''),
      office: card.office?.name ?? '',
      office_address: address?.full ?? '',
      office_address_short: address?.short ?? '',
      office_phone: card.office?.phone?.display ?? '',
    },
    licences: card.licences,
    name: card.name,
    leftOut: card.leftOut,
  };
}

/**
 * The caption of each asset, in the listing's order: `caption_NN` of the template data, else the asset's own; empty without
 * either.
 */
export function assetCaptions({ assets }: Listing, data: DataValues): string[] {
  return assets.map(({ caption = '' }, index) => {
    const layer = data.values[`caption_${String(index + 1).padStart(2, '0')}`] ?? '';
    return displayText(layer) || displayText(caption);
  });
}

/** The text layers that the template itself declares, by name. */
function templateTexts(data: DataValues): Record<string, string> {
  return Object.fromEntries(data.ownTexts.map((name) => [name, displayText(data.values[name] ?? '')]));
}

/** All facts in one line, each unbreakable. */
function formatFacts(facts: readonly Fact[], wording: Wording): string {
  return facts.map((fact) => unbreakable(factWords(fact, wording))).join('\u00a0 ');
}

/** The values that were given: `listingFacts` knows the defaults, in long and short forms. */
function givenValues(data: DataValues): Record<string, string> {
  return Object.fromEntries(Object.entries(data.values).filter(([name]) => data.given.has(name)));
}

/** Seven digits or more, however they are grouped; commas group amounts, not phone numbers. */
const PHONE = /(?:\+|\(|\b)\p{Nd}(?:[\s().\-–/]*\p{Nd}){6,}/u;
const ADDRESS =
  /@|https?:\/\/|www\.|\b[\p{L}\p{Nd}-]+\.(?:com|net|org|info|biz|io|co|us|realtor|homes|house|realestate)\b/iu;

function namesContact(text: string): boolean {
  return ADDRESS.test(text) || PHONE.test(text);
}

/** The listing without captions that name a phone number or an address, for a video without branding. */
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

/** The data without the texts that name a phone number or an address, for a video without branding. */
export function withoutContact(data: DataValues): { data: DataValues; warnings: string[] } {
  const dropped = Object.keys(data.values).filter(
    (name) => data.given.has(name) && !name.startsWith('label_') && namesContact(data.values[name] ?? ''),
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
