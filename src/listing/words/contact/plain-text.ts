/** A text in plain characters, so that patterns see one spelling of it. Pure. */
import { toAsciiDigits } from '../phone.ts';

/** Half-open, `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface PlainText {
  /** Compatibility forms replaced (full-width letters too), digits of ASCII, one kind of hyphen and space; case as written. */
  readonly text: string;
  /** The characters of the written text that a span of the plain one stands for. */
  readonly toWritten: (span: Span) => Span;
}

export function toPlainText(written: string): PlainText {
  let text = '';
  const spans: Span[] = [];
  let start = 0;
  for (const character of written) {
    const span = { start, end: start + character.length };
    start = span.end;
    const plain = toAsciiDigits(character.normalize('NFKC'))
      .replace(/\s/gu, ' ')
      .replace(/\p{Pd}/gu, '-')
      .replace(/\p{Cf}/gu, '');
    text += plain;
    for (let unit = 0; unit < plain.length; unit++) spans.push(span);
  }
  return {
    text,
    toWritten: ({ start, end }) => ({ start: spans[start]!.start, end: spans[end - 1]!.end }),
  };
}

/** Where `pattern`, which is global, matches; only the group `it` where the pattern has one. */
export function spansOf(pattern: RegExp, text: string): (Span & { readonly match: RegExpExecArray })[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const it = match.groups?.it;
    const start = it === undefined ? match.index : match.index + match[0].lastIndexOf(it);
    return { start, end: start + (it ?? match[0]).length, match };
  });
}
