/** The office of an agent, and its logo. */
import type { Office } from '../listing.ts';
import { cityWords } from '../words/city-words.ts';
import { findOwn, keysOf, type Lookup, look, mediaOf } from './agent-lookup.ts';
import type { FindingsCollector } from './findings.ts';
import { type MlsRecord, textOf } from './mls-record.ts';
import { PhoneCollector } from './read-phones.ts';
import { readImage } from './read-photos.ts';
import type { RelatedRecords } from './related-records.ts';

/** @param member - Own record of the agent, which can name the office too. */
export function readOffice(
  record: MlsRecord,
  role: string,
  member: MlsRecord,
  related: RelatedRecords,
  place: string,
  findings: FindingsCollector,
): { office: Office | null; logo: string | null } {
  const prefix = `${role}Office`;
  const keys = [...keysOf(record, prefix), ...keysOf(member, 'Office')];
  const own = findOwn(record, prefix, 'Office', keys, { related, near: member });
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
  const logo = readImage(mediaOf(own, 'Office', keys, related), ['officelogo', 'logo']);
  if (name === null) findings.missing(`${place}.offices`, `${prefix}Name`);
  else findings.from(`${place}.offices`, name.field);
  const [town, state, postalCode] = ['OfficeCity', 'OfficeStateOrProvince', 'OfficePostalCode'].map((each) =>
    textOf(own, each),
  );
  const city = town && cityWords(town, null).words;
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
