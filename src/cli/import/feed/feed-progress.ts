/** How far an import of a feed has come: what the cursor takes over after each page. */
import { type MlsRecord, textOf } from '../../../listing/mls/mls-record.ts';
import { earlier, later, toTimestamp, type UnfinishedRun } from './feed-cursor.ts';

export class FeedProgress {
  /** Of this run alone. */
  pages = 0;
  #startedAt: string | null;
  #latest: string | null;
  #held: string | null;
  #properties: number;
  readonly #since: string | null;

  /** @param since - Only what was changed since then is asked for; null for everything. */
  constructor(since: string | null, earlierRun: UnfinishedRun | null) {
    this.#since = since;
    this.#startedAt = earlierRun?.startedAt ?? null;
    this.#latest = earlierRun?.latest ?? null;
    this.#held = earlierRun?.held ?? null;
    this.#properties = earlierRun?.properties ?? 0;
  }

  /** Properties of this run, and of the one that it continues. */
  get properties(): number {
    return this.#properties;
  }

  /** @param nowMs - Of the feed's clock, at its first answer. */
  start(nowMs: number): void {
    this.#startedAt ??= new Date(nowMs).toISOString();
  }

  /** The first page is read again. What is known of the times stays: it only makes the next import read more. */
  restart(): void {
    this.#properties = 0;
  }

  count(record: MlsRecord | null): void {
    this.#properties += 1;
    if (record !== null) this.#latest = later(this.#latest, changeOf(record));
  }

  /** The property is read again by the next import. */
  hold(record: MlsRecord): void {
    this.#held = earlier(this.#held, changeOf(record));
  }

  /** @param next - The page that comes next; null when the feed cannot be asked for it again. */
  unfinished(next: string | null): UnfinishedRun {
    return {
      since: this.#since,
      startedAt: this.#startedAt ?? new Date(0).toISOString(),
      next,
      latest: this.#latest,
      held: this.#held,
      properties: this.#properties,
    };
  }

  /**
   * From when the next import has to read. A property that was changed while its page was read already has a time
   * after the start, so nothing later than the start counts as read.
   */
  nextSince(): string | null {
    const read = earlier(this.#latest, this.#startedAt);
    // Without a property, or times in them, nothing new is known.
    return this.#latest === null ? this.#since : earlier(this.#held, read);
  }
}

/** When the property was changed; null when it does not say. */
function changeOf(record: MlsRecord): string | null {
  return toTimestamp(textOf(record, 'ModificationTimestamp') ?? '');
}
