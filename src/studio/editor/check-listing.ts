/** What breaks the rules of a listing, and what is probably a slip, each at its field. Pure. */
import type { Phone, Violation } from '../../listing/listing.ts';
import { explainViolation } from '../../listing/rules/explain-violation.ts';
import { findUnknownProperties } from '../../listing/rules/unknown-properties.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { warnOfAddresses } from '../../listing/warnings/warn-of-addresses.ts';
import { describeUnreadablePhone, readPhone } from '../../listing/words/phone.ts';
import { explainNumber } from '../document/explain-number.ts';
import type { ListingObject } from '../document/json.ts';
import type { ListingPath, ShownPhone, StudioViolation, StudioWarning } from './protocol.ts';

export function findViolations(document: ListingObject): StudioViolation[] {
  const validation = validateListing(document, { allowLocalFiles: true });
  if (validation.ok) return [];
  return validation.violations.map((violation) => ({
    path: pathOf(violation),
    message: explainNumber(pathOf(violation), violation.input) ?? explainViolation(violation),
  }));
}

/** Of the document alone; those of plans come from the stage. */
export function findWarnings(document: ListingObject): StudioWarning[] {
  const unknown = findUnknownProperties(document).map((warning) => ({
    path: pathOf(warning),
    message: warning.message,
  }));
  const nameless = toList(document.agents).flatMap((agent, index) => {
    const { first_name: first, last_name: last } = toObject(agent);
    const path = ['agents', index, 'first_name'];
    return first === '' && last === '' ? [{ path, message: 'the agent has no name yet' }] : [];
  });
  const phones = phonesOf(document).flatMap(({ path, phone }) =>
    readPhone(phone) === null ? [{ path, message: describeUnreadablePhone(phone) }] : [],
  );
  const addresses = warnOfAddresses(addressesOf(document)).map((warning) => ({
    path: pathOf(warning),
    message: warning.message,
  }));
  return [...unknown, ...nameless, ...phones, ...addresses].map((warning) => ({
    agent_id: null,
    ratio: null,
    ...warning,
  }));
}

/**
 * One warning in place of those that say the same of one field: of several agents, which names no agent; of videos in
 * both ratios, which names no ratio. One about a field replaces one about the video as a whole.
 */
export function joinWarnings(warnings: readonly StudioWarning[]): StudioWarning[] {
  const named = new Set(warnings.flatMap(({ path, message }) => (path === null ? [] : message)));
  const joined = new Map<string, StudioWarning>();
  for (const warning of warnings) {
    const { path, ratio, message, agent_id: agent } = warning;
    if (path === null && named.has(message)) continue;
    const key = JSON.stringify([path, message]);
    const known = joined.get(key) ?? warning;
    joined.set(key, {
      ...warning,
      agent_id: known.agent_id === agent ? agent : null,
      ratio: known.ratio === ratio ? ratio : null,
    });
  }
  return [...joined.values()];
}

function pathOf({ loc }: Pick<Violation, 'loc'>): ListingPath {
  return loc.slice(1);
}

/** How the videos show phone numbers that are written in another way in the listing. */
export function findShownPhones(document: ListingObject): ShownPhone[] {
  return phonesOf(document).flatMap(({ path, phone }) => {
    const text = readPhone(phone)?.display;
    return text === undefined || text === phone.number ? [] : [{ path, text }];
  });
}

interface PlacedPhone {
  readonly path: ListingPath;
  readonly phone: Phone;
}

/** All numbers of a listing that can break every rule. */
function phonesOf(document: ListingObject): PlacedPhone[] {
  return toList(document.agents).flatMap((agent, index) => {
    const { phones, offices } = toObject(agent);
    const own = toList(phones).map((phone, at) => toPhone(phone, ['agents', index, 'phones', at]));
    const ofOffices = toList(offices).map((office, at) =>
      toPhone(toObject(office).phone_number, ['agents', index, 'offices', at, 'phone_number']),
    );
    return [...own, ...ofOffices].filter((phone) => phone !== null);
  });
}

/** The addresses and licenses of a listing that can break every rule. */
function addressesOf(document: ListingObject): Parameters<typeof warnOfAddresses>[0] {
  const placeOf = (holder: unknown) => ({
    street: '',
    state: toText(toObject(holder).state),
    postal_code: toText(toObject(holder).postal_code),
  });
  return {
    address: placeOf(document.address),
    agents: toList(document.agents).map((agent) => {
      const { id, first_name: first, last_name: last, licenses, offices } = toObject(agent);
      return {
        ...{ id: toText(id), first_name: toText(first), last_name: toText(last) },
        licenses: toList(licenses).map((license) => ({ number: '', ...placeOf(license) })),
        offices: toList(offices).map((office) => ({ address: placeOf(toObject(office).address) })),
      };
    }),
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toPhone(value: unknown, path: ListingPath): PlacedPhone | null {
  const { number, region } = toObject(value);
  if (typeof number !== 'string' || number.trim() === '') return null;
  return {
    path: [...path, 'number'],
    phone: { number, region: typeof region === 'string' ? region : null },
  };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
