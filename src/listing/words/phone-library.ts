/**
 * What we use of libphonenumber, with the metadata of all countries. The build makes one file of it: the package has
 * ninety-six, and to load them costs an unchanged listing a tenth of its time.
 */
export {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
