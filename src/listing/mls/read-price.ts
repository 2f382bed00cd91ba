/** The price of a property for the data layers `price` and `label_price`. */
import { formatPrice } from '../words/price.ts';
import type { FindingsCollector } from './findings.ts';
import { lookupKey, type MlsRecord, plainNumberOf, textOf } from './mls-record.ts';
import { isLease, statusOf } from './read-status.ts';

const PER: Readonly<Record<string, string>> = {
  annually: 'a year',
  daily: 'a day',
  monthly: 'a month',
  weekly: 'a week',
};
/** Countries where a dollar sign alone is understood. */
const DOLLARS = new Set(['us', 'usa', 'unitedstates', 'ca', 'can', 'canada', 'pr', 'vi', 'gu']);

/** A closed property never shows what it was offered at: some states do not disclose it. Empty without a price. */
export function readPrice(record: MlsRecord, findings: FindingsCollector): Readonly<Record<string, string>> {
  const isClosed = statusOf(record)?.status === 'Closed';
  const name = isClosed ? 'ClosePrice' : 'ListPrice';
  const amount = plainNumberOf(record, name);
  const given = textOf(record, name);
  if (given === null || amount === 0) {
    findings.missing('price', name);
    return {};
  }
  const digits = amount === null ? '' : Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  const shown = formatPrice(digits);
  if (shown === null) {
    findings.leaveOut(name, `expected an amount such as 450000 or 450,000, found ${JSON.stringify(given)}`);
    return {};
  }
  const country = textOf(record, 'Country');
  if (country !== null && !DOLLARS.has(lookupKey(country)))
    findings.note(
      `${name} is shown in dollars, and Country is ${JSON.stringify(country)}: write another price with its currency`,
    );
  findings.from('price', name);
  const rent = isLease(record) ? withFrequency(record, shown, findings) : null;
  return {
    price: rent ?? digits,
    ...(isClosed && { label_price: isLease(record) ? 'leased for' : 'sold for' }),
  };
}

function withFrequency(record: MlsRecord, shown: string, findings: FindingsCollector): string {
  const frequency = lookupKey(textOf(record, 'LeaseAmountFrequency') ?? '');
  const per = Object.hasOwn(PER, frequency) ? PER[frequency] : undefined;
  if (per === undefined)
    findings.note('the price is a rent, and LeaseAmountFrequency does not say for how long');
  return per === undefined ? shown : `${shown} ${per}`;
}
