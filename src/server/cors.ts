/** Which web pages may read our answers: none, unless their origin is named. */
import type { ServerConfig } from './server-deps.ts';

const ALLOWED_HEADERS = 'authorization, x-api-key, content-type, idempotency-key, service-beta, x-request-id';
const EXPOSED_HEADERS = 'x-request-id, location, retry-after, idempotent-replayed, service-beta, etag';

/** Headers for an answer to a page of `origin`; nothing but `Vary` for a page that is not named. */
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
