/**
 * The audit log of organizations, keys, grants and webhooks: `audit.ndjson` in the data folder, a JSON line per change.
 *
 * The line is durable before the change is made, so no change is without a line. A line can be without its change: if
 * the change failed, a second line with `error` follows; if the process died, nothing follows. The log is beside
 * `accounts`, so it survives the loss of that folder. The program only appends. It opens the file by name each time, so
 * an operator can rename it at any moment, as logrotate does.
 */
import { ListingVideoError } from '../../../platform/errors.ts';
import { type AuditActor, type AuditedChange, findActor, toAuditLine } from '../../accounts/audit-line.ts';
import type { FileDeps } from './file-deps.ts';

const NEWLINE = 0x0a;

export class AuditLog {
  readonly #deps: Pick<FileDeps, 'files' | 'clock' | 'program'>;
  readonly #path: string;

  constructor(deps: Pick<FileDeps, 'files' | 'clock' | 'program'>) {
    this.#deps = deps;
    this.#path = deps.files.at('audit.ndjson');
  }

  /**
   * Writes the line of a change, then makes the change.
   *
   * @throws The error of `change`. `store_unwritable` or `disk_full` if the line cannot be written: nothing changed.
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
    const line = toAuditLine(facts, actor, this.#deps);
    // A crash or a full disk can have left the last line incomplete. An empty line does no harm, so a log that this
    // process can append to but not read gets one.
    const last = await this.#deps.files.lastByte(this.#path).catch(() => 0);
    const start = last === null || last === NEWLINE ? '' : '\n';
    await this.#deps.files.append(this.#path, `${start}${JSON.stringify(line)}\n`);
  }
}
