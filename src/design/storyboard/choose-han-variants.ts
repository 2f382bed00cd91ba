/** Which regional shapes Chinese characters take in a video, by the listing and the country of the agents' phones. */
import type { Address, Agent, Listing } from '../../listing/listing.ts';
import { readPhone } from '../../listing/words/phone.ts';
import { chooseHan } from '../text/fonts/choose-han.ts';
import type { HanVariant } from '../text/text.ts';

interface VideoHan {
  /** For all scenes but the card: the same for all agents of a listing whose template data are equal. */
  readonly scenes: HanVariant;
  readonly card: HanVariant;
}

export function chooseHanVariants(listing: Listing, agent: Agent, dataTexts: readonly string[]): VideoHan {
  const shared = [...addressTexts(listing.address), ...dataTexts];
  const texts = [...shared, ...agentTexts(agent)];
  return {
    scenes: chooseHan(shared, countryOf(listing.agents)),
    card: chooseHan(texts, countryOf([agent])),
  };
}

function agentTexts({ first_name, last_name, designation, offices = [] }: Agent): string[] {
  const names = offices.flatMap(({ name, address }) => [name ?? '', ...addressTexts(address)]);
  return [first_name, last_name, designation ?? '', ...names];
}

function addressTexts(address: Address | null | undefined): string[] {
  return [address?.street ?? '', address?.city ?? '', address?.state ?? ''];
}

function countryOf(agents: readonly Agent[]): string | undefined {
  for (const { phones = [], offices = [] } of agents) {
    for (const phone of [...phones, ...offices.map(({ phone_number }) => phone_number)]) {
      const region = phone ? readPhone(phone)?.region : undefined;
      if (region !== undefined) return region;
    }
  }
  return undefined;
}
