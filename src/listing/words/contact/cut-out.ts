/** Cuts spans out of a sentence and tidies what is left. Pure. */
import type { Span } from './plain-text.ts';

/** Words that stand only before what is cut: "at", "presented by". */
const LINKS = [
  'at|by|via|with|from|on|or|and|to|of|for|courtesy of|listing agent|agent|broker|realtor',
  '(?:proudly )?(?:presented|listed|offered|marketed|brought to you|shown|sold|represented) by',
].join('|');
/** Words that ask a viewer to call, write or look; they stay where the sentence goes on: "call for a tour". */
const REQUESTS = [
  'call or text|call|text|phone|tel|telephone|cell|mobile|fax|ph|whatsapp|sms|contact|e-?mail|mailto|mail|visit',
  'website|web|url|see|reach|dial|follow|dm|go to|more at|more info(?:rmation)?',
  'llame al?|llama al?|appelez|tél|telefon|anruf',
  '(?<=\\b(?:call|text|email|contact|visit|reach|follow)\\s)(?:me|us)',
].join('|');
const [LINK_AT_END, LEAD_IN_AT_END] = [LINKS, `${LINKS}|${REQUESTS}`].map(
  (words) => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${words})\\s*[.:]?\\s*$`, 'iu'),
) as [RegExp, RegExp];
const GOES_ON = /^\s\p{Ll}/u;
const LEAD_OUTS =
  /^\s*(?:['’]s\b|(?:presents?|presented|proudly presents|or|and|of|at|with)(?=\s*$|\s*[,.;|·])|(?:realtor|broker|agent)s?®?(?=\s*$|\s*[,.;|·)]))/iu;
/** Marks that join two parts of a text. */
const JOINTS = /[\s,;|·•:/&+–—\-=→>»*~\p{So}@]+/u;
const JOINTS_AT_END = new RegExp(`${JOINTS.source}$`, 'u');
const JOINTS_AT_START = new RegExp(`^${JOINTS.source}`, 'u');
const OPENS_AT_END = /(?:[([{“‘«<]|(?<=^|\s)["'])\s*$/u;
const CLOSES_AT_START = /^\s*[)\]}”"'’»>](?!\p{L})/u;

/**
 * The text without the spans, without the words and marks that only led to them, and with a capital where it had one.
 *
 * @param spans - Can overlap.
 * @returns Empty when no word is left.
 */
export function cutOut(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of mergeSpans(spans)) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  let rest = pieces.shift() ?? '';
  for (const piece of [...pieces, text.slice(from)]) rest = joinAcrossCut(rest, piece);
  rest = rest.replace(/ {2,}/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(rest)) return '';
  return /^\P{L}*\p{Lu}/u.test(text) ? rest.replace(/^\P{L}*\p{Ll}/u, (head) => head.toUpperCase()) : rest;
}

export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

function joinAcrossCut(before: string, after: string): string {
  let [head, tail] = [before, after];
  const leadIn = GOES_ON.test(after) ? LINK_AT_END : LEAD_IN_AT_END;
  let joint = '';
  for (let lengthBefore = -1; lengthBefore !== head.length + tail.length; ) {
    lengthBefore = head.length + tail.length;
    const marks = JOINTS_AT_END.exec(head)?.[0] ?? '';
    // Of several marks the first one stood between the part that stays and the part that goes.
    joint = marks.trim()[0] ?? joint;
    head = head.slice(0, head.length - marks.length).replace(leadIn, '');
    tail = tail.replace(LEAD_OUTS, '');
    if (OPENS_AT_END.test(head) && CLOSES_AT_START.test(tail)) {
      head = head.replace(OPENS_AT_END, '');
      tail = tail.replace(CLOSES_AT_START, '');
    }
  }
  const mark = JOINTS_AT_START.exec(tail)?.[0].trim()[0] ?? '';
  tail = tail.replace(JOINTS_AT_START, '');
  if (head.trim() === '') return tail.replace(/^[.!?…)\]}\s]+/u, '');
  if (/^[.!?…]/u.test(tail)) return /[.!?…]$/u.test(head) ? `${head}${tail.slice(1)}` : `${head}${tail}`;
  if (tail.trim() === '') return head;
  if (OPENS_AT_END.test(head) || CLOSES_AT_START.test(tail)) return `${head}${tail}`;
  const between = /[.!?…]$/u.test(head) ? '' : (/[,;|·•–—]/u.exec(joint || mark)?.[0] ?? '');
  return `${head}${/[,;]/.test(between) ? '' : between && ' '}${between} ${tail}`;
}
