/** The id that a request has in our log and in its answer. */
import { randomUUID } from 'node:crypto';

/** Long enough for every tracing scheme, and nothing in it that a log or a header could trip over. */
const SANE = /^[A-Za-z0-9][A-Za-z0-9._:+/=-]{0,127}$/;

/** The client's own id if it is one that may stand in a log, else a new one. */
export function chooseRequestId(sent: string | undefined | null): string {
  return typeof sent === 'string' && SANE.test(sent) ? sent : randomUUID();
}
