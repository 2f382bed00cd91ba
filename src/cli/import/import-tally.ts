/** Counts over a whole import: how its records ended, and what their listings lack. */
import { countWords } from '../../listing/words/count-words.ts';
import type { ImportEntry } from './import-records.ts';

export type ImportCounts = Record<ImportEntry['state'], number>;

/** In the order of the summary. */
const STATES: readonly ImportEntry['state'][] = ['written', 'unchanged', 'kept', 'skipped', 'invalid'];

const MAX_KINDS = 100;

/** Grows with the fields of a listing, not with the records. */
export class ImportTally {
  readonly counts: ImportCounts = { written: 0, unchanged: 0, kept: 0, skipped: 0, invalid: 0 };
  readonly #missing = new Map<string, number>();
  /** Kind of line in the report, and how many records have it for each reason. */
  readonly #reasons = {
    invalid: new Map<string, number>(),
    skipped: new Map<string, number>(),
    'left out': new Map<string, number>(),
    note: new Map<string, number>(),
  };

  add({ state, missing, reasons, left_out: leftOut, notes }: ImportEntry): void {
    this.counts[state] += 1;
    // A field that several agents lack counts once.
    addTo(
      this.#missing,
      missing.map((each) => each.field.replace(/\[\d+\]/g, '[]')),
    );
    if (state === 'invalid' || state === 'skipped') addTo(this.#reasons[state], reasons.map(kindOf));
    addTo(
      this.#reasons['left out'],
      leftOut.map(({ source, reason }) => kindOf(`${source}: ${reason}`)),
    );
    addTo(this.#reasons.note, notes.map(kindOf));
  }

  /** Fields and how many records lack them, most first. */
  get missing(): Readonly<Record<string, number>> {
    return Object.fromEntries(sorted(this.#missing));
  }

  /** What a person should look at after many records: kind of line, then text and number of records, most first. */
  get attention(): Readonly<Record<string, readonly (readonly [string, number])[]>> {
    const { invalid, skipped, 'left out': leftOut, note } = this.#reasons;
    return {
      invalid: sorted(invalid),
      skipped: sorted(skipped),
      missing: sorted(this.#missing),
      'left out': sorted(leftOut),
      note: sorted(note),
    };
  }

  /** `200 records: 190 written, 10 skipped`. */
  summary(): string {
    const total = STATES.reduce((sum, state) => sum + this.counts[state], 0);
    const parts = STATES.flatMap((state) =>
      this.counts[state] === 0 ? [] : [`${this.counts[state]} ${state}`],
    );
    const what = countWords(total, 'record');
    return parts.length === 0 ? what : `${what}: ${parts.join(', ')}`;
  }
}

/** Counts each text once. Feeds can give endless reasons, so new ones are not counted after a while. */
function addTo(counts: Map<string, number>, texts: readonly string[]): void {
  for (const text of new Set(texts))
    if (counts.has(text) || counts.size < MAX_KINDS) counts.set(text, (counts.get(text) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Without what differs from record to record: numbers of media, what was found, places. */
function kindOf(text: string): string {
  return text
    .replace(/\[\d+\]/g, '')
    .replace(/, found ".*$|, this one has \d+$|, there (?:are|is) (?:none|\d+)$/s, '')
    .replace(/^(its ListingKey is that of) .*$/s, '$1 an earlier record')
    .replace(/^.*(?= of an earlier import (?:is|stays))/s, 'a listing')
    .replace(/^PhotosCount is .*$/s, 'PhotosCount is more than the records of Media')
    .replace(/^(BathroomsTotalDecimal:) [\d.]+ is/, '$1 it is');
}
