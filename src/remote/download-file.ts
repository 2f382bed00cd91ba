/**
 * Downloads one result file into the resume state. It continues after an earlier try or command, only under the same
 * strong ETag (RFC 9110, 13.1.5 and 14), and checks size and digest.
 */
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { toOutputError } from '../platform/disk/disk-error.ts';
import { hashFile } from '../platform/disk/hash-file.ts';
import { ListingVideoError } from '../platform/errors.ts';
import type { AddressPolicy } from '../platform/network/guard-address.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure } from '../api/client/network-failure.ts';
import type { PartialFile, ResumeState } from './resume-state.ts';
import { nextWaitMs, parseRetryAfter, TemporaryFailure } from '../api/client/retry.ts';
import type { Answer, Transport } from '../api/client/transport.ts';

/** Far larger than any video of this program; a larger size is refused. */
const MAX_FILE_BYTES = 4 * 2 ** 30;
/** Tries in a row without a new byte. */
const MAX_IDLE_TRIES = 8;
/** Tries in total, against a server that closes the connection after every byte. */
const MAX_TRIES = 200;
/** Restarts because the file has changed or its bytes are wrong. */
const MAX_RESTARTS = 3;
const MAX_WAIT_MS = 60_000;
/** Of one connection: 100 MB at 56 kB/s. A longer download continues with the next one. */
const CONNECTION_MS = 30 * 60_000;

export interface DownloadOptions {
  readonly transport: Transport;
  readonly network: NetworkDeps;
  readonly resumeState: ResumeState;
  /** Where the file can be. */
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called with 0 to 1 as bytes arrive. */
  readonly onProgress: (fraction: number) => void;
}

/** A complete and checked file in the resume state. */
export interface DownloadedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** The downloaded bytes are useless: the file has changed, or they are wrong. */
class UselessPart extends Error {
  readonly final: ListingVideoError;

  constructor(final: ListingVideoError) {
    super(final.message);
    this.final = final;
  }
}

/**
 * Sends no API key: the file names are secret themselves, and the server chooses their host.
 *
 * @param name - In the resume state.
 * @returns Null when the server has no such file.
 * @throws {@link ListingVideoError} `server_unreachable`, `unavailable`, `server_answer_invalid`, `verification_failed`
 *   for bytes that do not match the digest, `disk_full`, `output_unwritable`; the abort reason.
 */
export async function downloadFile(
  url: string,
  name: string,
  options: DownloadOptions,
): Promise<DownloadedFile | null> {
  const { resumeState, network, signal, warn } = options;
  const part = resumeState.partPath(name);
  let idleTries = 0;
  let restarts = 0;
  for (let tries = 1; ; tries += 1) {
    const before = await sizeOf(part);
    try {
      return await tryOnce(url, name, options);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UselessPart) {
        await resumeState.removePart(name);
        restarts += 1;
        if (restarts > MAX_RESTARTS) throw error.final;
        continue;
      }
      const failure = error instanceof NetworkFailure ? toTemporary(error, url) : error;
      if (!(failure instanceof TemporaryFailure)) throw failure;
      idleTries = (await sizeOf(part)) > before ? 0 : idleTries + 1;
      if (idleTries >= MAX_IDLE_TRIES || tries >= MAX_TRIES) throw failure.final;
      if (idleTries === 1) warn(`${failure.message}; trying again`);
      const waitMs = nextWaitMs(idleTries, failure.retryAfterMs, network.random());
      await network.delay(Math.min(MAX_WAIT_MS, waitMs), signal);
    }
  }
}

async function tryOnce(url: string, name: string, options: DownloadOptions): Promise<DownloadedFile | null> {
  const { resumeState, onProgress } = options;
  const partPath = resumeState.partPath(name);
  let part = await resumable(url, name, resumeState);
  const haveBytes = part === null ? 0 : await sizeOf(partPath);
  if (part === null || haveBytes < part.sizeBytes) {
    const answer = await ask(url, part === null || haveBytes === 0 ? null : { part, haveBytes }, options);
    if (answer === null) return null;
    let fromByte = 0;
    try {
      if (answer.status === 206 && part !== null) {
        requireContinuation(answer, part, haveBytes, url);
        fromByte = haveBytes;
      } else {
        part = toPartialFile(answer, url);
        // Removed first: after a crash, bytes of another file must not count as the start of this one.
        await resumeState.removePart(name);
        await resumeState.writePart(name, part);
      }
    } catch (error) {
      answer.discard();
      throw error;
    }
    await save(answer, partPath, fromByte, part, onProgress);
  }
  const found = await hashFile(partPath);
  if (found.sizeBytes !== part.sizeBytes) {
    throw new TemporaryFailure(invalid(`${url} ended too early`), 'unreachable');
  }
  if (part.sha256 !== null && part.sha256 !== found.sha256) throw new UselessPart(wrongBytes(url));
  onProgress(1);
  return { path: partPath, ...found };
}

/** The state of a partial file that can be continued; null for none. */
async function resumable(url: string, name: string, resumeState: ResumeState): Promise<PartialFile | null> {
  const part = await resumeState.readPart(name);
  if (part === null || part.url !== url || part.etag === null) return null;
  return (await sizeOf(resumeState.partPath(name))) <= part.sizeBytes ? part : null;
}

