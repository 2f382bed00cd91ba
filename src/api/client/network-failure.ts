/** Explains why no answer came, and whether a retry can help. Pure. */

import { isCancellation, ListingVideoError } from '../../platform/errors.ts';
import { causesOf, explainNetworkError } from '../../platform/network/explain-network-error.ts';
import { ProxyFailure } from '../../platform/network/proxy-failure.ts';

/** A retry cannot help: a wrong name or certificate, or a server without HTTP. */
const PERMANENT =
  /^(?:ENOTFOUND|ENODATA|EAI_NONAME|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS|ERR_SSL|HPE_)/;
/** The host name was not found. If it was found before, the network is down and a retry can help. */
const NAME_LOST = /^(?:ENOTFOUND|ENODATA|EAI_NONAME)$/;
/** The certificate's authority is unknown here, as for certificates of companies. */
const UNTRUSTED = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** A request without a complete answer. */
export class NetworkFailure extends Error {
  /** `connection refused`. */
  readonly detail: string;
  readonly isTemporary: boolean;
  /** The host's name was not found. */
  readonly isNameLost: boolean;
  /** The host's certificate is not trusted. */
  readonly isUntrusted: boolean;
  /** The proxy refused it, or cannot be reached. */
  readonly isAtProxy: boolean;

  constructor(
    detail: string,
    isTemporary: boolean,
    options: { cause?: unknown; isNameLost?: boolean; isUntrusted?: boolean; isAtProxy?: boolean } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.detail = detail;
    this.isTemporary = isTemporary;
    this.isNameLost = options.isNameLost ?? false;
    this.isUntrusted = options.isUntrusted ?? false;
    this.isAtProxy = options.isAtProxy ?? false;
  }
}

/** Turns an error of sockets, TLS or the HTTP parser into a failure; a cancellation or our own error passes unchanged. */
export function toNetworkFailure(error: unknown): unknown {
  if (error instanceof NetworkFailure || error instanceof ListingVideoError || isCancellation(error))
    return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return new NetworkFailure('the answer is not HTTP', false, { cause: error });
  const explained = explainNetworkError(error);
  if (explained === null) return error;
  const atProxy = causesOf(error).find((cause) => cause instanceof ProxyFailure);
  if (atProxy !== undefined)
    return new NetworkFailure(atProxy.message, atProxy.mayPass, { cause: error, isAtProxy: true });
  return new NetworkFailure(explained.detail, !PERMANENT.test(code), {
    cause: error,
    isNameLost: NAME_LOST.test(code),
    isUntrusted: UNTRUSTED.test(code),
  });
}

/** The code of the first address, when several were tried. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : '';
}
