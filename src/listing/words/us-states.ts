/** The states and territories whose real-estate commissions grant licenses, by abbreviation. */

const STATES = `
  AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
  DC District of Columbia, FL Florida, GA Georgia, GU Guam, HI Hawaii, ID Idaho, IL Illinois, IN Indiana,
  IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan,
  MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire,
  NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma,
  OR Oregon, PA Pennsylvania, PR Puerto Rico, RI Rhode Island, SC South Carolina, SD South Dakota,
  TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, VI U.S. Virgin Islands, WA Washington,
  WV West Virginia, WI Wisconsin, WY Wyoming`;

export const US_STATES = readPlaces(STATES);

const CODES = new Map(
  US_STATES.flatMap(({ code, name }) => [code, name].map((word) => [word.toLowerCase(), code] as const)),
);

/** `OR` for `OR`, `or` and `Oregon` in any case; any other text trimmed. */
export function stateCode(state: string): string {
  return CODES.get(state.trim().toLowerCase()) ?? state.trim();
}

/** @param list - `OR Oregon, WA Washington`. */
export function readPlaces(list: string): { readonly code: string; readonly name: string }[] {
  return list.split(',').map((place) => {
    const [code, ...words] = place.trim().split(/\s/) as [string, ...string[]];
    return { code, name: words.join(' ') };
  });
}
