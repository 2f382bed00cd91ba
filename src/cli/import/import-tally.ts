/** Counts over a whole import: how its records ended, and what their listings lack. */
import type { ImportEntry } from './import-records.ts';

/** How many records ended in each state. */
export type ImportCounts = Record<ImportEntry['state'], number>;

/** In the order of the summary. */
const STATES: readonly ImportEntry['state'][] = ['written', 'unchanged', 'kept', 'skipped', 'invalid'];

/** Grows with the fields of a listing, not with the records. */
export class ImportTally {
  readonly counts: ImportCounts = { written: 0, unchanged: 0, kept: 0, skipped: 0, invalid: 0 };
  readonly #missing = new Map<string, number>();

  add({ state, missing }: ImportEntry): void {
    this.counts[state] += 1;
    // A field that several agents lack counts once.
    for (const field of new Set(missing.map((each) => each.field.replace(/\[\d+\]/g, '[]'))))
      this.#missing.set(field, (this.#missing.get(field) ?? 0) + 1);
  }

  /** Fields and how many records lack them, most first. */
  get missing(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#missing].sort(([, a], [, b]) => b - a));
  }

  /** `200 records: 190 written, 10 skipped`. */
  summary(): string {
    const total = STATES.reduce((sum, state) => sum + this.counts[state], 0);
    const parts = STATES.flatMap((state) =>
      this.counts[state] === 0 ? [] : [`${this.counts[state]} ${state}`],
    );
    return `${total} record${total === 1 ? '' : 's'}: ${parts.join(', ')}`;
  }
}
