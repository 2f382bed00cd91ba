/**
 * What a command that was stopped leaves for the next one, in `.remote` within the folder of a listing's results: which
 * task was made of which request, and the files that have come so far.
 *
 *     .remote/task.json          the request, and the task that was made of it
 *     .remote/<file>             a file, in part or whole
 *     .remote/<file>.json        where it comes from, and how much of what it is to be
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../disk/atomic-write.ts';
import { toOutputError } from '../disk/disk-error.ts';

const STATE_FOLDER = '.remote';

export interface SubmittedRequest {
  readonly server: string;
  readonly requestSha256: string;
  /** Sent with the request, so that call again makes no second task. */
  readonly idempotencyKey: string;
  /** Null until the server has said it. */
  readonly taskId: string | null;
  /** Made by `--force`, which goes on with no other. */
  readonly isForced: boolean;
}

/** What is known of a file whose bytes are coming. */
export interface PartialFile {
  readonly url: string;
  readonly etag: string | null;
  readonly sizeBytes: number;
  /** Hex; null when the server did not say it. */
  readonly sha256: string | null;
}

export interface ResumeState {
  readTask(): Promise<SubmittedRequest | null>;
  /** Durable when it resolves. */
  writeTask(note: SubmittedRequest): Promise<void>;
  /** Where the bytes of a file go. */
  partPath(name: string): string;
  readPart(name: string): Promise<PartialFile | null>;
  writePart(name: string, note: PartialFile): Promise<void>;
  removePart(name: string): Promise<void>;
  /** Removes all of it. */
  clear(): Promise<void>;
}

/** @param folder - Absolute; whoever opens the resumeState holds its lock. */
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
    readTask: () => read(path.join(root, 'task.json'), isTaskNote),
    writeTask: (note) => write('task.json', note),
    partPath: (name) => path.join(root, name),
    readPart: (name) => read(path.join(root, `${name}.json`), isPartNote),
    writePart: (name, note) => write(`${name}.json`, note),
    removePart: async (name) => {
      await rm(path.join(root, name), { force: true });
      await rm(path.join(root, `${name}.json`), { force: true });
    },
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

/** A note that cannot be read is as good as none. */
async function read<T>(file: string, isNote: (value: T) => boolean): Promise<T | null> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as T;
    return isNote(value) ? value : null;
  } catch {
    return null;
  }
}

function isTaskNote(value: SubmittedRequest): boolean {
  const { server, requestSha256, idempotencyKey, taskId, isForced } = value;
  const texts = [server, requestSha256, idempotencyKey, taskId ?? ''];
  return texts.every((text) => typeof text === 'string') && typeof isForced === 'boolean';
}

function isPartNote({ url, etag, sizeBytes, sha256 }: PartialFile): boolean {
  return (
    [url, etag ?? '', sha256 ?? ''].every((text) => typeof text === 'string') && Number.isInteger(sizeBytes)
  );
}
