/** Signs messages as Standard Webhooks 1.0 says (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The standard asks for 24 to 64 bytes. */
const SECRET_BYTES = 24;

export interface SignedParts {
  readonly messageId: string;
  /** Time of the attempt, not of the event: receivers refuse old messages. */
  readonly timestampSec: number;
  readonly body: string;
}

/** A new secret: `whsec_` and 24 random bytes in base64. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The three headers of the standard.
 *
 * @param secrets - Each gives one signature, so that a receiver can know any of them.
 */
export function signatureHeaders(
  { messageId, timestampSec, body }: SignedParts,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestampSec}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSec),
    'webhook-signature': signatures.join(' '),
  };
}
