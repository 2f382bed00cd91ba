/**
 * The state that a stopped command leaves for the next one, in `.remote` in the output folder of a listing:
 * `state.json`, and the files of the task that are downloaded, each complete and checked.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../platform/disk/disk-error.ts';

/** A request that is sent, or about to be. */
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

interface State {
  readonly task: SubmittedRequest | null;
  readonly uploads: readonly UploadedFile[];
}

export type ResumeState = ReturnType<typeof openResumeState>;

/** @param folder - Absolute; the caller holds its lock. */
export function openResumeState(folder: string) {
  const root = path.join(folder, '.remote');
  const file = path.join(root, 'state.json');
  /** An absent or unreadable file is no state. */
  const read = async (): Promise<State> => {
    try {
      const { task, uploads } = JSON.parse(await readFile(file, 'utf8')) as State;
      return { task, uploads: [...uploads] };
    } catch {
      return { task: null, uploads: [] };
    }
  };
  return {
    read,
    /** Durable when it resolves. */
    async write(change: Partial<State>): Promise<void> {
      const state = { ...(await read()), ...change };
      try {
        await mkdir(root, { recursive: true });
        await writeFileAtomically(file, `${JSON.stringify(state)}\n`, { durable: true });
      } catch (error) {
        throw toOutputError(error, folder);
      }
    },
    /** Where the file of this URL is, once it is complete. */
    downloadPath: (name: string, url: string): string =>
      path.join(root, createHash('sha256').update(`${name}\n${url}`).digest('hex').slice(0, 32)),
    clear: () => rm(root, { recursive: true, force: true }),
  };
}
