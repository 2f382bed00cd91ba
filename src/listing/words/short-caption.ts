/** The beginnings of a caption that say something by themselves. Pure. */

/** Commas and stops that are no part of a number or of `St.`, and dashes between words. */
const CLAUSE_END =
  /[,;:!?](?=\s)|(?<=\p{L}{3})\.(?=\s|$)|[\u060c\u061b\u061f\u06d4\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\u0964]|\s+[-\u2013](?=\s)|\s*\u2014/gu;
/** Such a beginning waits for what follows. */
const WAITS =
  /^(?:after|as|at|before|by|during|for|from|if|in|near|on|once|over|since|under|when|while|with)\s/i;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LEAST_LETTERS = 12;
const LEAST_WORDS = 3;

/** Up to the first comma, colon, dash or stop that leaves a phrase; undefined where there is none. */
export function shortCaption(caption: string): string | undefined {
  return captionBeginnings(caption).slice(1).at(-1);
}

/** The whole caption, and what each comma, colon, dash or stop leaves of it that is a phrase, the longest first. */
export function captionBeginnings(caption: string): string[] {
  const phrases = [...caption.matchAll(CLAUSE_END)]
    .map(({ index }) => caption.slice(0, index).trim())
    .filter((clause) => isPhrase(clause) && /[\p{L}\p{N}]/u.test(caption.slice(clause.length)));
  return [caption, ...phrases.reverse()];
}

function isPhrase(clause: string): boolean {
  const wide = clause.match(WIDE)?.length ?? 0;
  // A letter of these scripts is half a word.
  const letters = [...clause].length + wide;
  const words = clause.split(/\s+/).length + wide / 2;
  const isClosed = ['()', '[]', '“”', '«»', '（）', '「」'].every(
    ([open, close]) => clause.split(open!).length === clause.split(close!).length,
  );
  return letters >= LEAST_LETTERS && words >= LEAST_WORDS && isClosed && !WAITS.test(clause);
}
