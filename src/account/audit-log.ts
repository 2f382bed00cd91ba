/**
 * The audit log of organizations, keys, grants and webhooks: `audit.ndjson` in the data folder, one JSON line per change.
 *
 * The line is durable before the change is made, so no change is without a line. A line can be without its change: if the
 * change failed, a second line with `error` follows; if the process died, nothing follows. The log is beside `accounts`,
 * so it survives the loss of that folder. The program only appends. It opens the file by name each time, so an operator
 * can rename it at any moment, as logrotate does.
 */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { ListingVideoError } from '../platform/errors.ts';
import { type AccountDeps, stamp } from './account-options.ts';

const PATH = ['audit.ndjson'];
const NEWLINE = 0x0a;

/** A change, without secrets. Names are those of the lines. */
export type AuditedChange =
  | { readonly event: 'organization.created'; readonly organization_id: string; readonly name: string }
  | {
      readonly event: 'key.created';
      readonly key_id: string;
      readonly organization_id: string;
      readonly read_only: boolean;
      readonly operator: boolean;
      readonly expires_at: string | null;
    }
  | { readonly event: 'key.revoked'; readonly key_id: string; readonly organization_id: string }
  | {
      readonly event: 'credits.granted';
      readonly organization_id: string;
      readonly credits: number;
      readonly note?: string;
    }
  | {
      readonly event: 'webhook.created';
      readonly webhook_id: string;
      readonly organization_id: string;
      /** Without the path, which can have a secret of the receiver. */
      readonly url_host: string;
    }
  | {
      readonly event: 'webhook.deleted' | 'webhook.secret_rotated' | 'webhook.disabled';
      readonly webhook_id: string;
      readonly organization_id: string;
      readonly reason?: string;
    };

/** Who makes a change, as the operating system knows them. */
export interface AuditActor {
  /** Null if the user id has no name, as in many containers. */
  readonly user: string | null;
  /** Null on Windows. */
  readonly uid: number | null;
  /** On Linux: the user who logged in, also after `sudo`. Null if unknown. */
  readonly login_uid: number | null;
}

export class AuditLog {
  readonly #deps: Pick<AccountDeps, 'homeStorage' | 'clock' | 'program'>;

  constructor(deps: Pick<AccountDeps, 'homeStorage' | 'clock' | 'program'>) {
    this.#deps = deps;
  }

  /**
   * Writes the line of a change, then makes the change.
   *
   * @throws The error of `change`. `store_unwritable` or `disk_full` if the line cannot be written: then nothing is changed.
   */
  async record<T>(change: AuditedChange, make: () => Promise<T>): Promise<T> {
    const actor = await findActor();
    await this.#append(change, actor);
    try {
      return await make();
    } catch (error) {
      const code = error instanceof ListingVideoError ? error.code : 'internal_error';
      await this.#append({ ...change, error: code }, actor).catch(() => {});
      throw error;
    }
  }

  async #append(facts: AuditedChange & { readonly error?: string }, actor: AuditActor): Promise<void> {
    const { homeStorage } = this.#deps;
    const line = toAuditLine(facts, actor, this.#deps);
    // An empty line does no harm, so a log that this process can append to but not read gets one.
    const start = (await this.#isTorn().catch(() => true)) ? '\n' : '';
    await homeStorage.append(PATH, `${start}${JSON.stringify(line)}\n`);
  }

  /** True if a crash or a full disk left the last line incomplete. */
  async #isTorn(): Promise<boolean> {
    const { homeStorage } = this.#deps;
    const { size } = (await homeStorage.readLog(PATH, 0, 1)) ?? { size: 0 };
    if (size === 0) return false;
    const last = await homeStorage.readLog(PATH, size - 1, 1);
    return last !== null && last.bytes.length === 1 && last.bytes[0] !== NEWLINE;
  }
}

/** The document of a line. */
export function toAuditLine(
  { event, ...facts }: AuditedChange & { readonly error?: string },
  actor: AuditActor,
  { clock, program }: Pick<AccountDeps, 'clock' | 'program'>,
): object {
  return { schema_version: 1, time: stamp(clock), event, ...facts, ...actor, program, pid: process.pid };
}

/** The user who runs this process. */
export async function findActor(): Promise<AuditActor> {
  return { user: findUserName(), uid: process.getuid?.() ?? null, login_uid: await readLoginUid() };
}

function findUserName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** proc(5): the id that PAM set at the login; 4294967295 if there was none, as for services. */
async function readLoginUid(): Promise<number | null> {
  const text = await readFile('/proc/self/loginuid', 'utf8').catch(() => '');
  const uid = /^[0-9]{1,10}$/.test(text.trim()) ? Number(text) : 0xffff_ffff;
  return uid === 0xffff_ffff ? null : uid;
}
