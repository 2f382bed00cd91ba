/** Explains why no answer came, and whether a retry can help. Pure. */
import { isCancellation, ListingVideoError } from '../errors.ts';
import { causesOf, explainNetworkError } from './explain-network-error.ts';
import { ProxyFailure } from './proxy-failure.ts';

/** The host name was not found. If it was found before, the network is down and a retry can help. */
const NAME_LOST = /^(?:ENOTFOUND|ENODATA|EAI_NONAME)$/;
/** The certificate's authority is unknown here, as for certificates of companies. */
const UNTRUSTED = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
/** A retry cannot help: a wrong certificate, or a server without HTTP. */
const PERMANENT = /^(?:EPROTO|CERT_|ERR_TLS|ERR_SSL|HPE_)/;

type Reason = 'name' | 'certificate' | 'proxy' | 'other';

/** A request without a complete answer. Its message is a short detail: `connection refused`. */
export class NetworkFailure extends Error {
  readonly isTemporary: boolean;
  readonly reason: Reason;

  constructor(detail: string, isTemporary: boolean, reason: Reason = 'other', cause?: unknown) {
    super(detail, { cause });
    this.isTemporary = isTemporary;
    this.reason = reason;
  }
}

/** Turns an error of sockets, TLS or the HTTP parser into a failure; a cancellation or our own error stays as it is. */
export function toNetworkFailure(error: unknown): unknown {
  if (error instanceof NetworkFailure || error instanceof ListingVideoError || isCancellation(error))
    return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return new NetworkFailure('the answer is not HTTP', false, 'other', error);
  const explained = explainNetworkError(error);
  if (explained === null) return error;
  const proxy = causesOf(error).find((cause) => cause instanceof ProxyFailure);
  if (proxy !== undefined) return new NetworkFailure(proxy.message, proxy.mayPass, 'proxy', error);
  if (NAME_LOST.test(code)) return new NetworkFailure(explained.detail, false, 'name', error);
  if (UNTRUSTED.test(code)) return new NetworkFailure(explained.detail, false, 'certificate', error);
  const isTemporary = explained.code !== 'blocked_address' && !PERMANENT.test(code);
  return new NetworkFailure(explained.detail, isTemporary, 'other', error);
}

/** The code of the first address, when several were tried. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : '';
}
