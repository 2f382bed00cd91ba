/** What an import found in one record: where each field came from, what was missing, what was left out. */

export interface ImportFindings {
  /** Field of the listing, such as `address.street`, and what it was made from. */
  readonly from: Readonly<Record<string, string>>;
  /** Field of the listing, and the names under which the record could have had it. */
  readonly missing: readonly MissingField[];
  /** Values that a record has and the listing does not. */
  readonly left_out: readonly LeftOut[];
  readonly notes: readonly string[];
}

export interface MissingField {
  readonly field: string;
  readonly expected: readonly string[];
}

export interface LeftOut {
  /** Name of the value: `Media[3]`, `ListAgentEmail`. */
  readonly source: string;
  readonly reason: string;
}

export class FindingsCollector {
  readonly #nameOf: (field: string) => string;
  readonly #from = new Map<string, string>();
  readonly #missing: MissingField[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #notes = new Set<string>();

  /** @param nameOf - How the source calls a field: for CSV with its column. */
  constructor(nameOf: (field: string) => string) {
    this.#nameOf = nameOf;
  }

  from(field: string, ...sources: readonly string[]): void {
    this.#from.set(field, sources.map(this.#nameOf).join(', '));
  }

  missing(field: string, ...expected: readonly string[]): void {
    this.#missing.push({ field, expected });
  }

  leaveOut(source: string, reason: string): void {
    this.#leftOut.push({ source: this.#nameOf(source), reason });
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  result(): ImportFindings {
    return {
      from: Object.fromEntries(this.#from),
      missing: [...this.#missing],
      left_out: [...this.#leftOut],
      notes: [...this.#notes],
    };
  }
}
