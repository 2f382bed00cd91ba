/** CORS: web pages can read the answers only if `--cors-origin` names their origin. */
import type { ServerConfig } from '../server-deps.ts';

const ALLOWED_HEADERS = 'authorization, x-api-key, content-type, idempotency-key, service-beta, x-request-id';
const EXPOSED_HEADERS = 'x-request-id, location, retry-after, idempotent-replayed, service-beta, etag';

/** Headers of an answer to a page of `origin`. For an origin that is not named: `Vary` only. */
export function corsHeaders(
  { corsOrigins }: Pick<ServerConfig, 'corsOrigins'>,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (corsOrigins.length === 0) return {};
  const isAny = corsOrigins.includes('*');
  if (origin === undefined || !(isAny || corsOrigins.includes(origin)))
    return isAny ? {} : { vary: 'Origin' };
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    ...(isAny ? {} : { vary: 'Origin' }),
  };
}

/** Headers of the answer to OPTIONS, beside {@link corsHeaders}. */
export function preflightHeaders(allowed: readonly string[]): Readonly<Record<string, string>> {
  return {
    allow: allowed.join(', '),
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '600',
  };
}
