/** Warns of slips in prices: words that are none, points for thousands, and short forms that a video shows as they are. Pure. */
import { formatPrice, hasPointForThousands, readsAsPrice, spelledAmount } from '../words/price.ts';

/** Of a text that a message quotes. */
const MAX_LENGTH = 60;

/** Null for a price that reads as one. With its dollar sign, `$1.25M` is how somebody wants it. */
export function warnOfPrice(text: string): string | null {
  const found = `the price is "${text.slice(0, MAX_LENGTH)}"`;
  if (!readsAsPrice(text))
    return `${found}, which has no digit: write an amount such as $500,000, or "Price on request"`;
  if (hasPointForThousands(text))
    return `${found}, with a point for thousands: write an amount such as 450000 or 450,000, or its currency, such as € 450.000`;
  const amount = text.includes('$') ? null : spelledAmount(text);
  return amount && `${found}, and is shown so: write ${amount} to show ${formatPrice(amount)}`;
}
