/** The lines of the audit log: which change, by whom and when. Secrets are never part of a line. */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { type AccountDeps, stamp } from './account-deps.ts';

interface OrganizationFact {
  readonly organization_id: string;
}

/** A change with the names of its line. */
export type AuditedChange = OrganizationFact &
  (
    | { readonly event: 'organization.created'; readonly name: string }
    | {
        readonly event: 'key.created';
        readonly key_id: string;
        readonly read_only: boolean;
        readonly operator: boolean;
        readonly expires_at: string | null;
      }
    | { readonly event: 'key.revoked'; readonly key_id: string }
    | { readonly event: 'credits.granted'; readonly credits: number; readonly note?: string }
    | {
        readonly event: 'webhook.created';
        readonly webhook_id: string;
        /** Without the path, which can have a secret of the receiver. */
        readonly url_host: string;
      }
    | {
        readonly event: 'webhook.deleted' | 'webhook.secret_rotated' | 'webhook.disabled';
        readonly webhook_id: string;
        readonly reason?: string;
      }
  );

/** Who makes a change, as the operating system knows them. */
export interface AuditActor {
  /** Null if the user id has no name, as in many containers. */
  readonly user: string | null;
  /** Null on Windows. */
  readonly uid: number | null;
  /** On Linux: the user who logged in, also after `sudo`. Null if unknown. */
  readonly login_uid: number | null;
}

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
