/**
 * One result file onto the resumeState: begun where an earlier try or command stopped, checked against all that the server says
 * of it. Bytes of two answers are one file only under the same strong ETag (RFC 9110, 13.1.5 and 14).
 */
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { toOutputError } from '../disk/disk-error.ts';
import { hashFile } from '../disk/hash-file.ts';
import { ListingVideoError } from '../errors.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure } from './network-failure.ts';
import type { PartialFile, ResumeState } from './resume-state.ts';
import { nextWaitMs, PassingFailure, parseRetryAfter } from './retry.ts';
import type { Answer, HostTrust, Transport } from './transport.ts';

/** Far beyond any film of ours; a server that says more is not believed. */
const MOST_FILE_BYTES = 4 * 2 ** 30;
/** Tries in a row that bring no new byte. */
const MOST_IDLE_TRIES = 8;
/** Tries in all: a server that sends a byte at a time and hangs up is none to wait for. */
const MOST_TRIES = 200;
/** Times that a file is begun again because it is another one now, or its bytes were wrong. */
const MOST_RESTARTS = 3;
const LONGEST_WAIT_MS = 60_000;

export interface DownloadOptions {
  readonly transport: Transport;
  readonly network: NetworkDeps;
  readonly resumeState: ResumeState;
  readonly isHostTrusted: HostTrust;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called with 0 to 1 as bytes come. */
  readonly onProgress: (fraction: number) => void;
}

/** A file on the resumeState, whole and as the server has it. */
export interface DownloadedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** What has come is of no use: the file is another one now, or its bytes are wrong. */
class Useless extends Error {
  readonly final: ListingVideoError;

  constructor(final: ListingVideoError) {
    super(final.message);
    this.final = final;
  }
}

/**
 * No key is sent: the names of files are secret themselves, and their address is the server's word only.
 *
 * @param name - On the resumeState.
 * @returns Null when the server has no such file.
 * @throws {@link ListingVideoError} `server_unreachable`, `unavailable`, `server_answer_invalid`, `verification_failed`
 *   when its bytes are not those of its digest, `disk_full`, `output_unwritable`; the abort reason.
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
      if (error instanceof Useless) {
        await resumeState.removePart(name);
        restarts += 1;
        if (restarts > MOST_RESTARTS) throw error.final;
        continue;
      }
      const failure = error instanceof NetworkFailure ? toPassing(error, url) : error;
      if (!(failure instanceof PassingFailure)) throw failure;
      idleTries = (await sizeOf(part)) > before ? 0 : idleTries + 1;
      if (idleTries >= MOST_IDLE_TRIES || tries >= MOST_TRIES) throw failure.final;
      if (idleTries === 1) warn(`${failure.message}; trying again`);
      const waitMs = nextWaitMs(idleTries, failure.retryAfterMs, network.random());
      await network.delay(Math.min(LONGEST_WAIT_MS, waitMs), signal);
    }
  }
}

async function tryOnce(url: string, name: string, options: DownloadOptions): Promise<DownloadedFile | null> {
  const { resumeState, onProgress } = options;
  const part = resumeState.partPath(name);
  let note = await resumable(url, name, resumeState);
  const haveBytes = note === null ? 0 : await sizeOf(part);
  if (note === null || haveBytes < note.sizeBytes) {
    const answer = await ask(url, note === null || haveBytes === 0 ? null : { note, haveBytes }, options);
    if (answer === null) return null;
    let fromByte = 0;
    try {
      if (answer.status === 206 && note !== null) {
        requireContinuation(answer, note, haveBytes, url);
        fromByte = haveBytes;
      } else {
        note = toPartNote(answer, url);
        // First, lest bytes of another file be taken for the beginning of this one after a crash.
        await resumeState.removePart(name);
        await resumeState.writePart(name, note);
      }
    } catch (error) {
      answer.discard();
      throw error;
    }
    await save(answer, part, { fromByte, sizeBytes: note.sizeBytes, url, onProgress });
  }
  const found = await hashFile(part);
  if (found.sizeBytes !== note.sizeBytes) {
    throw new PassingFailure(invalid(`${url} ended too early`), 'unreachable');
  }
  if (note.sha256 !== null && note.sha256 !== found.sha256) throw new Useless(wrongBytes(url));
  onProgress(1);
  return { path: part, ...found };
}

/** The note of bytes that can be gone on from. */
async function resumable(url: string, name: string, resumeState: ResumeState): Promise<PartialFile | null> {
  const note = await resumeState.readPart(name);
  if (note === null || note.url !== url || note.etag === null) return null;
  return (await sizeOf(resumeState.partPath(name))) <= note.sizeBytes ? note : null;
}

