/** The listing agents of a property: from its List and CoList fields, and from the Member and Office records that they name. */
import type { Agent, License, Office } from '../listing.ts';
import { URL_MAX_LENGTH } from '../rules/agent-schema.ts';
import { isEmailAddress } from '../rules/email-address.ts';
import { validateUrl } from '../rules/validate-url.ts';
import { toId } from '../words/to-id.ts';
import type { FindingsCollector } from './findings.ts';
import { type MlsRecord, recordsOf, textOf, textsOf, urlOf } from './mls-record.ts';
import { readName } from './read-name.ts';
import { PhoneCollector } from './read-phones.ts';
import { readImage } from './read-photos.ts';
import type { RelatedRecords } from './related-records.ts';

const MAX_DESIGNATION_LENGTH = 255;
const NOTHING: MlsRecord = {};

/** What the fields of an agent are looked up in. */
export interface AgentSources {
  readonly related: RelatedRecords;
  /** State of licences that name none; null when nobody said it. */
  readonly licenseState: string | null;
}

/** An agent, and the logo of the office. */
export interface FoundAgent {
  readonly agent: Agent;
  readonly logo: string | null;
}

/** @returns The listing agent and the co-listing agent, as far as the record names them. */
export function readAgents(
  record: MlsRecord,
  sources: AgentSources,
  findings: FindingsCollector,
): FoundAgent[] {
  const found: FoundAgent[] = [];
  for (const role of ['List', 'CoList'] as const) {
    const next = readAgent(record, role, found.length, sources, findings);
    if (next === null) continue;
    if (found.some(({ agent }) => agent.id === next.agent.id))
      findings.leaveOut(`${role}AgentKey`, 'it is the listing agent again');
    else found.push(next);
  }
  return found;
}

/** The record of a person or an office under the names of Property and under its own. */
interface Lookup {
  readonly flat: MlsRecord;
  readonly own: MlsRecord;
  /** `ListAgent` or `CoListOffice`; with the prefix of `own`: `Member`, `Office`. */
  readonly prefix: string;
  readonly ownPrefix: string;
}

/** The value, and the name of the field that has it. */
function look(
  { flat, own, prefix, ownPrefix }: Lookup,
  name: string,
): { text: string; field: string } | null {
  const field = `${prefix}${name}`;
  const text = textOf(flat, field);
  if (text !== null) return { text, field };
  const ownText = textOf(own, `${ownPrefix}${name}`);
  return ownText === null ? null : { text: ownText, field: `${prefix}.${ownPrefix}${name}` };
}

function readAgent(
  record: MlsRecord,
  role: 'List' | 'CoList',
  index: number,
  { related, licenseState }: AgentSources,
  findings: FindingsCollector,
): FoundAgent | null {
  const prefix = `${role}Agent`;
  const keys = [textOf(record, `${prefix}Key`), textOf(record, `${prefix}MlsId`)];
  const member =
    recordsOf(record, prefix)[0] ??
    expanded(record, 'Member', keys) ??
    related.find('Member', keys) ??
    NOTHING;
  const lookup: Lookup = { flat: record, own: member, prefix, ownPrefix: 'Member' };
  const name = readName((field) => look(lookup, field), findings);
  const place = `agents[${index}]`;
  if (name === null) {
    const key = keys.find((each) => each !== null);
    if (role === 'List' || key !== undefined)
      findings.missing(place, `${prefix}FullName`, `Member of ${prefix}Key`);
    return null;
  }
  findings.from(place, ...name.sources);
  const id = look(lookup, 'MlsId') ??
    look(lookup, 'Key') ?? { text: toId(`${name.first} ${name.last}`), field: `${prefix}FullName` };
  findings.from(`${place}.id`, id.field);
  const phones = new PhoneCollector(textOf(record, 'Country'), findings);
  phones.add(look(lookup, 'DirectPhone'), 'direct');
  phones.add(look(lookup, 'MobilePhone') ?? look(lookup, 'CellPhone'), 'mobile');
  phones.add(look(lookup, 'PreferredPhone'), null, look(lookup, 'PreferredPhoneExt')?.text);
  phones.add(look(lookup, 'OfficePhone'), 'office', look(lookup, 'OfficePhoneExt')?.text);
  phones.report(`${place}.phones`, prefix);
  const email = readEmail(look(lookup, 'Email'), place, prefix, findings);
  const licenses = readLicenses(lookup, record, licenseState, place, findings);
  const designation = readDesignation(lookup, place, findings);
  const mediaKeys = [
    textOf(member, 'MemberKey') ?? keys[0] ?? null,
    textOf(member, 'MemberMlsId') ?? keys[1] ?? null,
  ];
  const portrait = readPortrait(lookup, mediaKeys, related, place, findings);
  const office = readOffice(record, role, member, related, place, findings);
  return {
    agent: {
      id: id.text,
      first_name: name.first,
      last_name: name.last,
      ...(portrait !== null && { picture: portrait }),
      ...(designation !== null && { designation }),
      ...(phones.phones.length > 0 && { phones: phones.phones }),
      ...(email !== null && { emails: [{ address: email }] }),
      ...(licenses.length > 0 && { licenses }),
      ...(office.office !== null && { offices: [office.office] }),
    },
    logo: office.logo,
  };
}

