/**
 * Limits the bodies that are read and validated at once, by number and by bytes, so that many large bodies together
 * cannot use up the memory. One client can use at most half. When several clients use all, a body that is still being
 * received gives way to a client that has less, so that slow uploads keep nobody out.
 */

export interface BodyBudgetLimits {
  readonly maxBodies: number;
  /** Of the bodies as they were sent. A parsed body takes about four times as much memory. */
  readonly maxBytes: number;
}

export interface BodyPlace {
  /** Asks for bytes beyond those that were announced. False: there are none left. */
  grow(bytes: number): boolean;
  /**
   * Resolves in a turn of the event loop that no other large body has: a body of 4 MB keeps the loop busy for a tenth
   * of a second, and between two of them other requests are answered.
   */
  waitForTurn(bytes: number): Promise<void>;
  /** While `act` is set, the place can go to another client: `act` is then called, and the body must be dropped. */
  onGiveWay(act: (() => void) | null): void;
  /** Gives everything back. Further calls do nothing. */
  leave(): void;
}

/** A smaller body is parsed and validated within a few milliseconds. */
const LARGE_BYTES = 128 * 1024;

interface Use {
  bodies: number;
  bytes: number;
}

interface Held {
  readonly own: Use;
  readonly leave: () => void;
  giveWay: (() => void) | null;
}

export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #all: Use = { bodies: 0, bytes: 0 };
  readonly #byClient = new Map<string, Use>();
  /** Oldest first. */
  readonly #held = new Set<Held>();
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place for one body.
   *
   * @param client - Whose half it counts to.
   * @param announcedBytes - Its `Content-Length`; 0 when it is not known.
   * @returns null when the body must wait.
   */
  enter(client: string, announcedBytes: number): BodyPlace | null {
    const own = this.#byClient.get(client) ?? { bodies: 0, bytes: 0 };
    if (!this.#fits(own, 1, announcedBytes)) return null;
    this.#byClient.set(client, own);
    const used: Use = { bodies: 0, bytes: 0 };
    const take = (bodies: number, bytes: number): void => {
      for (const use of [used, own, this.#all]) {
        use.bodies += bodies;
        use.bytes += bytes;
      }
      if (own.bodies === 0) this.#byClient.delete(client);
    };
    const leave = (): void => {
      this.#held.delete(held);
      take(-used.bodies, -used.bytes);
    };
    const held: Held = { own, leave, giveWay: null };
    this.#held.add(held);
    take(1, announcedBytes);
    return {
      grow: (bytes) => {
        if (!this.#fits(own, 0, bytes)) return false;
        take(0, bytes);
        return true;
      },
      waitForTurn: async (bytes) => {
        if (bytes < LARGE_BYTES) return;
        this.#lastTurn = this.#lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
        await this.#lastTurn;
      },
      onGiveWay: (act) => {
        held.giveWay = act;
      },
      leave,
    };
  }

  #fits(own: Use, bodies: number, bytes: number): boolean {
    const { maxBodies, maxBytes } = this.#limits;
    if (own.bodies + bodies > maxBodies / 2 || own.bytes + bytes > maxBytes / 2) return false;
    const wanted = this.#shareOf({ bodies: own.bodies + bodies, bytes: own.bytes + bytes });
    while (this.#all.bodies + bodies > maxBodies || this.#all.bytes + bytes > maxBytes) {
      const largest = this.#findLargest(wanted);
      if (largest === null) return false;
      largest.leave();
      largest.giveWay?.();
    }
    return true;
  }

  /** The oldest body that can give way, of the client with the largest share above `share`. */
  #findLargest(share: number): Held | null {
    let largest: Held | null = null;
    let largestShare = share;
    for (const held of this.#held) {
      const ownShare = this.#shareOf(held.own);
      if (held.giveWay === null || ownShare <= largestShare) continue;
      largest = held;
      largestShare = ownShare;
    }
    return largest;
  }

  #shareOf({ bodies, bytes }: Use): number {
    return Math.max(bodies / this.#limits.maxBodies, bytes / this.#limits.maxBytes);
  }
}