async function ask(
  url: string,
  resume: { readonly note: PartialFile; readonly haveBytes: number } | null,
  { transport, network, isHostTrusted, signal }: DownloadOptions,
): Promise<Answer | null> {
  const answer = await transport.send({
    method: 'GET',
    url: new URL(url),
    headers: {
      accept: '*/*',
      ...(resume === null
        ? {}
        : { range: `bytes=${resume.haveBytes}-`, 'if-range': String(resume.note.etag) }),
    },
    isHostTrusted,
    signal,
  });
  const { status, headers } = answer;
  if (status === 200 || (status === 206 && resume !== null)) return answer;
  answer.discard();
  if (status === 404 || status === 410) return null;
  if (status === 416 && resume !== null) throw new Useless(invalid(`${url} is another file at every look`));
  if (status === 429 || status === 408 || status >= 500) {
    const final = new ListingVideoError('unavailable', `${url} is answered with HTTP status ${status}`);
    throw new PassingFailure(final, 'busy', parseRetryAfter(headers['retry-after'], network.nowMs()));
  }
  throw invalid(`${url} is answered with HTTP status ${status}`);
}

/** @throws {@link Useless} when the answer does not go on where the part ends. */
function requireContinuation(answer: Answer, note: PartialFile, haveBytes: number, url: string): void {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '');
  const [first, last, total] = (range ?? []).slice(1).map(Number);
  const isSame = (answer.headers.etag ?? note.etag) === note.etag && total === note.sizeBytes;
  if (isSame && first === haveBytes && last === note.sizeBytes - 1) return;
  throw new Useless(invalid(`${url} is another file at every look`));
}

/** What the server says of a file that it sends from its start. */
function toPartNote({ headers }: Answer, url: string): PartialFile {
  const length = headers['content-length'] ?? '';
  const sizeBytes = /^\d{1,15}$/.test(length) ? Number(length) : 0;
  if (sizeBytes === 0 || sizeBytes > MOST_FILE_BYTES) {
    const said =
      length === '' ? 'does not say how long it is' : `is said to have ${length.slice(0, 20)} bytes`;
    throw invalid(`${url} ${said}`);
  }
  const etag = headers.etag;
  const digest = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(headers['repr-digest'] ?? ''))?.[1];
  return {
    url,
    etag: etag?.startsWith('"') && etag.length < 1_000 ? etag : null,
    sizeBytes,
    sha256: digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex'),
  };
}

interface SaveOrder {
  readonly fromByte: number;
  readonly sizeBytes: number;
  readonly url: string;
  readonly onProgress: (fraction: number) => void;
}

/** What has come stays, whatever happens to the rest. */
async function save(answer: Answer, part: string, order: SaveOrder): Promise<void> {
  const { fromByte, sizeBytes, url, onProgress } = order;
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
      if (atByte + piece.length > sizeBytes) throw new Useless(invalid(`${url} is longer than its length`));
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

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

function toPassing(failure: NetworkFailure, url: string): PassingFailure | ListingVideoError {
  const final = new ListingVideoError('server_unreachable', `${url} cannot be fetched: ${failure.detail}`, {
    cause: failure,
    hint: 'the same command again goes on from what has come; is --public-url of the server the address it is reached under?',
  });
  return failure.mayPass ? new PassingFailure(final, 'unreachable') : final;
}

function wrongBytes(url: string): ListingVideoError {
  return new ListingVideoError(
    'verification_failed',
    `the bytes of ${url} are not those that the server promises`,
    {
      hint: 'something between here and the server changes them, or its disk is damaged',
      context: { url },
    },
  );
}

function invalid(message: string): ListingVideoError {
  return new ListingVideoError('server_answer_invalid', message);
}
