/** What a person types to order photos: numbers of photos. Pure. A photo keeps its number wherever it moves. */

/** An order while it is made. Photos count from 1. */
export interface PhotoOrder {
  /** All photos, first the one that opens the video. */
  readonly sequence: readonly number[];
  /** Photos that the video does not show. */
  readonly left: ReadonlySet<number>;
}

/** The photos of the video in their order. */
export function keptPhotos({ sequence, left }: PhotoOrder): number[] {
  return sequence.filter((photo) => !left.has(photo));
}

/** The new order with the photo to look at, or what is wrong with the text and what would be right. */
export type OrderResult =
  | { readonly ok: true; readonly order: PhotoOrder; readonly moved: number }
  | { readonly ok: false; readonly fault: string };

/**
 * Applies one line of text:
 *
 * - `7`: 7 becomes the first photo; `9 1 3`: these three come first, in this order
 * - `5 to 2`: 5 becomes the second photo; `5 last`: the last one
 * - `5 before 2`, `5 after 2`: next to another photo
 * - `-4`: leaves 4 out; `+4`: takes it back
 *
 * `8-10` stands for `8 9 10` everywhere, and commas are spaces.
 */
export function applyOrderCommand(order: PhotoOrder, text: string): OrderResult {
  const words = text.toLowerCase().replace(/[,;#]/g, ' ').trim().split(/\s+/);
  const count = order.sequence.length;
  const sign = /^[-+]/.exec(words[0] ?? '')?.[0];
  if (sign !== undefined) return leave(order, text, sign === '-');
  const verb = words.findIndex((word) => ['to', 'before', 'after', 'last'].includes(word));
  const named = readNumbers(verb < 0 ? words : words.slice(0, verb), count);
  if (!named.ok) return named;
  const { numbers } = named;
  const rest = order.sequence.filter((photo) => !numbers.includes(photo));
  const put = (at: number): OrderResult => ({
    ok: true,
    order: {
      sequence: [...rest.slice(0, at), ...numbers, ...rest.slice(at)],
      left: without(order.left, numbers),
    },
    moved: numbers[0]!,
  });
  if (verb < 0) return put(0);
  const targets = words.slice(verb + 1);
  if (words[verb] === 'last') return targets.length === 0 ? put(rest.length) : unreadable(text);
  const target = targets.length === 1 ? readNumber(targets[0]!) : null;
  if (target === null) return unreadable(text);
  if (target < 1 || target > count) return unknownNumber(target, count);
  if (words[verb] === 'to') return put(Math.min(target - 1, rest.length));
  const at = rest.indexOf(target);
  if (at < 0) return { ok: false, fault: `${target} cannot stand next to itself` };
  return put(words[verb] === 'before' ? at : at + 1);
}

function leave(order: PhotoOrder, text: string, isOut: boolean): OrderResult {
  // Each number can have its own sign: `-4 -5`.
  const words = text
    .replace(/(^|\s)[-+]\s*/g, '$1')
    .replace(/[,;#]/g, ' ')
    .trim()
    .split(/\s+/);
  const named = readNumbers(words, order.sequence.length);
  if (!named.ok) return named;
  const left = isOut ? new Set([...order.left, ...named.numbers]) : without(order.left, named.numbers);
  return { ok: true, order: { ...order, left }, moved: named.numbers[0]! };
}

type Numbers =
  | { readonly ok: true; readonly numbers: readonly number[] }
  | { readonly ok: false; readonly fault: string };

function readNumbers(words: readonly string[], count: number): Numbers {
  const numbers: number[] = [];
  for (const word of words) {
    const [from, to = from] = word.split('-').map(readNumber);
    if (from == null || to == null || word.split('-').length > 2) return unreadable(words.join(' '));
    for (const end of [from, to]) if (end < 1 || end > count) return unknownNumber(end, count);
    const step = from <= to ? 1 : -1;
    for (let photo = from; photo !== to + step; photo += step) {
      if (numbers.includes(photo)) return { ok: false, fault: `${photo} is named twice` };
      numbers.push(photo);
    }
  }
  return numbers.length === 0 ? unreadable(words.join(' ')) : { ok: true, numbers };
}

function readNumber(word: string): number | null {
  return /^\d{1,4}$/.test(word) ? Number(word) : null;
}

function unknownNumber(number: number, count: number): { ok: false; fault: string } {
  return { ok: false, fault: `there is no photo ${number}: the photos have the numbers 1 to ${count}` };
}

function unreadable(text: string): { ok: false; fault: string } {
  const what = text.trim() === '' ? 'a number is missing' : `"${text.trim().slice(0, 40)}" is not an order`;
  return { ok: false, fault: `${what}: type 7, 9 1 3, 5 to 2, 5 last or -4` };
}

function without(photos: ReadonlySet<number>, numbers: readonly number[]): ReadonlySet<number> {
  return new Set([...photos].filter((photo) => !numbers.includes(photo)));
}
