/** The listing agents of a property: from its List and CoList fields, and the Member and Office records they name. */
import type { Agent } from '../listing.ts';
import { URL_MAX_LENGTH } from '../rules/agent-schema.ts';
import { isEmailAddress } from '../rules/email-address.ts';
import { validateUrl } from '../rules/validate-url.ts';
import { toId } from '../words/to-id.ts';
import { type Found, findOwn, keysOf, type Lookup, look, mediaOf } from './agent-lookup.ts';
import type { FindingsCollector } from './findings.ts';
import { type MlsRecord, textOf, textsOf, urlOf } from './mls-record.ts';
import { readLicenses } from './read-licenses.ts';
import { readName } from './read-name.ts';
import { readOffice } from './read-office.ts';
import { PhoneCollector } from './read-phones.ts';
import { readImage } from './read-photos.ts';
import type { RelatedRecords } from './related-records.ts';

const MAX_DESIGNATION_LENGTH = 255;

export interface AgentSources {
  readonly related: RelatedRecords;
  /** State of licenses that name none; null when nobody said it. */
  readonly licenseState: string | null;
}

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
    const next = readAgent(record, role, found, sources, findings);
    if (next !== null) found.push(next);
  }
  return found;
}

function readAgent(
  record: MlsRecord,
  role: 'List' | 'CoList',
  known: readonly FoundAgent[],
  { related, licenseState }: AgentSources,
  findings: FindingsCollector,
): FoundAgent | null {
  const prefix = `${role}Agent`;
  const keys = keysOf(record, prefix);
  const member = findOwn(record, prefix, 'Member', keys, { related });
  const lookup: Lookup = { flat: record, own: member, prefix, ownPrefix: 'Member' };
  const name = readName((field) => look(lookup, field), findings);
  const place = `agents[${known.length}]`;
  if (name === null) {
    const key = keys.find((each) => each !== null);
    if (role === 'List' || key !== undefined)
      findings.missing(place, `${prefix}FullName`, `Member of ${prefix}Key`);
    return null;
  }
  const id = look(lookup, 'MlsId') ??
    look(lookup, 'Key') ?? {
      text: toId(`${name.first} ${name.last}`) || 'agent',
      field: `${prefix}FullName`,
    };
  if (known.some(({ agent }) => agent.id === id.text)) {
    findings.leaveOut(id.field, 'it is the listing agent again');
    return null;
  }
  findings.from(place, ...name.sources);
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
  const portrait = readPortrait(lookup, keys, related, place, findings);
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
  const portrait = readImage(mediaOf(lookup.own, 'Member', keys, related), [
    'agentphoto',
    'memberphoto',
    'photo',
  ]);
  const field = `${lookup.prefix}PhotoURL`;
  const url = portrait === null ? urlOf(lookup.flat, field) : null;
  const isUsable = url !== null && url.length <= URL_MAX_LENGTH && validateUrl(url, false) === null;
  if (url !== null && !isUsable) findings.leaveOut(field, 'it is no http or https URL');
  if (portrait !== null || isUsable) findings.from(`${place}.picture`, isUsable ? field : 'Media of Member');
  else findings.missing(`${place}.picture`, 'Media of Member');
  return portrait ?? (isUsable ? url : null);
}

function readEmail(
  found: Found | null,
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
