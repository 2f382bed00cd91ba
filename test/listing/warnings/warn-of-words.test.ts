import { expect, test } from 'vitest';
import { type ShownText, warnOfWords } from '../../../src/listing/warnings/warn-of-words.ts';

const of = (text: string, isStatus = false): ShownText => ({
  loc: ['body', 'assets', 2, 'caption'],
  name: 'the caption of photo 3',
  text,
  isStatus,
});

/** What is quoted of the text, with the code. */
function found(text: string, isStatus = false): string[] {
  return warnOfWords([of(text, isStatus)]).map(
    ({ code, message }) => `${code} ${/says "(.*?)": /.exec(message)![1]}`,
  );
}

test.each([
  // Race, color.
  ['White neighborhood', 'White neighborhood'],
  ['In an exclusive community', 'exclusive community'],
  ['An integrated neighbourhood', 'integrated neighbourhood'],
  ['Safe streets, low crime', 'Safe streets'],
  ['A traditional neighborhood', 'traditional neighborhood'],
  ['White private home', 'White private home'],
  ['No minorities', 'No minorities'],
  // National origin.
  ['Hispanic residence', 'Hispanic'],
  ['Heart of the Asian community', 'Asian community'],
  ['English only', 'English only'],
  ['Must speak English.', 'Must speak English'],
  ['No immigrants', 'No immigrants'],
  ['Spanish-speaking community', 'Spanish-speaking community'],
  ['Italian families all around', 'Italian families'],
  // Religion.
  ['Christian home', 'Christian home'],
  ['Quiet Jewish neighborhood', 'Jewish neighborhood'],
  ['Walking distance to the synagogue', 'synagogue'],
  ["Close to St. Paul's Church", "Close to St. Paul's Church"],
  ['Steps from the Mormon temple', 'Steps from the Mormon temple'],
  ['No Muslims', 'No Muslims'],
  // Sex.
  ['Females only', 'Females only'],
  ['Perfect for a single woman', 'Perfect for a single woman'],
  ['The ultimate bachelor pad', 'bachelor pad'],
  ['Gentleman preferred', 'Gentleman preferred'],
  // Handicap.
  ['Able-bodied tenants', 'Able-bodied'],
  ['Must be able to climb stairs', 'Must be able to climb'],
  ['Not suitable for wheelchairs', 'Not suitable for wheelchairs'],
  ['No service animals', 'No service animals'],
  ['Healthy people only', 'Healthy people'],
  // Familial status.
  ['ADULTS ONLY', 'ADULTS ONLY'],
  ['Adults-only building', 'Adults-only'],
  ['Quiet adult living', 'adult living'],
  ['No kids', 'No kids'],
  ['no  children, please', 'no children'],
  ['Family-friendly street', 'Family-friendly'],
  ['Family\u2011friendly street', 'Family\u2011friendly'],
  ['Perfect for families', 'Perfect for families'],
  ['Ideal for a young couple', 'Ideal for a young couple'],
  ['The perfect home for your growing family', 'perfect home for your growing family'],
  ['Great for empty nesters!', 'Great for empty nesters'],
  ['Perfect for retirees', 'Perfect for retirees'],
  ['Singles preferred', 'Singles preferred'],
  ['Young professionals wanted', 'Young professionals'],
  ['Senior living', 'Senior living'],
  ['Mature couple preferred', 'Mature couple'],
  ['A family neighborhood', 'family neighborhood'],
  ['Ｎｏ ｋｉｄｓ', 'Ｎｏ ｋｉｄｓ'],
  ['No\u200b ki\u00adds', 'No kids'],
  ['Sólo adultos', 'Sólo adultos'],
  ['No se aceptan niños', 'No se aceptan niños'],
  ['Ideal para familias', 'Ideal para familias'],
  // Source of income.
  ['No Section 8', 'No Section 8'],
])('%s: warns', (text, words) => {
  expect(found(text)[0]).toBe(`fair_housing ${words}`);
});

