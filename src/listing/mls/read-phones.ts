/** Phone numbers of an agent or an office: only those that can be read, each once. */
import type { Phone } from '../listing.ts';
import { readPhone } from '../words/phone.ts';
import type { FindingsCollector } from './findings.ts';

export class PhoneCollector {
  readonly phones: Phone[] = [];
  readonly #seen = new Set<string>();
  readonly #sources: string[] = [];
  readonly #region: string | null;
  readonly #findings: FindingsCollector;

  /** @param country - Two letters; numbers of other texts and of null count as those of the United States. */
  constructor(country: string | null, findings: FindingsCollector) {
    this.#region =
      country !== null && /^[A-Z]{2}$/i.test(country) && country.toUpperCase() !== 'US'
        ? country.toUpperCase()
        : null;
    this.#findings = findings;
  }

  /** Leaves out and reports a number that cannot be read. A repeat is no news. */
  add(
    found: { text: string; field: string } | null,
    type: 'office' | 'mobile' | 'direct' | null,
    extension?: string,
  ): void {
    if (found === null) return;
    const number = extension === undefined ? found.text : `${found.text} ext. ${extension}`;
    const phone: Phone = {
      number,
      ...(type !== null && { type }),
      ...(this.#region !== null && { region: this.#region }),
    };
    const readable = readPhone(phone);
    if (readable === null) {
      this.#findings.leaveOut(found.field, `expected a phone number, found ${JSON.stringify(found.text)}`);
      return;
    }
    const identity = `${readable.e164} ${readable.extension}`;
    if (this.#seen.has(identity)) return;
    this.#seen.add(identity);
    this.phones.push(phone);
    this.#sources.push(found.field);
  }

  report(place: string, prefix: string): void {
    if (this.#sources.length > 0) this.#findings.from(place, ...this.#sources);
    else
      this.#findings.missing(
        place,
        `${prefix}DirectPhone`,
        `${prefix}MobilePhone`,
        `${prefix}PreferredPhone`,
      );
  }
}
