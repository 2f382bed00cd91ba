/** Requests to the server of the start page. No state. */
import { sentence } from '../components/words.ts';
import type { Problem } from '../editor/protocol.ts';

/** The server did what was asked, or why not, as a sentence. */
export type Answer<T> = { readonly value: T } | { readonly problem: string };

export const AWAY = 'The studio has stopped. Start it again.';

export function get<T>(path: string): Promise<Answer<T>> {
  return send<T>(path, {});
}

export function post<T>(path: string, body: object): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/json' };
  return send<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function postFile<T>(path: string, file: File, signal: AbortSignal | null = null): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/octet-stream' };
  return send<T>(path, { method: 'POST', headers, body: file, signal });
}

async function send<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  try {
    const response = await fetch(`/api/${path}`, init);
    const body: unknown = await response.json();
    if (response.ok) return { value: body as T };
    return { problem: response.status === 403 ? AWAY : sentence((body as Problem).message) };
  } catch {
    return { problem: AWAY };
  }
}
