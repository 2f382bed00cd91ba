/**
 * The state that a stopped command leaves for the next one, in `.remote` in the output folder of a listing.
 *
 *     .remote/task.json          the request, and the task that the server made of it
 *     .remote/uploads.json       files of this machine that the server has
 *     .remote/<file>             a downloaded file, complete or in part
 *     .remote/<file>.json        its URL, ETag, size and digest
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../platform/disk/atomic-write.ts';
import { toOutputError } from '../platform/disk/disk-error.ts';

const STATE_FOLDER = '.remote';

export interface SubmittedRequest {
  readonly server: string;
  readonly requestSha256: string;
  /** Sent with the request, so that a retry makes no second task. */
  readonly idempotencyKey: string;
  /** Null until the server has answered. */
  readonly taskId: string | null;
  /** Made by `--force`, which resumes only its own tasks. */
  readonly isForced: boolean;
}

/** A file of this machine that a server has stored. */
export interface UploadedFile {
  readonly server: string;
  /** Hex. */
  readonly sha256: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly expiresMs: number;
}

/** A file that is being downloaded. */
export interface PartialFile {
  readonly url: string;
  readonly etag: string | null;
  readonly sizeBytes: number;
  /** Hex; null when the server did not send it. */
  readonly sha256: string | null;
}

export interface ResumeState {
  readTask(): Promise<SubmittedRequest | null>;
  /** Durable when it resolves. */
  writeTask(request: SubmittedRequest): Promise<void>;
  readUploads(): Promise<readonly UploadedFile[]>;
  /** Durable when it resolves. */
  writeUploads(uploads: readonly UploadedFile[]): Promise<void>;
  /** Path of a file's bytes. */
  partPath(name: string): string;
  readPart(name: string): Promise<PartialFile | null>;
  writePart(name: string, part: PartialFile): Promise<void>;
  removePart(name: string): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** @param folder - Absolute; the caller holds its lock. */
export function openResumeState(folder: string): ResumeState {
  const root = path.join(folder, STATE_FOLDER);
  const write = async (file: string, value: object): Promise<void> => {
    try {
      await mkdir(root, { recursive: true });
      await writeFileAtomically(path.join(root, file), `${JSON.stringify(value)}\n`, { durable: true });
    } catch (error) {
      throw toOutputError(error, folder);
    }
  };
  return {
    readTask: () => read(path.join(root, 'task.json'), isSubmittedRequest),
    writeTask: (request) => write('task.json', request),
    readUploads: async () => (await read(path.join(root, 'uploads.json'), areUploads)) ?? [],
    writeUploads: (uploads) => write('uploads.json', uploads),
    partPath: (name) => path.join(root, name),
    readPart: (name) => read(path.join(root, `${name}.json`), isPartialFile),
    writePart: (name, part) => write(`${name}.json`, part),
    removePart: async (name) => {
      await rm(path.join(root, name), { force: true });
      await rm(path.join(root, `${name}.json`), { force: true });
    },
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

/** Null for an absent or unreadable file. */
async function read<T>(file: string, isExpected: (value: T) => boolean): Promise<T | null> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as T;
    return isExpected(value) ? value : null;
  } catch {
    return null;
  }
}

function isSubmittedRequest(value: SubmittedRequest): boolean {
  const { server, requestSha256, idempotencyKey, taskId, isForced } = value;
  return areTexts(server, requestSha256, idempotencyKey, taskId ?? '') && typeof isForced === 'boolean';
}

function areUploads(value: readonly UploadedFile[]): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      ({ server, sha256, url, expiresMs }) =>
        areTexts(server, sha256, url) && typeof expiresMs === 'number' && /^https?:/.test(url),
    )
  );
}

function isPartialFile({ url, etag, sizeBytes, sha256 }: PartialFile): boolean {
  return areTexts(url, etag ?? '', sha256 ?? '') && Number.isInteger(sizeBytes);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}
