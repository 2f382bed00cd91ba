/** Bedrooms, bathrooms and living area of a property. */
import type { Listing } from '../listing.ts';
import type { FindingsCollector } from './findings.ts';
import { fieldOf, lookupKey, type MlsRecord, numberOf, textOf } from './mls-record.ts';

type Facts = Pick<Listing, 'bedrooms' | 'bathrooms' | 'half_bathrooms' | 'interior_square_footage'>;

/** International foot, of which a metre has 1 / 0.3048. */
const SQUARE_FEET_PER_SQUARE_METER = 1 / 0.3048 ** 2;
const SQUARE_FEET = new Set(['squarefeet', 'squarefoot', 'sqft', 'sf', 'ft', 'feet']);
const SQUARE_METERS = new Set([
  'squaremeters',
  'squaremeter',
  'squaremetres',
  'squaremetre',
  'sqm',
  'm',
  'meters',
]);
/** Feeds write 0 rooms for what has none. In a video, 0 bedrooms would read as a studio. */
const WITHOUT_ROOMS = /^(?:land|commercial|businessopportunity|farm)/;

/** The facts that the record states. */
export function readFacts(record: MlsRecord, findings: FindingsCollector): Facts {
  const count = counter(record, findings);
  const bedrooms = count('BedroomsTotal');
  if (bedrooms === null) findings.missing('bedrooms', 'BedroomsTotal');
  else findings.from('bedrooms', 'BedroomsTotal');
  const baths = readBaths(record, count, findings);
  const area = readArea(record, findings);
  return {
    ...(bedrooms !== null && { bedrooms }),
    ...baths,
    ...(area !== null && { interior_square_footage: area }),
  };
}

type Counter = (name: string) => number | null;

function counter(record: MlsRecord, findings: FindingsCollector): Counter {
  const hasRooms = !WITHOUT_ROOMS.test(lookupKey(textOf(record, 'PropertyType') ?? ''));
  return (name) => {
    const given = textOf(record, name);
    const number = numberOf(record, name);
    if (given === null || (number === 0 && !hasRooms)) return null;
    if (number !== null && Number.isSafeInteger(number) && number >= 0) return number;
    findings.leaveOut(name, `expected a whole number, found ${JSON.stringify(given)}`);
    return null;
  };
}

function readBaths(record: MlsRecord, count: Counter, findings: FindingsCollector) {
  const [full, half, partial] = [count('BathroomsFull'), count('BathroomsHalf'), count('BathroomsPartial')];
  const decimal = readDecimal(record, findings);
  const total = count('BathroomsTotalInteger');
  for (const name of ['BathroomsThreeQuarter', 'BathroomsOneQuarter'])
    if (count(name) !== null && count(name) !== 0)
      findings.leaveOut(name, 'a listing has full and half bathrooms only');
  const quarters = (count('BathroomsThreeQuarter') ?? 0) + (count('BathroomsOneQuarter') ?? 0);
  const whole = firstOf([
    ['BathroomsFull', full],
    ['BathroomsTotalDecimal', decimal && Math.floor(decimal)],
    // The total counts every bathroom as one.
    ...(half === null
      ? []
      : [['BathroomsTotalInteger less BathroomsHalf', less(total, half + quarters)] as const]),
    ['BathroomsTotalInteger', half === null ? less(total, quarters) : null],
  ]);
  const halves = firstOf([
    ['BathroomsHalf', half],
    ['BathroomsPartial', partial],
    [
      'BathroomsTotalDecimal',
      decimal === null ? null : full === null || full === Math.floor(decimal) ? (decimal % 1) * 2 : null,
    ],
    ['BathroomsTotalInteger less BathroomsFull', full === null ? null : less(total, full + quarters)],
  ]);
  if (whole === null) {
    findings.missing('bathrooms', 'BathroomsFull', 'BathroomsTotalDecimal', 'BathroomsTotalInteger');
    if (halves !== null) findings.leaveOut(halves[0], 'without full bathrooms it is not shown');
    return {};
  }
  findings.from('bathrooms', whole[0]);
  if (whole[0] === 'BathroomsTotalInteger' && halves === null)
    findings.note('BathroomsTotalInteger does not tell full from half bathrooms: all count as full');
  if (halves === null) findings.missing('half_bathrooms', 'BathroomsHalf');
  else findings.from('half_bathrooms', halves[0]);
  return { bathrooms: whole[1], ...(halves !== null && { half_bathrooms: halves[1] }) };
}

/** 2 or 2.5; MLSs also write 2.1 for two full and one half, and 2.25 and 2.75, which nothing tells apart. */
function readDecimal(record: MlsRecord, findings: FindingsCollector): number | null {
  const decimal = numberOf(record, 'BathroomsTotalDecimal');
  if (decimal === null || (decimal >= 0 && Number.isSafeInteger(decimal * 2))) return decimal;
  findings.leaveOut(
    'BathroomsTotalDecimal',
    `${decimal} is neither whole nor a half: BathroomsFull and BathroomsHalf would be clear`,
  );
  return null;
}

function firstOf(
  candidates: readonly (readonly [string, number | null])[],
): readonly [string, number] | null {
  const found = candidates.find((candidate): candidate is readonly [string, number] => candidate[1] !== null);
  return found ?? null;
}

/** Null when one is unknown or nothing sensible is left. */
function less(total: number | null, part: number): number | null {
  return total === null || total < part ? null : total - part;
}

function readArea(record: MlsRecord, findings: FindingsCollector): number | null {
  const area = numberOf(record, 'LivingArea');
  if (area === null || area <= 0) {
    const given = fieldOf(record, 'LivingArea');
    if (area === null && textOf(record, 'LivingArea') !== null)
      findings.leaveOut('LivingArea', `expected a number, found ${JSON.stringify(given)}`);
    findings.missing('interior_square_footage', 'LivingArea');
    return null;
  }
  const units = textOf(record, 'LivingAreaUnits');
  const key = (units ?? '')
    .toLowerCase()
    .replace(/²|2/g, '')
    .replace(/[^a-z]/g, '');
  if (units === null) findings.note('LivingAreaUnits is missing: LivingArea was taken as square feet');
  else if (!SQUARE_FEET.has(key) && !SQUARE_METERS.has(key)) {
    findings.leaveOut(
      'LivingArea',
      `LivingAreaUnits is ${JSON.stringify(units)}, expected Square Feet or Square Meters`,
    );
    return null;
  }
  const feet = SQUARE_METERS.has(key) ? Math.round(area * SQUARE_FEET_PER_SQUARE_METER) : area;
  if (feet < 1) {
    findings.leaveOut('LivingArea', 'it is less than one square foot');
    return null;
  }
  findings.from('interior_square_footage', 'LivingArea', ...(units === null ? [] : ['LivingAreaUnits']));
  return feet;
}
