/** What a listing announces: headline, status, open house, link; and what is wrong with these texts. */
import { displayText, displayTextOrNull } from '../../../listing/words/display-text.ts';
import { FACT_LAYERS } from '../../../listing/words/facts.ts';
import { type Link, parseLink } from '../../../listing/words/link.ts';
import { clip, type DataValues } from '../../template/data-layers.ts';
import { breakableDates } from '../../text/break-dates.ts';
import { isRtlText } from '../../text/order-runs.ts';
import { MAX_QR_BYTES, type QrCode, toQrCode } from '../qr-code.ts';

export interface Announcements {
  readonly headline: string;
  readonly status: string;
  readonly open_house: string;
  /** What the date is of; blank where the words beside it say so. */
  readonly open_house_label: string;
  readonly open_house_line: string;
  readonly notice: string;
}

/** For an opening whose facts say it. */
export const NO_OPEN_HOUSE = { open_house: '', open_house_label: '', open_house_line: '' } as const;

/** @param on - The card shows neither headline nor status, so its line always says what the date is of. */
export function announcements({ values }: DataValues, on: { readonly isCard?: boolean } = {}): Announcements {
  const text = (name: string) => displayTextOrNull(values[name]) ?? '';
  const headline = text('headline');
  const status = text('status');
  const openHouse = breakableDates(text('open_house'));
  const label = text('label_open_house');
  const beside = [text('open_house'), ...(on.isCard ? [] : [headline, status])];
  const isSaid = label === '' || beside.some((words) => fold(words).includes(fold(label)));
  const shownLabel = openHouse !== '' && !isSaid ? label : '';
  return {
    headline,
    status,
    open_house: openHouse,
    open_house_label: shownLabel,
    // A dot at the end of a line is not shown. The date gives the direction: behind an English label, the comma of a
    // Hebrew date stood on its wrong side.
    open_house_line:
      shownLabel === ''
        ? openHouse
        : `${isRtlText(openHouse) ? '\u200f' : ''}${shownLabel}\u00a0· ${openHouse}`,
    notice: headline || status || openHouse,
  };
}

export interface CodedLink extends Link {
  /** Absent for an address that is too long for a code: it is shown in words only. */
  readonly code?: QrCode;
}

interface ReadLink {
  readonly link: CodedLink | null;
  readonly warnings: readonly string[];
}

/** @param layer - An address of `originals_url` is shown without a code too: the law asks for it. */
export function readLink({ values }: DataValues, layer: 'link' | 'originals_url'): ReadLink {
  const text = values[layer]?.trim() ?? '';
  if (text === '') return { link: null, warnings: [] };
  const warn = (problem: string, end: string) => [
    `template data "${layer}": "${clip(displayText(text))}" ${problem}; ${end}`,
  ];
  const link = parseLink(text);
  if ('problem' in link) return { link: null, warnings: warn(link.problem, 'it is left out') };
  const code = toQrCode(link.url);
  if (code) return { link: { ...link, code }, warnings: [] };
  const isShown = layer === 'originals_url';
  return {
    link: isShown ? link : null,
    warnings: warn(
      `is too long for a QR code that can be scanned from a small video (at most ${MAX_QR_BYTES} characters); use a shorter link`,
      isShown ? 'it is shown in words only' : 'it is left out',
    ),
  };
}

/** A sentence for each data layer whose value is none, such as a price of words for no price. */
export function warnOfFacts({ values }: DataValues): string[] {
  return FACT_LAYERS.flatMap(({ name, format, expected }) => {
    const text = values[name]?.trim() ?? '';
    if (text === '' || format(text) !== null) return [];
    return [
      `template data "${name}": expected ${expected}, found "${clip(displayText(text))}"; it is left out`,
    ];
  });
}

/** True for two spellings of one web address. */
export function isSameAddress(a: string, b: string): boolean {
  return a !== '' && bare(a) === bare(b);
}

function bare(address: string): string {
  return fold(address)
    .replace(/\u200b/g, '')
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