function readPortrait(
  lookup: Lookup,
  keys: readonly (string | null)[],
  related: RelatedRecords,
  place: string,
  findings: FindingsCollector,
): string | null {
  const expanded = recordsOf(lookup.own, 'Media');
  const media = expanded.length > 0 ? expanded : related.mediaOf('Member', keys);
  const portrait = readImage(media, ['agentphoto', 'photo']);
  const field = `${lookup.prefix}PhotoURL`;
  const url = portrait === null ? urlOf(lookup.flat, field) : null;
  const isUsable = url !== null && url.length <= URL_MAX_LENGTH && validateUrl(url, false) === null;
  if (url !== null && !isUsable) findings.leaveOut(field, 'it is no http or https URL');
  if (portrait !== null || isUsable) findings.from(`${place}.picture`, isUsable ? field : 'Media of Member');
  else findings.missing(`${place}.picture`, 'Media of Member');
  return portrait ?? (isUsable ? url : null);
}

/** A resource expanded under its own name, in the element that has one of these keys. */
function expanded(
  record: MlsRecord,
  resource: 'Member' | 'Office',
  keys: readonly (string | null)[],
): MlsRecord | undefined {
  const known = keys.filter((key) => key !== null);
  return recordsOf(record, resource).find((each) =>
    [`${resource}Key`, `${resource}MlsId`].some((name) => known.includes(textOf(each, name) ?? '')),
  );
}

function readEmail(
  found: ReturnType<typeof look>,
  place: string,
  prefix: string,
  findings: FindingsCollector,
): string | null {
  if (found === null) {
    findings.missing(`${place}.emails`, `${prefix}Email`);
    return null;
  }
  // Some feeds join several.
  const email = found.text.split(/[;,\s]+/).find(isEmailAddress);
  if (email === undefined)
    findings.leaveOut(found.field, `expected an e-mail address, found ${JSON.stringify(found.text)}`);
  else findings.from(`${place}.emails`, found.field);
  return email ?? null;
}

/** Number and state go together: a licence without its state is left out, unless a person said the state. */
function readLicenses(
  lookup: Lookup,
  record: MlsRecord,
  givenState: string | null,
  place: string,
  findings: FindingsCollector,
): License[] {
  const listed = [
    ...recordsOf(lookup.own, 'MemberStateLicenses'),
    ...recordsOf(record, `${lookup.prefix}StateLicenses`),
  ];
  const licenses: License[] = [];
  const add = (number: string, state: string | null, source: string): void => {
    const isKnown = licenses.some((each) => each.number === number);
    if (isKnown) return;
    const place = state ?? givenState;
    if (place === null)
      findings.leaveOut(source, 'its state is missing: --license-state OR gives it to all such licences');
    else if (number.length > 100 || place.length > 64)
      findings.leaveOut(source, 'a licence has at most 100 characters, a state 64');
    else licenses.push({ number, state: place });
  };
  for (const each of listed) {
    const number = textOf(each, 'MemberStateLicense') ?? textOf(each, 'StateLicense');
    const state = textOf(each, 'MemberStateLicenseState') ?? textOf(each, 'StateLicenseState');
    if (number !== null) add(number, state, 'MemberStateLicenses');
  }
  const single = look(lookup, 'StateLicense');
  if (single !== null) add(single.text, look(lookup, 'StateLicenseState')?.text ?? null, single.field);
  if (single === null && listed.length === 0)
    findings.missing(`${place}.licenses`, `${lookup.prefix}StateLicense`);
  if (licenses.length > 0) findings.from(`${place}.licenses`, single?.field ?? 'MemberStateLicenses');
  return licenses;
}

