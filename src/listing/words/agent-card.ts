/** The texts of an agent's closing card, and what the card has no room for. The template places them. */

import type { Agent, Listing, Office, Phone } from '../listing.ts';
import { type AddressWords, addressWords } from './address-words.ts';
import { fullName, initialsOf } from './agent-name.ts';
import { displayText, displayTextOrNull } from './display-text.ts';
import { licenseWords } from './license-words.ts';
import { describeUnreadablePhone, type ReadablePhone, readPhone } from './phone.ts';

export interface CardPhone {
  readonly type: 'office' | 'mobile' | 'direct' | null;
  /** As its country writes it; never broken over two lines. */
  readonly display: string;
  readonly e164: string;
}

export interface CardOffice {
  readonly name: string | null;
  readonly address: AddressWords | null;
  readonly phone: CardPhone | null;
}

export interface AgentCard {
  readonly name: string;
  /** One or two letters, for a card without portrait; empty when the name has neither letter nor digit. */
  readonly initials: string;
  readonly designation: string | null;
  /** At most two: a direct or mobile number, then an office number. */
  readonly phones: readonly CardPhone[];
  readonly email: string | null;
  /** As many as a card can hold, the one of the listing's state first. A line never breaks in one. */
  readonly licenses: readonly string[];
  readonly office: CardOffice | null;
  /** For the report: what the card leaves out, and why. */
  readonly leftOut: readonly string[];
}

const MAX_PHONES = 2;
/** Of all licenses together: enough for one of each state and territory. Unbreakable text is slow to fit. */
const MAX_LICENSE_CHARS = 2_000;

/** The card of one agent of a listing, cleaned for display. Absent parts are null or empty. */
export function agentCard(agent: Agent, listing: Listing): AgentCard {
  const leftOut: string[] = [];
  const firstName = displayText(agent.first_name);
  const lastName = displayText(agent.last_name);
  const name = fullName(firstName, lastName);
  const office = firstOffice(name, agent.offices ?? [], leftOut);
  const licenses = shownLicenses(licenseWords(agent.licenses ?? [], listing.address?.state), leftOut);
  return {
    name,
    initials: initialsOf(firstName, lastName),
    designation: displayTextOrNull(agent.designation),
    phones: cardPhones(agent.phones ?? [], office?.phone ?? null, leftOut),
    email: firstEmail(agent, leftOut),
    licenses,
    office,
    leftOut,
  };
}

function shownLicenses(licenses: readonly string[], leftOut: string[]): readonly string[] {
  let chars = 0;
  const shown = licenses.filter((license) => {
    chars += license.length;
    return chars <= MAX_LICENSE_CHARS;
  });
  if (shown.length < licenses.length) {
    leftOut.push(
      `${licenses.length - shown.length} licenses: a card has no room for more than ${shown.length}`,
    );
  }
  return shown;
}

/** Direct or mobile first, then office, then the others in their order. */
function cardPhones(phones: readonly Phone[], officePhone: CardPhone | null, leftOut: string[]): CardPhone[] {
  // By display, not by E.164: two extensions of one number are two lines.
  const lines = new Map<string, CardPhone>();
  for (const phone of phones) {
    const line = toCardPhone(phone, leftOut);
    // A repeated number is one line, of the type that comes first.
    if (line !== null && !lines.has(line.display)) lines.set(line.display, line);
  }
  // The card already prints the number under the office.
  if (officePhone !== null && lines.size > 1) {
    const repeated = lines.get(officePhone.display);
    if (repeated?.type === 'office') lines.delete(officePhone.display);
  }
  const all = [...lines.values()];
  const personal =
    all.find(({ type }) => type === 'direct' || type === 'mobile') ?? all.find(({ type }) => type === null);
  const office = all.find(({ type }) => type === 'office');
  const preferred = [personal, office, ...all].filter((line) => line !== undefined);
  const chosen = [...new Set(preferred)].slice(0, MAX_PHONES);
  for (const line of all) {
    if (!chosen.includes(line)) leftOut.push(`phone ${line.display}: a card shows two`);
  }
  return chosen;
}

function firstOffice(agentName: string, offices: readonly Office[], leftOut: string[]): CardOffice | null {
  let shown: CardOffice | null = null;
  let count = 0;
  for (const office of offices) {
    const name = displayTextOrNull(office.name);
    const address = office.address == null ? null : addressWords(office.address);
    const isEmpty = name === null && (address?.full ?? '') === '' && office.phone_number == null;
    if (isEmpty) continue;
    count += 1;
    if (shown !== null) continue;
    const phone = office.phone_number == null ? null : toCardPhone(office.phone_number, leftOut);
    shown = { name, address: address?.full === '' ? null : address, phone };
  }
  if (count > 1)
    leftOut.push(`${agentName} has ${count === 2 ? 'two' : count} offices; the card shows the first`);
  return shown;
}

function firstEmail(agent: Agent, leftOut: string[]): string | null {
  const [first, ...others] = (agent.emails ?? [])
    .map(({ address }) => displayTextOrNull(address))
    .filter((address) => address !== null);
  for (const address of others) {
    if (address !== first) leftOut.push(`e-mail ${address}: a card shows one`);
  }
  return first ?? null;
}

function toCardPhone(phone: Phone, leftOut: string[]): CardPhone | null {
  const readable: ReadablePhone | null = readPhone(phone);
  if (readable === null) {
    leftOut.push(describeUnreadablePhone(phone));
    return null;
  }
  return { type: phone.type ?? null, display: readable.display, e164: readable.e164 };
}
