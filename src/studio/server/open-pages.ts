/**
 * Which pages of a server are open, and when the last has been closed for a while. A page says goodbye when a person
 * closes it. One whose connection ends without that is asleep: a browser put its tab away, and wakes it when it is
 * looked at.
 */

/** After the last page has said goodbye: long enough to reload it, or to find the way back. */
const CLOSED_MS = 60_000;
/** For a page that is to come: a browser can take long to start. */
const FIRST_MS = 10 * 60_000;
/** Between two looks whether that is over for which the last page was not the end. */
const BUSY_MS = 5_000;
/** A tab can sleep for a working day. A browser that was killed says no goodbye either. */
const ASLEEP_MS = 8 * 3_600_000;
/** Of a name that a page gives itself. */
const NAME = /^[\w-]{1,64}$/;

interface OpenPage {
  connections: number;
  hasLeft: boolean;
  asleep: NodeJS.Timeout | undefined;
}

export class OpenPages {
  /** Resolves when no page has been open for a while, and nothing is being done. */
  readonly closed: Promise<void>;
  readonly #pages = new Map<string, OpenPage>();
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #end: () => void = () => {};

  /** @param isBusy - True while something goes on that is not to end, such as a render. */
  constructor(isBusy: () => boolean = () => false) {
    this.#isBusy = isBusy;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.expect();
  }

  /** A page was given an address, and is to come. */
  expect(): void {
    this.#wait(FIRST_MS);
  }

  /**
   * A page has connected.
   *
   * @param name - Of the page, by itself. A connection without a name leaves for good.
   * @returns Called when the connection has ended.
   */
  arrive(name = ''): () => void {
    const isNamed = NAME.test(name);
    const key = isNamed ? name : `connection ${Math.random()}`;
    const page: OpenPage = this.#pages.get(key) ?? { connections: 0, hasLeft: false, asleep: undefined };
    clearTimeout(page.asleep);
    page.connections += 1;
    page.hasLeft = !isNamed;
    this.#pages.set(key, page);
    clearTimeout(this.#timer);
    return () => {
      page.connections -= 1;
      if (page.connections > 0) return;
      if (page.hasLeft) this.#forget(key);
      else page.asleep = setTimeout(() => this.#forget(key), ASLEEP_MS).unref();
    };
  }

  /** A person has closed the page. Its connection ends before or after that. */
  leave(name: string): void {
    const page = this.#pages.get(name);
    if (page === undefined) return;
    page.hasLeft = true;
    if (page.connections === 0) this.#forget(name);
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const { asleep } of this.#pages.values()) clearTimeout(asleep);
  }

  #forget(key: string): void {
    clearTimeout(this.#pages.get(key)?.asleep);
    this.#pages.delete(key);
    if (this.#pages.size === 0) this.#wait(CLOSED_MS);
  }

  #wait(durationMs: number): void {
    clearTimeout(this.#timer);
    if (this.#pages.size > 0) return;
    this.#timer = setTimeout(() => {
      if (this.#isBusy()) this.#wait(BUSY_MS);
      else this.#end();
    }, durationMs).unref();
  }
}