async function ask(
  url: string,
  resume: { readonly part: PartialFile; readonly haveBytes: number } | null,
  { transport, network, policy, signal }: DownloadOptions,
): Promise<Answer | null> {
  const get = (from: URL): Promise<Answer> =>
    transport.send({
      method: 'GET',
      url: from,
      headers: {
        accept: '*/*',
        ...(resume === null
          ? {}
          : { range: `bytes=${resume.haveBytes}-`, 'if-range': String(resume.part.etag) }),
      },
      policy,
      totalMs: CONNECTION_MS,
      signal,
    });
  const first = await get(new URL(url));
  const elsewhere = first.status === 302 ? readLocation(first, url) : null;
  if (elsewhere !== null) first.discard();
  const answer = elsewhere === null ? first : await get(elsewhere);
  const { status, headers } = answer;
  if (status === 200 || (status === 206 && resume !== null)) return answer;
  answer.discard();
  if (status === 404 || status === 410) return null;
  if (status === 416 && resume !== null) throw new UselessPart(invalid(`${url} changes with every request`));
  if (status === 429 || status === 408 || status >= 500) {
    const final = new ListingVideoError('unavailable', `${url}: HTTP status ${status}`);
    throw new TemporaryFailure(final, 'busy', parseRetryAfter(headers['retry-after'], network.nowMs()));
  }
  if (status === 302) throw unsafeRedirect(url);
  throw invalid(`${url}: HTTP status ${status}`);
}

/**
 * Where a server with a bucket has the file. The place is as secret as the file, and changes with every request, so nothing keeps
 * it. Null for what is no place, and for one without the encryption of the server.
 */
function readLocation({ headers }: Answer, url: string): URL | null {
  const location = headers.location ?? '';
  if (!URL.canParse(location, url)) return null;
  const place = new URL(location, url);
  const isSafe = place.protocol === 'https:' || (place.protocol === 'http:' && url.startsWith('http:'));
  return isSafe && place.username + place.password === '' ? place : null;
}

/** @throws {@link UselessPart} when the answer does not continue where the part ends. */
function requireContinuation(answer: Answer, part: PartialFile, haveBytes: number, url: string): void {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '');
  const [first, last, total] = (range ?? []).slice(1).map(Number);
  const isSame = (answer.headers.etag ?? part.etag) === part.etag && total === part.sizeBytes;
  if (isSame && first === haveBytes && last === part.sizeBytes - 1) return;
  throw new UselessPart(invalid(`${url} changes with every request`));
}

/** The server's data about a file that it sends from its start. */
function toPartialFile({ headers }: Answer, url: string): PartialFile {
  const length = headers['content-length'] ?? '';
  const sizeBytes = /^\d{1,15}$/.test(length) ? Number(length) : 0;
  if (sizeBytes === 0 || sizeBytes > MAX_FILE_BYTES) {
    const found = length === '' ? 'none' : `"${length.slice(0, 20)}"`;
    throw invalid(`${url}: expected a valid content-length, found ${found}`);
  }
  const etag = headers.etag;
  // Of a file in a bucket.
  const stored = /^[0-9a-f]{64}$/.exec(headers['x-amz-meta-sha256'] ?? '')?.[0] ?? null;
  const digest = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(headers['repr-digest'] ?? ''))?.[1];
  return {
    url,
    etag: etag?.startsWith('"') && etag.length < 1_000 ? etag : null,
    sizeBytes,
    sha256: digest === undefined ? stored : Buffer.from(digest, 'base64').toString('hex'),
  };
}

/** Appends the body; written bytes stay when the rest fails. */
async function save(
  answer: Answer,
  part: string,
  fromByte: number,
  { sizeBytes, url }: PartialFile,
  onProgress: DownloadOptions['onProgress'],
): Promise<void> {
  const onDisk = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      answer.discard();
      throw toOutputError(error, path.dirname(part));
    });
  await onDisk(mkdir(path.dirname(part), { recursive: true }));
  const file = await onDisk(open(part, fromByte === 0 ? 'w' : 'r+'));
  try {
    let atByte = fromByte;
    for await (const piece of answer.body) {
      if (atByte + piece.length > sizeBytes)
        throw new UselessPart(invalid(`${url} is longer than its stated length`));
      await onDisk(writeAll(file, piece, atByte));
      atByte += piece.length;
      onProgress(atByte / sizeBytes);
    }
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, piece: Buffer, atByte: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, atByte + done);
    done += bytesWritten;
  }
}

/** 0 for an absent file. */
async function sizeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => null);
  return facts?.size ?? 0;
}

function toTemporary(failure: NetworkFailure, url: string): TemporaryFailure | ListingVideoError {
  const final = new ListingVideoError('server_unreachable', `cannot download ${url}: ${failure.detail}`, {
    cause: failure,
    hint: 'run the same command again to continue; check that --public-url of the server is the address that clients use',
  });
  return failure.isTemporary ? new TemporaryFailure(final, 'unreachable') : final;
}

function wrongBytes(url: string): ListingVideoError {
  return new ListingVideoError(
    'verification_failed',
    `the bytes of ${url} do not match the server's digest`,
    {
      hint: 'a proxy changes them, or the disk of the server is damaged',
      context: { url },
    },
  );
}

/** The address that it leads to is a secret, and stays out of the message. */
function unsafeRedirect(url: string): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `${url} leads to an address that is not safe to follow`,
    {
      hint: 'a server with https needs a bucket with https (AWS_ENDPOINT_URL_S3), or --proxy-files',
    },
  );
}

function invalid(message: string): ListingVideoError {
  return new ListingVideoError('server_answer_invalid', message);
}
