/** The fields that a column can be, by their RESO Data Dictionary 2.0 names, and the names that exports give them. */

import { nearestName } from '../../platform/nearest-name.ts';

/** Shorter names resemble too many others. */
const MIN_LENGTH = 4;

/** A list of photo URLs in one cell; the dictionary has a resource for it. */
export const PHOTOS_FIELD = 'Photos';

const OF_AGENT: Readonly<Record<string, string>> = {
  Key: 'agent key',
  MlsId: 'agent id, agent mls id',
  FirstName: 'agent first name',
  LastName: 'agent last name',
  FullName: 'agent, agent name',
  Email: 'agent email, agent email address',
  DirectPhone: 'agent direct phone, agent direct work phone, agent direct',
  MobilePhone: 'agent mobile, agent mobile phone, agent cell, agent cell phone',
  PreferredPhone: 'agent phone, agent phone number',
  PreferredPhoneExt: '',
  OfficePhone: 'agent office phone',
  OfficePhoneExt: '',
  StateLicense: 'agent license, agent license number, agent licence',
  StateLicenseState: 'agent license state',
  Designation: 'agent designation, agent title',
  PhotoURL: 'agent photo, agent photo url, agent picture, agent headshot',
};

const OF_OFFICE: Readonly<Record<string, string>> = {
  Key: '',
  MlsId: 'office id, office mls id',
  Name: 'office, office name',
  Phone: 'office phone',
  PhoneExt: '',
};

/** Field, and other names of its column, which are compared without case, spaces and signs. */
const NAMES: Readonly<Record<string, string>> = {
  ListingId:
    'mls, mls number, mls no, mls id, mls num, listing number, list number, listing no, id, ml, ml number',
  ListingKey: 'matrix unique id, unique id, sysid',
  StandardStatus: 'status, listing status',
  MlsStatus: '',
  PropertyType: 'type, class, property class',
  ListPrice: 'price, listing price, asking price, current price',
  ClosePrice: 'sold price, sale price, selling price, sales price, closed price',
  LeaseAmountFrequency: '',
  UnparsedAddress: 'address, full address, street address, street, property address',
  StreetNumber: 'house number, street no, street num',
  StreetNumberNumeric: '',
  StreetDirPrefix: 'street dir, street direction, dir prefix',
  StreetName: '',
  StreetSuffix: 'street type, suffix',
  StreetSuffixModifier: '',
  StreetDirSuffix: 'dir suffix',
  UnitNumber: 'unit, unit no, apt, apartment, apt number',
  City: 'town, municipality',
  PostalCity: '',
  StateOrProvince: 'state, province',
  PostalCode: 'zip, zip code, postcode',
  Country: '',
  BedroomsTotal: 'beds, bedrooms, beds total, total beds, total bedrooms, br',
  BathroomsFull: 'full baths, baths full, full bathrooms',
  BathroomsHalf: 'half baths, baths half, half bathrooms',
  BathroomsPartial: 'partial baths',
  BathroomsThreeQuarter: '',
  BathroomsOneQuarter: '',
  BathroomsTotalInteger: '',
  BathroomsTotalDecimal: 'baths, bathrooms, baths total, total baths, total bathrooms',
  LivingArea:
    'sqft, sq ft, square feet, square footage, sqft total, total sqft, living sqft, approx sqft, interior square footage',
  LivingAreaUnits: 'area units',
  InternetEntireListingDisplayYN: '',
  InternetAddressDisplayYN: '',
  MlgCanView: '',
  [PHOTOS_FIELD]:
    'photo urls, photo url, images, image urls, pictures, media, media urls, media url, photo links',
  ...ofRole('ListAgent', OF_AGENT, ['', 'list ', 'listing ']),
  ...ofRole('CoListAgent', OF_AGENT, ['co ', 'co list ', 'co listing ']),
  ...ofRole('ListOffice', { ...OF_OFFICE, Name: `${OF_OFFICE.Name}, brokerage, company` }, [
    '',
    'list ',
    'listing ',
  ]),
  ...ofRole('CoListOffice', OF_OFFICE, ['co ', 'co list ', 'co listing ']),
};

function ofRole(
  role: string,
  names: Readonly<Record<string, string>>,
  starts: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([field, others]) => [
      `${role}${field}`,
      others
        .split(', ')
        .filter((other) => other !== '')
        .flatMap((other) => starts.map((start) => `${start}${other}`))
        .join(', '),
    ]),
  );
}

export const CSV_FIELDS: readonly string[] = Object.keys(NAMES);

/** Digits count: `Agent 2 Email` is not that of the first agent. */
function columnKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const BY_NAME = new Map<string, string>();
for (const field of CSV_FIELDS) BY_NAME.set(columnKey(field), field);
for (const [field, others] of Object.entries(NAMES))
  for (const other of others.split(', '))
    if (other !== '' && !BY_NAME.has(columnKey(other))) BY_NAME.set(columnKey(other), field);

/** The field that a name stands for; null when nothing says so. */
export function fieldCalled(name: string): string | null {
  return BY_NAME.get(columnKey(name)) ?? null;
}

/**
 * The name of a column that a misspelled one was probably meant to be, as people write it: `Address` for `Adress`.
 *
 * @param isWanted - Called with the fields that it can be.
 */
export function nearestColumn(name: string, isWanted: (field: string) => boolean): string | null {
  const names = Object.entries(NAMES).flatMap(([field, others]) =>
    isWanted(field) ? [field, ...others.split(', ').filter((other) => other.length >= MIN_LENGTH)] : [],
  );
  const near = name.length < MIN_LENGTH ? undefined : nearestName(name, names);
  return near === undefined ? null : near.charAt(0).toUpperCase() + near.slice(1);
}

/** True for a name of the living area that says that it is in square feet, as all but its own do. */
export function saysSquareFeet(name: string): boolean {
  return fieldCalled(name) === 'LivingArea' && columnKey(name) !== columnKey('LivingArea');
}
