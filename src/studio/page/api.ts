/** Requests to the studio's server. No state. */
import type { AddedFile, FilePurpose, Problem, StudioState } from '../editor/protocol.ts';

/** The server did what was asked (`ok`), refused it in words, or did not answer. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'conflict'; readonly state: StudioState }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'lost' };

/** `GET`, `POST` or `DELETE` of a path below `/api`, with a body of JSON. */
export function ask(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer<StudioState>> {
  return send<StudioState>(`/api/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
}

/** Copies a file next to the listing. The page then sends the edit that uses it. */
export function sendFile(file: File, purpose: FilePurpose): Promise<Answer<AddedFile>> {
  const query = new URLSearchParams({ name: file.name, for: purpose });
  return send<AddedFile>(`/api/files?${query}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
  });
}

async function send<T>(url: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, init);
    body = await response.json();
  } catch {
    return { kind: 'lost' };
  }
  if (response.ok) return { kind: 'ok', value: body as T };
  if (response.status === 409 && typeof body === 'object' && body !== null && 'revision' in body) {
    return { kind: 'conflict', state: body as StudioState };
  }
  const { message } = body as Partial<Problem>;
  return { kind: 'refused', message: message ?? `The studio answered ${response.status}.` };
}
