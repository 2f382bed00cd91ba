/** Which words a listing, an agent and the template data put at a template's disposal. Pure. */
import { addressWords } from '../listing/address-words.ts';
import { type AgentCard, agentCard } from '../listing/agent-card.ts';
import { displayText } from '../listing/display-text.ts';
import { type Fact, listingFacts } from '../listing/facts.ts';
import type { Agent, Listing } from '../listing/listing.ts';
import type { DataValues } from '../template/data-layers.ts';
import { breakableStreet, joinWithMiddleDots } from '../text/break-text.ts';
import { plain } from './elements/text-element.ts';
import type { Words } from './words.ts';

export interface ListingWords {
  /** `street`, `place`, `disclosure`, `label_price`: what all scenes but the card may set. */
  readonly words: Words;
  readonly facts: readonly Fact[];
  /** `128 Harbor Pine Lane, Portland, OR`, or the headline; empty without either. */
  readonly title: string;
}

/** The same for all agents whose template data are equal. */
export function toListingWords(listing: Listing, data: DataValues): ListingWords {
  const address = listing.address ? addressWords(listing.address) : undefined;
  const headline = displayText(data.values.headline ?? '');
  const status = displayText(data.values.status ?? '');
  const city = address?.cityLine ?? '';
  const street = headline || (address?.street ? breakableStreet(address.street) : '');
  // Without a street the city is the title and does not stand above itself.
  const title = street || city;
  const place = [status, street ? city : ''].filter((word) => word !== '');
  const facts = data.values.show_facts === 'false' ? [] : listingFacts(listing, givenValues(data));
  return {
    words: {
      street: title,
      place: place.length > 1 ? joinWithMiddleDots(place.map((word) => word)) : (place[0] ?? ''),
      title: title || place.join(' '),
      disclosure: displayText(data.values.disclosure ?? ''),
      label_price: displayText(data.values.label_price ?? ''),
    },
    facts,
    title: plain([headline || address?.street || '', city].filter((word) => word !== '').join(', ')),
  };
}

export interface CardWords {
  readonly words: Words;
  readonly licences: readonly string[];
  readonly name: string;
  readonly leftOut: readonly string[];
}

/** What the closing card alone may set. */
export function toCardWords(agent: Agent, listing: Listing, data: DataValues): CardWords {
  const card: AgentCard = agentCard(agent, listing);
  const [phone, second] = card.phones;
  const address = card.office?.address;
  return {
    words: {
      name: card.name,
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

/** `caption_NN` by the number of the photo among the listing's assets, counted from 1. */
export function captionOf(data: DataValues, assetNumber: number): string {
  return displayText(data.values[`caption_${String(assetNumber).padStart(2, '0')}`] ?? '');
}

/** Defaults stay with the code that knows long and short forms. */
function givenValues(data: DataValues): Record<string, string> {
  return Object.fromEntries(Object.entries(data.values).filter(([name]) => data.given.has(name)));
}
