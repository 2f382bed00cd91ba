/** Bedrooms, bathrooms and living area of a property. */
import type { Listing } from '../listing.ts';
import type { FindingsCollector } from './findings.ts';
import { fieldOf, lookupKey, type MlsRecord, numberOf, plainNumberOf, textOf } from './mls-record.ts';

type Facts = Pick<Listing, 'bedrooms' | 'bathrooms' | 'half_bathrooms' | 'interior_square_footage'>;

/** International foot, of which a meter has 1 / 0.3048. */
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

export function readFacts(record: MlsRecord, findings: FindingsCollector): Facts {
  const hasRooms = !WITHOUT_ROOMS.test(lookupKey(textOf(record, 'PropertyType') ?? ''));
  const count = counter(record, hasRooms, findings);
  const bedrooms = count('BedroomsTotal');
  if (bedrooms !== null) findings.from('bedrooms', 'BedroomsTotal');
  else if (hasRooms) findings.missing('bedrooms', 'BedroomsTotal');
  const baths = readBaths(record, hasRooms, count, findings);
  const area = readArea(record, hasRooms, findings);
  return {
    ...(bedrooms !== null && { bedrooms }),
    ...baths,
    ...(area !== null && { interior_square_footage: area }),
  };
}

type Counter = (name: string) => number | null;

function counter(record: MlsRecord, hasRooms: boolean, findings: FindingsCollector): Counter {
  return (name) => {
    const given = textOf(record, name);
    const number = numberOf(record, name);
    if (given === null || (number === 0 && !hasRooms)) return null;
    if (number !== null && Number.isSafeInteger(number) && number >= 0) return number;
    findings.leaveOut(name, `expected a whole number, found ${JSON.stringify(given)}`);
    return null;
  };
}

type Counted = readonly [number | null, ...fields: string[]];

/**
 * As the dictionary counts: a three-quarter bathroom is one of those that `BathroomsFull` may include, and a quarter
 * bathroom one of those that `BathroomsPartial` includes.
 */
function readBaths(record: MlsRecord, hasRooms: boolean, count: Counter, findings: FindingsCollector) {
  const [full, half, partial] = [count('BathroomsFull'), count('BathroomsHalf'), count('BathroomsPartial')];
  const [threeQuarter, oneQuarter] = [count('BathroomsThreeQuarter') ?? 0, count('BathroomsOneQuarter') ?? 0];
  const decimal = readDecimal(record, findings);
  const total = count('BathroomsTotalInteger');
  const smaller: Counted =
    half === null && oneQuarter === 0
      ? [partial, 'BathroomsPartial']
      : [
          (half ?? 0) + oneQuarter,
          ...(half === null ? [] : ['BathroomsHalf']),
          ...(oneQuarter === 0 ? [] : ['BathroomsOneQuarter']),
        ];
  // The total shows that BathroomsFull includes them.
  const isIncluded = full !== null && full + (smaller[0] ?? 0) === total;
  const further = isIncluded ? 0 : threeQuarter;
  const whole = firstOf([
    [
      full === null ? null : full + further,
      'BathroomsFull',
      ...(further === 0 ? [] : ['BathroomsThreeQuarter']),
    ],
    [decimal && Math.floor(decimal), 'BathroomsTotalDecimal'],
    // The total counts every bathroom as one.
    ...(smaller[0] === null
      ? []
      : [[less(total, smaller[0]), `BathroomsTotalInteger less ${smaller.slice(1).join(' and ')}`] as const]),
    [smaller[0] === null ? total : null, 'BathroomsTotalInteger'],
    [threeQuarter === 0 ? null : threeQuarter, 'BathroomsThreeQuarter'],
  ]);
  const halves = firstOf([
    smaller,
    [
      decimal === null ? null : full === null || full === Math.floor(decimal) ? (decimal % 1) * 2 : null,
      'BathroomsTotalDecimal',
    ],
    [full === null ? null : less(total, full + further), 'BathroomsTotalInteger less BathroomsFull'],
  ]);
  if (whole === null) {
    if (hasRooms)
      findings.missing('bathrooms', 'BathroomsFull', 'BathroomsTotalDecimal', 'BathroomsTotalInteger');
    if (halves !== null && halves[0] > 0)
      findings.leaveOut(halves[1]!, 'without full bathrooms it is not shown');
    return {};
  }
  const [wholeCount, ...wholeFields] = whole;
  if (wholeCount === 0 && !halves?.[0]) {
    findings.leaveOut(wholeFields[0]!, 'it is 0, as in feeds where nobody filled it in');
    findings.missing('bathrooms', 'BathroomsFull', 'BathroomsTotalDecimal', 'BathroomsTotalInteger');
    return {};
  }
  findings.from('bathrooms', ...wholeFields);
  if (wholeFields[0] === 'BathroomsTotalInteger' && halves === null)
    findings.note('BathroomsTotalInteger does not tell full from half bathrooms: all count as full');
  if (halves === null) findings.missing('half_bathrooms', 'BathroomsHalf');
  else findings.from('half_bathrooms', ...halves.slice(1).map(String));
  return { bathrooms: wholeCount, ...(halves !== null && { half_bathrooms: halves[0] }) };
}

/** 2 or 2.5; MLSs also write 2.1 for two full and one half, and 2.25 and 2.75, which nothing tells apart. */
function readDecimal(record: MlsRecord, findings: FindingsCollector): number | null {
  const given = textOf(record, 'BathroomsTotalDecimal');
  // A comma with one or two digits after it is no comma for thousands.
  const [, whole, part] = /^(\d{1,2}),(\d{1,2})$/.exec(given ?? '') ?? [];
  const decimal =
    whole === undefined ? numberOf(record, 'BathroomsTotalDecimal') : Number(`${whole}.${part}`);
  if (given === null || (decimal !== null && decimal >= 0 && Number.isSafeInteger(decimal * 2)))
    return decimal;
  findings.leaveOut(
    'BathroomsTotalDecimal',
    decimal === null
      ? `expected a number such as 2 or 2.5, found ${JSON.stringify(given)}`
      : `${decimal} is neither whole nor a half: BathroomsFull and BathroomsHalf would be clear`,
  );
  return null;
}

function firstOf(candidates: readonly Counted[]): readonly [number, ...fields: string[]] | null {
  const found = candidates.find(
    (candidate): candidate is readonly [number, ...string[]] => candidate[0] !== null,
  );
  return found ?? null;
}

/** Null when one is unknown or nothing sensible is left. */
function less(total: number | null, part: number): number | null {
  return total === null || total < part ? null : total - part;
}

function readArea(record: MlsRecord, hasRooms: boolean, findings: FindingsCollector): number | null {
  const area = plainNumberOf(record, 'LivingArea');
  if (area === null || area <= 0) {
    const given = fieldOf(record, 'LivingArea');
    if (area === null && textOf(record, 'LivingArea') !== null)
      findings.leaveOut(
        'LivingArea',
        `expected a number such as 2100 or 2,100, found ${JSON.stringify(given)}`,
      );
    if (hasRooms) findings.missing('interior_square_footage', 'LivingArea');
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
