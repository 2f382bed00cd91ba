/**
 * How an open page is let in by a later studio of its listing, whose cookie is another one. The key stays in the memory
 * of the page, and never goes out: another program can listen at the address meanwhile.
 */
import type { SessionChallenge } from '../../editor/protocol.ts';

const ADDRESS = '/api/session';

let key: CryptoKey | null = null;

/** Asks for the key, once it can be used. The page works without. */
export async function learnKey(): Promise<void> {
  const { key: text } = (await ask('GET')) ?? {};
  if (key !== null || text === undefined) return;
  const how = { name: 'HMAC', hash: 'SHA-256' };
  key = await crypto.subtle.importKey('raw', fromBase64Url(text), how, false, ['sign']).catch(() => null);
}

/**
 * Asks the studio that answers now for its cookie.
 *
 * @returns `stranger`: it is none of this listing, or no studio. `away`: nothing answers.
 */
export async function comeBack(): Promise<'in' | 'stranger' | 'away'> {
  const given = await ask('GET');
  if (given === null) return 'away';
  if (given.key !== undefined) return 'in';
  if (key === null || typeof given.challenge !== 'string') return 'stranger';
  const message = new TextEncoder().encode(`${given.challenge} ${location.host}`);
  const proof = toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)));
  const answer = await ask('POST', { proof });
  if (answer === null) return 'away';
  return typeof answer.challenge === 'string' ? 'in' : 'stranger';
}

/** Null: no answer. Empty: an answer of another kind. */
async function ask(method: 'GET' | 'POST', body?: object): Promise<Partial<SessionChallenge> | null> {
  const content = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(ADDRESS, { method, ...(body && content) }).catch(() => null);
  if (response === null) return null;
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null;
  return typeof answer === 'object' ? (answer ?? {}) : {};
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
