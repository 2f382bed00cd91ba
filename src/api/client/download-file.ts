/** Downloads one result file into the resume state, where it appears once its size and digest are right. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { toOutputError } from '../../platform/disk/disk-error.ts';
import { type FileHash, hashFile } from '../../platform/disk/hash-file.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { AddressPolicy } from '../../platform/network/guard-address.ts';
import { NetworkFailure } from '../../platform/network/network-failure.ts';
import type { Answer } from '../../platform/network/open-answer.ts';
import {
  DOWNLOAD_PATIENCE,
  parseRetryAfter,
  TemporaryFailure,
  withRetries,
} from '../../platform/network/retry.ts';
import type { ClientDeps, Transport } from '../../platform/network/transport.ts';
import type { ResumeState } from './resume-state.ts';

/** Far larger than any video of this program; a larger size is refused. */
const MAX_FILE_BYTES = 4 * 2 ** 30;
/** Of one try: 100 MB at 56 kB/s. */
const DOWNLOAD_MS = 30 * 60_000;

export interface DownloadOptions {
  readonly transport: Transport;
  readonly network: ClientDeps;
  readonly resumeState: Pick<ResumeState, 'downloadPath'>;
  /** Where the file can be. */
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called with 0 to 1 as bytes arrive; never decreases. */
  readonly onProgress: (fraction: number) => void;
}

/** A complete and checked file. */
export type DownloadedFile = FileHash & { readonly path: string };

/**
 * Sends no API key: the file names are secret themselves, and the server chooses their host.
 *
 * @param name - In the output folder.
 * @returns Null when the server has no such file. What an earlier command has downloaded is not asked for again.
 * @throws {@link ListingVideoError} `server_unreachable`, `unavailable`, `server_answer_invalid`, `verification_failed`
 *   for bytes that do not match the digest, `disk_full`, `output_unwritable`; the abort reason.
 */
export async function downloadFile(
  url: string,
  name: string,
  options: DownloadOptions,
): Promise<DownloadedFile | null> {
  const file = options.resumeState.downloadPath(name, url);
  const earlier = await hashFile(file).catch(() => null);
  if (earlier !== null) return { path: file, ...earlier };
  let reached = 0;
  const onProgress = (fraction: number): void => {
    reached = Math.max(reached, fraction);
    options.onProgress(reached);
  };
  const download = () =>
    downloadOnce(url, file, { ...options, onProgress }).catch((error: unknown) => {
      throw error instanceof NetworkFailure ? toUnreachable(error, url) : error;
    });
  return withRetries(download, { ...options, patience: DOWNLOAD_PATIENCE });
}

async function downloadOnce(
  url: string,
  file: string,
  options: DownloadOptions,
): Promise<DownloadedFile | null> {
  const answer = await request(url, options);
  if (answer === null) return null;
  try {
    const expected = readHeaders(answer, url);
    await mkdir(path.dirname(file), { recursive: true });
    const part = await open(`${file}.part`, 'w');
    const saving = save(answer.body, part, expected.sizeBytes, options.onProgress);
    const found = await saving.finally(() => part.close());
    if (found.sizeBytes !== expected.sizeBytes)
      throw new TemporaryFailure(invalid(`${url} ended too early`), 'unreachable');
    if (expected.sha256 !== null && expected.sha256 !== found.sha256)
      throw new TemporaryFailure(wrongBytes(url), 'damaged');
    await rename(`${file}.part`, file);
    return { path: file, ...found };
  } catch (error) {
    answer.discard();
    throw toOutputError(error, path.dirname(file));
  }
}

/** Writes at most `maxBytes`, and flushes them. */
async function save(
  body: AsyncIterable<Buffer>,
  part: FileHandle,
  maxBytes: number,
  onProgress: DownloadOptions['onProgress'],
): Promise<FileHash> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of body) {
    if (sizeBytes + piece.length > maxBytes) break;
    await part.writeFile(piece);
    hash.update(piece);
    sizeBytes += piece.length;
    onProgress(sizeBytes / maxBytes);
  }
  await part.datasync();
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Null when the file does not exist. Follows one redirect, to where a server with a bucket has the file. */
async function request(
  url: string,
  { transport, network, policy, signal }: DownloadOptions,
): Promise<Answer | null> {
  const get = (from: URL): Promise<Answer> =>
    transport.send({
      method: 'GET',
      url: from,
      headers: { accept: '*/*' },
      policy,
      signal,
      totalMs: DOWNLOAD_MS,
    });
  const first = await get(new URL(url));
  const elsewhere = first.status === 302 ? readLocation(first, url) : null;
  if (elsewhere !== null) first.discard();
  const answer = elsewhere === null ? first : await get(elsewhere);
  const { status, headers } = answer;
  if (status === 200) return answer;
  answer.discard();
  if (status === 404 || status === 410) return null;
  if (status === 429 || status === 408 || status >= 500) {
    const final = new ListingVideoError('unavailable', `${url}: HTTP status ${status}`);
    throw new TemporaryFailure(final, 'busy', parseRetryAfter(headers['retry-after'], network.nowMs()));
  }
  if (status !== 302) throw invalid(`${url}: HTTP status ${status}`);
  // The address that it leads to is a secret, and stays out of the message.
  throw invalid(
    `${url} leads to an address that is not safe to follow`,
    'a server with https needs a bucket with https (AWS_ENDPOINT_URL_S3), or --proxy-files',
  );
}

/** Null for what is no address, and for one without the encryption of the server. */
function readLocation({ headers }: Answer, url: string): URL | null {
  const location = headers.location ?? '';
  if (!URL.canParse(location, url)) return null;
  const place = new URL(location, url);
  const isSafe = place.protocol === 'https:' || (place.protocol === 'http:' && url.startsWith('http:'));
  return isSafe && place.username + place.password === '' ? place : null;
}

/** Size and digest that the server names. The digest, in hex, is null when it sends none. */
function readHeaders({ headers }: Answer, url: string) {
  const length = headers['content-length'] ?? '';
  const sizeBytes = /^\d{1,15}$/.test(length) ? Number(length) : 0;
  if (sizeBytes === 0 || sizeBytes > MAX_FILE_BYTES) {
    const found = length === '' ? 'none' : `"${length.slice(0, 20)}"`;
    throw invalid(`${url}: expected a valid content-length, found ${found}`);
  }
  const digest = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers['repr-digest'] ?? '')?.[1];
  // Of a file in a bucket.
  const stored = /^[0-9a-f]{64}$/.exec(headers['x-amz-meta-sha256'] ?? '')?.[0] ?? null;
  return {
    sizeBytes,
    sha256: digest === undefined ? stored : Buffer.from(digest, 'base64').toString('hex'),
  };
}

function toUnreachable(failure: NetworkFailure, url: string): Error {
  const final = new ListingVideoError('server_unreachable', `cannot download ${url}: ${failure.message}`, {
    cause: failure,
    hint: 'run the same command again to continue; check that --public-url of the server is the address that clients use',
  });
  return failure.isTemporary ? new TemporaryFailure(final, 'unreachable') : final;
}

function wrongBytes(url: string): ListingVideoError {
  const message = `the bytes of ${url} do not match the server's digest`;
  return new ListingVideoError('verification_failed', message, {
    hint: 'a proxy changes them, or the disk of the server is damaged',
    context: { url },
  });
}

function invalid(message: string, hint?: string): ListingVideoError {
  return new ListingVideoError('server_answer_invalid', message, { hint });
}
