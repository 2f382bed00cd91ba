/** Turns an error of DNS, TCP, TLS, HTTP, a proxy or a content decoder into a reason for the client. Pure. */
import { ListingVideoError } from '../errors.ts';
import { NetworkRefusal } from './network-refusal.ts';
import { ProxyFailure } from './proxy-failure.ts';

/** The reason, and whether another try can succeed. */
export interface ExplainedError {
  readonly code: 'blocked_address' | 'timeout' | 'unreachable';
  /** `connection refused`. */
  readonly detail: string;
  readonly mayPass: boolean;
}

/** By error code. The error's own text is never shown, because it has the addresses that names resolve to. */
const EXPLANATIONS: Readonly<Record<string, { readonly detail: string; readonly mayPass?: true }>> = {
  ENOTFOUND: { detail: 'host not found' },
  ENODATA: { detail: 'host not found' },
  EAI_NONAME: { detail: 'host not found' },
  EAI_AGAIN: { detail: 'the name server did not answer', mayPass: true },
  ECONNREFUSED: { detail: 'connection refused' },
  EHOSTUNREACH: { detail: 'no route to the host' },
  ENETUNREACH: { detail: 'no route to the host' },
  EADDRNOTAVAIL: { detail: 'no route to the host' },
  EACCES: { detail: 'connection refused by the local network' },
  ECONNRESET: { detail: 'connection reset', mayPass: true },
  EPIPE: { detail: 'connection reset', mayPass: true },
  ECONNABORTED: { detail: 'connection reset', mayPass: true },
  UND_ERR_SOCKET: { detail: 'connection closed too early', mayPass: true },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { detail: 'connection closed too early', mayPass: true },
  UND_ERR_HEADERS_OVERFLOW: { detail: 'the headers of the answer are too large' },
  UND_ERR_RESPONSE: { detail: 'the answer is not HTTP' },
  UND_ERR_INVALID_ARG: { detail: 'not a URL that can be asked for' },
  CERT_HAS_EXPIRED: { detail: 'TLS certificate has expired' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { detail: 'TLS certificate is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: { detail: 'TLS certificate is self-signed' },
  ERR_TLS_CERT_ALTNAME_INVALID: { detail: 'TLS certificate is for another host' },
  CERT_NOT_YET_VALID: { detail: 'TLS certificate is not valid yet' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { detail: 'TLS certificate cannot be verified' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { detail: 'TLS certificate cannot be verified' },
  UNABLE_TO_GET_ISSUER_CERT: { detail: 'TLS certificate cannot be verified' },
  EPROTO: { detail: 'TLS handshake failed' },
};

const FAMILIES: readonly (readonly [prefix: string, detail: string])[] = [
  ['ERR_SSL_', 'TLS handshake failed'],
  ['ERR_TLS_', 'TLS handshake failed'],
  ['CERT_', 'TLS certificate cannot be verified'],
  ['Z_', 'the content encoding is damaged'],
  ['EAI_', 'the host name cannot be resolved'],
];

/** The reason for a network error; null for any other error. */
export function explainNetworkError(error: unknown): ExplainedError | null {
  if (error instanceof ListingVideoError || isBug(error)) return null;
  for (const candidate of causesOf(error)) {
    if (candidate instanceof NetworkRefusal) {
      const { code: refusal, detail } = candidate;
      return { code: refusal, detail, mayPass: refusal === 'timeout' };
    }
    if (candidate instanceof ProxyFailure) {
      return { code: 'unreachable', detail: candidate.message, mayPass: candidate.mayPass };
    }
    const { code, name } = candidate as { code?: unknown; name?: unknown };
    // undici's parser sometimes sets only the error's name.
    if (name === 'HTTPParserError') return explain('the answer is not HTTP');
    if (typeof code !== 'string') continue;
    if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
      return { code: 'timeout', detail: 'the host does not answer', mayPass: true };
    const known = EXPLANATIONS[code];
    const detail = known?.detail ?? FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
    if (detail === undefined) continue;
    return explain(detail, known?.mayPass);
  }
  // A library can add new error codes. Then one asset is lost, not the whole listing.
  return explain('the connection failed');
}

function explain(detail: string, mayPass = false): ExplainedError {
  return { code: 'unreachable', detail, mayPass };
}

function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

export function causesOf(error: unknown, depth = 0): object[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const parts = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, ...[...parts, cause].flatMap((part) => causesOf(part, depth + 1))];
}
