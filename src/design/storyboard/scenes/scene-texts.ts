/** The texts that a listing, an agent and the template data offer to a template. Pure. */

import type { Agent, Listing } from '../../../listing/listing.ts';
import { addressWords } from '../../../listing/words/address-words.ts';
import { type AgentCard, agentCard } from '../../../listing/words/agent-card.ts';
import { captionLayer } from '../../../listing/words/caption-layer.ts';
import { displayText } from '../../../listing/words/display-text.ts';
import { type Fact, listingFacts } from '../../../listing/words/facts.ts';
import { isAmount, isInLatinScript } from '../../../listing/words/price.ts';
import { uploadDescription, uploadTitle } from '../../../listing/words/upload-texts.ts';
import type { DataValues } from '../../template/data-layers.ts';
import type { Wording } from '../../template/elements.ts';
import { breakableStreet, joinWithMiddleDots, unbreakable } from '../../text/break-text.ts';
import { digitsLike, factInDigits, type ToDigits } from '../../text/digits.ts';
import { factWords } from '../elements/facts-element.ts';
import { plain } from '../elements/text-element.ts';
import type { StoryboardWords } from '../storyboard.ts';
import { joinWords, type Texts } from '../texts.ts';
import {
  type Announcements,
  announcements,
  type CodedLink,
  isSameAddress,
  readLink,
  warnOfFacts,
} from './announcements.ts';

export interface ListingTexts {
  /** For all scenes but the card; `templates/README.md` lists the names. */
  readonly texts: Texts;
  readonly facts: readonly Fact[];
  /** `128 Harbor Pine Lane, Portland, OR`, or the headline of a listing without an address; empty without either. */
  readonly title: string;
  /** What the listing gives for uploads; empty for what is made. */
  readonly upload: { readonly title: string; readonly description: string };
  readonly link: CodedLink | null;
  readonly originals: CodedLink | null;
  readonly warnings: readonly string[];
}

/** The texts of all scenes but the card: the same for all agents whose template data are equal. */
export function toListingTexts(listing: Listing, data: DataValues): ListingTexts {
  const toDigits = digitsOf(listing, data);
  const address = listing.address ? addressWords(listing.address) : undefined;
  const words = inDigits(announcements(data), toDigits);
  const { headline, status } = words;
  const cityLine = toDigits(address?.cityLine ?? '');
  const street = address?.street ? breakableStreet(toDigits(address.street)) : '';
  // Without a street the city is the address and does not stand above itself.
  const shownAddress = street || cityLine;
  const city = street ? cityLine : '';
  const isCityBelow = headline !== '' || status !== '';
  const place = [status, city].filter((word) => word !== '');
  const facts = data.values.show_facts === 'false' ? [] : factsOf(listing, data, toDigits);
  const price = facts.find(({ kind }) => kind === 'price')?.value ?? '';
  const areLatin = facts.every(({ longLabel }) => isInLatinScript(longLabel));
  const hasPriceLabel = data.given.has('label_price') || (isAmount(price) && areLatin);
  const measures = facts.filter(({ kind }) => kind !== 'price');
  const { link, warnings } = readLink(data, 'link');
  const { link: originals, warnings: originalsWarnings } = readLink(data, 'originals_url');
  return {
    texts: {
      ...templateTexts(data),
      ...words,
      street: shownAddress,
      city,
      postal_code: street ? toDigits(displayText(listing.address?.postal_code ?? '')) : '',
      city_above: isCityBelow ? '' : city,
      city_below: isCityBelow ? city : '',
      link: link?.short ?? '',
      price,
      facts_long: formatFacts(facts, 'long'),
      facts_short: formatFacts(facts, 'short'),
      facts_tiny: formatFacts(facts, 'tiny'),
      measures_long: formatFacts(measures, 'long'),
      measures_short: formatFacts(measures, 'short'),
      measures_tiny: formatFacts(measures, 'tiny'),
      place: place.length > 1 ? joinWithMiddleDots(place) : (place[0] ?? ''),
      title: headline || shownAddress || status || words.open_house,
      label_price: hasPriceLabel ? displayText(data.values.label_price ?? '') : '',
      label_originals: displayText(data.values.label_originals ?? ''),
      originals: originals?.full ?? '',
    },
    facts,
    title: plain(joinWords([address?.street ?? '', cityLine], ', ') || headline),
    upload: { title: uploadTitle(data.values), description: uploadDescription(data.values) },
    link,
    originals,
    warnings: [...warnOfFacts(data), ...warnings, ...originalsWarnings],
  };
}