function readDesignation(lookup: Lookup, place: string, findings: FindingsCollector): string | null {
  const title = textOf(lookup.own, 'JobTitle');
  const flat = textsOf(lookup.flat, `${lookup.prefix}Designation`);
  const letters = flat.length > 0 ? flat : textsOf(lookup.own, 'MemberDesignation');
  const source = title !== null ? `${lookup.prefix}.JobTitle` : `${lookup.prefix}Designation`;
  const designation = title ?? (letters.length > 0 ? letters.join(', ') : null);
  if (designation === null) return null;
  if ([...designation].length > MAX_DESIGNATION_LENGTH) {
    findings.leaveOut(source, `it is longer than ${MAX_DESIGNATION_LENGTH} characters`);
    return null;
  }
  findings.from(`${place}.designation`, source);
  return designation;
}

function readOffice(
  record: MlsRecord,
  role: string,
  member: MlsRecord,
  related: RelatedRecords,
  place: string,
  findings: FindingsCollector,
): { office: Office | null; logo: string | null } {
  const prefix = `${role}Office`;
  const keys = [
    textOf(record, `${prefix}Key`) ?? textOf(member, 'OfficeKey'),
    textOf(record, `${prefix}MlsId`) ?? textOf(member, 'OfficeMlsId'),
  ];
  const own =
    recordsOf(record, prefix)[0] ??
    expanded(record, 'Office', keys) ??
    recordsOf(member, 'Office')[0] ??
    related.find('Office', keys) ??
    NOTHING;
  const lookup: Lookup = { flat: record, own, prefix, ownPrefix: 'Office' };
  const name =
    look(lookup, 'Name') ??
    (textOf(member, 'OfficeName') === null
      ? null
      : { text: textOf(member, 'OfficeName')!, field: `${role}Agent.OfficeName` });
  const phones = new PhoneCollector(textOf(own, 'OfficeCountry') ?? textOf(record, 'Country'), findings);
  phones.add(look(lookup, 'Phone'), 'office', look(lookup, 'PhoneExt')?.text);
  const [phone] = phones.phones;
  const street = [textOf(own, 'OfficeAddress1'), textOf(own, 'OfficeAddress2')]
    .filter((line) => line !== null)
    .join(', ');
  const media = recordsOf(own, 'Media');
  const officeKeys = [
    textOf(own, 'OfficeKey') ?? keys[0] ?? null,
    textOf(own, 'OfficeMlsId') ?? keys[1] ?? null,
  ];
  const logo = readImage(media.length > 0 ? media : related.mediaOf('Office', officeKeys), [
    'officelogo',
    'logo',
  ]);
  if (name === null) findings.missing(`${place}.offices`, `${prefix}Name`);
  else findings.from(`${place}.offices`, name.field);
  const [city, state, postalCode] = ['OfficeCity', 'OfficeStateOrProvince', 'OfficePostalCode'].map((each) =>
    textOf(own, each),
  );
  const address =
    street === ''
      ? null
      : {
          street,
          ...(city && { city }),
          ...(state && { state }),
          ...(postalCode && { postal_code: postalCode }),
        };
  const isEmpty = name === null && phone === undefined && address === null;
  return {
    office: isEmpty
      ? null
      : {
          ...(name !== null && { name: name.text }),
          ...(address !== null && { address }),
          ...(phone !== undefined && { phone_number: phone }),
        },
    logo,
  };
}