test.each([
  // HUD's memorandum of 1995, and the lists of words that are fine.
  'Master bedroom with a view',
  'Bachelor apartment over the garage',
  'Mother-in-law suite',
  'Family room with a fireplace',
  'The white family room',
  'Single-family home',
  'Multi-family building in a single-family neighborhood',
  'Within walking distance to shops',
  'Walking distance of the bus stop',
  'Great view, quiet streets',
  'Quiet neighborhood, desirable location',
  'Handicap accessible, with a wheelchair ramp',
  'Wheelchair accessible bath',
  'Apartment complex with chapel',
  'Kosher kitchen',
  'Merry Christmas and happy Easter',
  'No smoking, no pets',
  'Near schools and the senior center',
  'Nursery beside the main bedroom',
  'Credit check required',
  'Gated community with a pool',
  'A 55+ active adult community',
  'Adult community, 62 and older',
  // Houses, streets and names.
  'White kitchen, black granite, colored glass',
  'White oak floors and a white picket fence',
  'White building with black shutters',
  'Spanish home with Mexican tile',
  'Italian marble, French doors, Persian rug',
  'Persian area rug stays',
  'Polished concrete floors',
  'Indian Wells, near Irish Road',
  'Close to Church Street shops',
  'Church Street at dusk',
  'Converted church with stained glass',
  'Chinatown, two blocks away',
  'Spanish-speaking agent',
  'Safe deposit and gun safe included',
  'Exclusive listing by Harbor & Pine',
  'Traditional style with modern baths',
  'Restricted parking on weekends',
  'Mature trees shade the lawn',
  'Blinds in every room, no blind corners',
  'Fire-retardant roof',
  'Be able to walk to the beach',
  'Changing area by the pool',
  'Perfect for a family dinner',
  'Great for entertaining',
  'Perfect for family gatherings',
  'A room for kids and guests',
  "Kids' bedroom",
  'No, children can use the pool',
  'Adults: only the spa needs a key',
  'Young orchard of apple trees',
  'Retired brick from the old mill',
  'Men at work: new roof in 2025',
  'The Singles Club House',
  'Coming soon: a new park',
  'Section 8 of the survey map',
  '',
])('%s: does not warn', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['Coming soon', 'Coming soon'],
  ['COMING-SOON!', 'COMING-SOON'],
  ['Coming to the market soon', 'Coming to the market'],
  ['Pre-market', 'Pre-market'],
  ['Premarket opportunity', 'Premarket'],
  ['Off-market', 'Off-market'],
  ['Pocket listing', 'Pocket listing'],
  ['Sneak peek', 'Sneak peek'],
  ['See it before it hits the market', 'before it hits the market'],
  ['Not yet on the MLS', 'Not yet on the MLS'],
  ['Private exclusive', 'Private exclusive'],
  ['Coming this spring', 'Coming this spring'],
  ['Próximamente', 'Próximamente'],
  ['Pronto a la venta', 'Pronto a la venta'],
  ['Bientôt en vente', 'Bientôt en vente'],
  ['即将上市', '即将上市'],
])('status %s: warns', (text, words) => {
  expect(found(text, true)).toEqual([`coming_soon ${words}`]);
});

test.each([
  'Just listed',
  'Back on the market',
  'New to market',
  'Price improved',
  'Open house Saturday',
  'Sold in one week',
  'Under contract',
  'Pending',
  'On the market for the first time in 40 years',
  'Exclusive',
])('status %s: does not warn', (text) => {
  expect(found(text, true)).toEqual([]);
});

test('a warning has the place, the code, the text, the rule and what to do', () => {
  expect(warnOfWords([of('Family-friendly')])).toEqual([
    {
      loc: ['body', 'assets', 2, 'caption'],
      code: 'fair_housing',
      message:
        'the caption of photo 3 says "Family-friendly": the Fair Housing Act (24 CFR 100.75) forbids advertisements that show a preference based on familial status: describe the home, not people',
    },
  ]);
});

test('a text that several videos show is warned of once, several words of a text each', () => {
  const warnings = warnOfWords([of('No kids, adults only. No kids!'), of('No kids, adults only. No kids!')]);
  expect(warnings.map(({ message }) => /"(.*?)"/.exec(message)![1])).toEqual(['No kids', 'adults only']);
});

test('a hostile text takes no time to speak of', () => {
  const hostile = ['near a b c ', 'perfect for a young ', 'no | ', '+'].map((part) => part.repeat(2000));
  expect(hostile.flatMap((text) => found(text, true))).toEqual([]);
});
