/** Requests to the studio's server. No state. */
import type { FileProgress, StoredFile } from '../components/listing.ts';
import { sentence } from '../components/words.ts';
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

export async function storeFile(
  file: File,
  purpose: FilePurpose,
  { signal }: FileProgress,
): Promise<StoredFile> {
  const query = new URLSearchParams({ name: file.name, for: purpose });
  const answer = await send<AddedFile>(`/api/files?${query}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
    signal: signal ?? null,
  });
  if (answer.kind === 'ok') return answer.value;
  return { problem: answer.kind === 'refused' ? sentence(answer.message) : 'The studio does not answer.' };
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
  // By a later studio, which does not know this page yet.
  if (response.status === 403) return { kind: 'lost' };
  if (response.ok) return { kind: 'ok', value: body as T };
  if (response.status === 409 && typeof body === 'object' && body !== null && 'revision' in body) {
    return { kind: 'conflict', state: body as StudioState };
  }
  const { message } = body as Partial<Problem>;
  return { kind: 'refused', message: message ?? `The studio answered ${response.status}.` };
}
