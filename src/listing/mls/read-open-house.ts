/** The next open house, for the data layer `open_house`. Times need the place of their clock. */
import type { FindingsCollector } from './findings.ts';
import { lookupKey, type MlsRecord, textOf } from './mls-record.ts';
import { statusOf } from './read-status.ts';

export interface OpenHouseClock {
  /** `2026-11-23`: earlier open houses are over. */
  readonly today: string;
  /** IANA name, in which times with an offset are shown; null when nobody said it. */
  readonly timeZone: string | null;
}

interface Found {
  readonly source: string;
  readonly record: MlsRecord;
  readonly date: string;
}

/** A date, and minutes since midnight; each null when it is unknown. */
interface Moment {
  readonly date: string | null;
  readonly minutes: number | null;
}

/** In the order of the United States, where RESO is used: `Saturday, November 28`. */
const DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

/**
 * @param records - OpenHouse records of the property.
 * @returns `Saturday, November 28, 1 to 4 pm`; null when none is to come.
 */
export function readOpenHouse(
  property: MlsRecord,
  records: readonly MlsRecord[],
  clock: OpenHouseClock,
  findings: FindingsCollector,
): string | null {
  const coming: Found[] = [];
  for (const [index, record] of records.entries()) {
    const source = `OpenHouse[${index}]`;
    const date = dateOf(record, clock);
    const reason = reasonToLeaveOut(property, record, date, clock);
    if (reason === null) coming.push({ source, record, date: date! });
    else findings.leaveOut(source, reason);
  }
  const [next, ...later] = coming.sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
  if (next === undefined) return null;
  for (const { source } of later) findings.leaveOut(source, 'a video shows the next open house only');
  const times = timesOf(next, clock, findings);
  findings.from('open_house', 'OpenHouseDate', ...(times === null ? [] : ['OpenHouseStartTime']));
  const words = DAY.format(new Date(`${next.date}T00:00:00Z`));
  return times === null ? words : `${words}, ${times}`;
}

function reasonToLeaveOut(
  property: MlsRecord,
  record: MlsRecord,
  date: string | null,
  { today }: OpenHouseClock,
): string | null {
  const status = textOf(record, 'OpenHouseStatus');
  if (status !== null && lookupKey(status) !== 'active') return `OpenHouseStatus is ${status}`;
  const type = textOf(record, 'OpenHouseType');
  if (type !== null && lookupKey(type) !== 'public') return `OpenHouseType is ${type}`;
  if (statusOf(property)?.status === 'Closed') return 'the property is closed';
  if (date === null) return 'it has no OpenHouseDate that can be read';
  return date < today ? `it was on ${date}` : null;
}

function sortKey({ date, record }: Found): string {
  return `${date} ${textOf(record, 'OpenHouseStartTime') ?? ''}`;
}

function dateOf(record: MlsRecord, clock: OpenHouseClock): string | null {
  const given = /^(\d{4}-\d{2}-\d{2})(?:$|T)/.exec(textOf(record, 'OpenHouseDate') ?? '')?.[1];
  const date = given ?? readMoment(textOf(record, 'OpenHouseStartTime'), clock)?.date ?? null;
  return date === null || Number.isNaN(Date.parse(`${date}T00:00:00Z`)) ? null : date;
}

/** `1 to 4 pm`, `from 1 pm`; null without a start that can be shown. */
function timesOf(
  { source, record, date }: Found,
  clock: OpenHouseClock,
  findings: FindingsCollector,
): string | null {
  const given = textOf(record, 'OpenHouseStartTime');
  if (given === null) return null;
  const start = readMoment(given, clock);
  const end = readMoment(textOf(record, 'OpenHouseEndTime'), clock);
  if (start === null || start.minutes === null || (start.date !== null && start.date !== date)) {
    const hint =
      start?.minutes === null
        ? 'it is in UTC: --time-zone America/Los_Angeles gives all times that zone'
        : `expected a time on ${date}, found ${JSON.stringify(given)}`;
    findings.leaveOut(`${source}.OpenHouseStartTime`, hint);
    return null;
  }
  if (end?.minutes == null || end.minutes <= start.minutes) return `from ${clockWords(start.minutes)}`;
  const [from, to] = [clockWords(start.minutes), clockWords(end.minutes)];
  const isSameHalf = from.slice(-2) === to.slice(-2);
  return `${isSameHalf ? from.slice(0, -3) : from} to ${to}`;
}

/** `1 pm`, `10:30 am`. */
function clockWords(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  const shown = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${shown} ${hour < 12 ? 'am' : 'pm'}`;
}

/**
 * `13:00`, `1:00 PM`, `2026-11-28T13:00:00` and `…-08:00` as they are written. A time in UTC says when, not what the
 * clock on the wall shows, so it needs the zone.
 */
function readMoment(text: string | null, { timeZone }: OpenHouseClock): Moment | null {
  const [, date, hours, minutes = '0', half, offset] =
    /^(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?(?:\s*([ap])\.?m\.?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text ?? '',
    ) ?? [];
  if (hours === undefined) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59) return null;
  if (date !== undefined && offset !== undefined) {
    const instant = new Date(text!.replace(' ', 'T'));
    if (timeZone !== null) return Number.isNaN(instant.getTime()) ? null : wallTime(instant, timeZone);
    if (/^(?:Z|[+-]00:?00)$/i.test(offset)) return { date: null, minutes: null };
  }
  return { date: date ?? null, minutes: hour * 60 + Number(minutes) };
}

/** The date and the minutes that a clock on the wall shows. @throws RangeError for an unknown zone. */
export function wallTime(instant: Date, timeZone: string | undefined): { date: string; minutes: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  };
}
