/**
 * Who can use the studio: the browser that opened the address with the token. Other websites, other programs of this
 * machine and names that lead to it (DNS rebinding) are refused.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionChallenge } from '../editor/protocol.ts';

/** Where another process of this user asks for an address that opens a page. */
export const TICKET_PATH = '/api/tickets';

/** A refusal in words; null lets the request pass. */
export type Refusal = string | null;

/** What a request shows of its sender. */
export interface RequestSigns {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Pick<Headers, 'get'>;
}

/** The paths for which nobody needs the cookie: they give one, for a proof. */
const OPEN_PATHS = ['/api/session', TICKET_PATH];
const OPEN_AGAIN = 'open the address that `listing-video studio` printed';

export class StudioGuard {
  /** In the address that is printed. */
  readonly token = randomBytes(24).toString('base64url');
  /** Each works once: it is in the command line of the browser, which other users of the machine can read. */
  readonly #tickets = new Set<string>();
  /** In the cookie. Not the token: an address can end up in a history. */
  readonly #session = randomBytes(24).toString('base64url');
  readonly #challenge = randomBytes(24).toString('base64url');
  readonly #port: () => number;
  readonly #key: Uint8Array;

  /**
   * @param port - Known once the server listens.
   * @param key - Of the studios of the listing.
   */
  constructor(port: () => number, key: Uint8Array) {
    this.#port = port;
    this.#key = key;
  }

  /** For the answer to a request with the right token: the header `Set-Cookie`. */
  get cookie(): string {
    return `${this.#cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** For an address that is opened and not printed; works in place of the token, once. */
  issueTicket(): string {
    const ticket = randomBytes(24).toString('base64url');
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Whether this is the token of the printed address, or a ticket. A ticket that was used is none any more. */
  admits(token: string): boolean {
    if (isEqual(token, this.token)) return true;
    const ticket = [...this.#tickets].find((each) => isEqual(token, each));
    return ticket !== undefined && this.#tickets.delete(ticket);
  }

  /** For a page that was open before this process began, and, with the key, for one that was let in. */
  challenge({ headers }: Pick<RequestSigns, 'headers'>): SessionChallenge {
    const challenge = this.#challenge;
    const isIn = this.#hasCookie(headers.get('cookie') ?? '');
    return isIn ? { challenge, key: Buffer.from(this.#key).toString('base64url') } : { challenge };
  }

  /** Whether an earlier studio of the listing let the sender in, at this address. */
  admitsProof(proof: string): boolean {
    return isEqual(proof, proofOf(this.#key, `${this.#challenge} 127.0.0.1:${this.#port()}`));
  }

  /** Shows to a process that has the key that this server has it, too. @param nonce - Chosen by that process. */
  proveTo(nonce: string): string {
    return proofOf(this.#key, ticketMessage(nonce));
  }

  /**
   * Checked first, also for the request with the token.
   *
   * @param url - Of the request. A target in absolute form has a host of its own, which counts more (RFC 9112, 3.2.2).
   */
  refuseHost(headers: RequestSigns['headers'], url: string): Refusal {
    const port = this.#port();
    const ours = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    const hosts = [headers.get('host') ?? '', new URL(url).host];
    const isOurs = hosts.every((host) => ours.includes(host.toLowerCase()));
    return isOurs ? null : `this studio does not answer under this name: ${OPEN_AGAIN}`;
  }

  /** For every request without the token. */
  refuse({ method, path, headers }: RequestSigns): Refusal {
    const site = headers.get('sec-fetch-site');
    // A link in another page can lead to the studio, but no other page can load anything of it.
    const isLink = path === '/' && headers.get('sec-fetch-mode') === 'navigate';
    if (site !== null && site !== 'same-origin' && site !== 'none' && !isLink)
      return 'another website sent this request';
    if (!OPEN_PATHS.includes(path) && !this.#hasCookie(headers.get('cookie') ?? ''))
      return `this studio is private: ${OPEN_AGAIN}`;
    if (method === 'GET' || method === 'HEAD') return null;
    const isOwn = headers.get('origin')?.toLowerCase() === `http://${headers.get('host')?.toLowerCase()}`;
    return isOwn ? null : 'another website sent this request';
  }

  get #cookieName(): string {
    return `studio-${this.#port()}`;
  }

  #hasCookie(header: string): boolean {
    return header.split(';').some((pair) => {
      const [name, value = ''] = pair.trim().split('=');
      return name === this.#cookieName && isEqual(value, this.#session);
    });
  }
}

/** Base64url of the HMAC with SHA-256. */
export function proofOf(key: Uint8Array, message: string): string {
  return createHmac('sha256', key).update(message).digest('base64url');
}

/** No challenge has this form: an answer to one is no proof of the other. */
export function ticketMessage(nonce: string): string {
  return `ticket for ${nonce}`;
}

/** Takes as long for every text of one length. */
export function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