/** What a video says of the house, for texts beside it. */
export function toStoryboardWords(
  { texts, title, upload, link, originals }: ListingTexts,
  disclosure: string,
): StoryboardWords {
  return {
    headline: texts.headline ?? '',
    status: texts.status ?? '',
    address: title,
    openHouse: plain(texts.open_house_line ?? ''),
    link: link?.url ?? '',
    disclosure,
    originals: originals?.url ?? '',
    description: upload.description,
  };
}

export interface CardTexts {
  readonly texts: Texts;
  readonly licenses: readonly string[];
  readonly name: string;
  readonly leftOut: readonly string[];
}

/** Letters of a web address that every card holds in a line. */
const MAX_WEBSITE = 36;

/** Of a web address that no card can show whole, the host: `example.com/listi…` leads nowhere. */
function hostIfLong(website: string): string {
  if (website.length <= MAX_WEBSITE || /\s/.test(website)) return website;
  return website.replace(/^(?:[a-z]+:\/\/)?([^/?#]+).*$/i, '$1');
}

/** @param coded - The link of the listing's texts, so that its code is made once. */
export function toCardTexts(
  agent: Agent,
  listing: Listing,
  data: DataValues,
  coded: CodedLink | null,
): CardTexts {
  const words = announcements(data, { isCard: true });
  const { open_house, open_house_line } = inDigits(words, digitsOf(listing, data));
  const link = coded?.short ?? '';
  const website = hostIfLong(displayText(data.values.website ?? ''));
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
      // Said once: the link stands with its code.
      website: isSameAddress(website, link) ? '' : website,
      link,
      open_house,
      open_house_line,
      street: listing.address?.street ? breakableStreet(addressWords(listing.address).street) : '',
      cta: displayText(data.values.cta ?? ''),
      office: card.office?.name ?? '',
      office_address: address ? breakableStreet(address.full) : '',
      office_address_short: address ? breakableStreet(address.short) : '',
      office_phone: card.office?.phone?.display ?? '',
    },
    licenses: card.licenses,
    name: card.name,
    leftOut: card.leftOut,
  };
}

/**
 * The caption of each asset, in the listing's order: `caption_NN` of the template data, else the asset's own; empty
 * without either.
 */
export function assetCaptions(listing: Listing, data: DataValues): string[] {
  return captionsAsTyped(listing, data).map(digitsOf(listing, data));
}

function captionsAsTyped({ assets }: Listing, data: DataValues): string[] {
  return assets.map(({ caption = '' }, index) => {
    const layer = data.values[captionLayer(index)] ?? '';
    return displayText(layer) || displayText(caption);
  });
}

/** The digits of the words that the listing gives; prices and areas follow them. */
function digitsOf(listing: Listing, data: DataValues): ToDigits {
  const { headline, status, open_house, price } = data.values;
  const { street, city } = listing.address ?? {};
  const given = [street, city, headline, status, open_house, price, ...captionsAsTyped(listing, data)];
  return digitsLike(given.map((text) => text ?? ''));
}

function inDigits(words: Announcements, toDigits: ToDigits): Announcements {
  const pairs = Object.entries(words).map(([name, text]: [string, string]) => [name, toDigits(text)]);
  return Object.fromEntries(pairs) as unknown as Announcements;
}

function factsOf(listing: Listing, data: DataValues, toDigits: ToDigits): Fact[] {
  return listingFacts(listing, givenValues(data)).map((fact) => factInDigits(fact, toDigits));
}

function templateTexts(data: DataValues): Record<string, string> {
  return Object.fromEntries(data.ownTexts.map((name) => [name, displayText(data.values[name] ?? '')]));
}

function formatFacts(facts: readonly Fact[], wording: Wording): string {
  return facts.map((fact) => unbreakable(factWords(fact, wording))).join('\u00a0 ');
}

/** The values that were given: `listingFacts` knows the defaults, in long and short forms. */
function givenValues(data: DataValues): Record<string, string> {
  return Object.fromEntries(Object.entries(data.values).filter(([name]) => data.given.has(name)));
}
