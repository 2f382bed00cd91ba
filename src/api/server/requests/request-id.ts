/** The id of a request, for the log and the answer. */
import { randomUUID } from 'node:crypto';

/** Fits every common tracing scheme, and is safe in a log and in a header. */
const VALID_ID = /^[A-Za-z0-9][A-Za-z0-9._:+/=-]{0,127}$/;

/** The client's own id if it is safe, else a new one. */
export function chooseRequestId(sent: string | undefined | null): string {
  return typeof sent === 'string' && VALID_ID.test(sent) ? sent : randomUUID();
}
