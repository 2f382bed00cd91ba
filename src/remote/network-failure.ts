/** Why no answer came, in words, and whether the same request may be answered a moment later. Pure. */
import { toUnreachable } from '../assets/explain-network-error.ts';
import { isCancellation, ListingVideoError } from '../errors.ts';

/** What waiting does not mend: a name or certificate that is wrong, and what does not speak HTTP. */
const LASTING =
  /^(?:ENOTFOUND|ENODATA|EAI_NONAME|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS|ERR_SSL|HPE_)/;
/** A name that was found a minute ago is found again: it was the network that went away. */
const NAME_LOST = /^(?:ENOTFOUND|ENODATA|EAI_NONAME)$/;
/** Signed by nobody that is known here, as certificates of companies are. */
const UNTRUSTED = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** A request that got no answer, or half of one. */
export class NetworkFailure extends Error {
  /** `connection refused`. */
  readonly detail: string;
  readonly mayPass: boolean;
  /** The host's name was not found. */
  readonly isNameLost: boolean;
  /** The host's certificate is not one to trust. */
  readonly isUntrusted: boolean;

  constructor(
    detail: string,
    mayPass: boolean,
    options: { cause?: unknown; isNameLost?: boolean; isUntrusted?: boolean } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.detail = detail;
    this.mayPass = mayPass;
    this.isNameLost = options.isNameLost ?? false;
    this.isUntrusted = options.isUntrusted ?? false;
  }
}

/** The failure that an error of sockets, TLS or the HTTP parser is; a cancel and errors of ours stay what they are. */
export function toNetworkFailure(error: unknown): unknown {
  if (error instanceof NetworkFailure || error instanceof ListingVideoError || isCancellation(error))
    return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return new NetworkFailure('the answer is not HTTP', false, { cause: error });
  const explained = toUnreachable(error);
  if (explained === null) return error;
  return new NetworkFailure(explained.asset.detail, !LASTING.test(code), {
    cause: error,
    isNameLost: NAME_LOST.test(code),
    isUntrusted: UNTRUSTED.test(code),
  });
}

/** Of several addresses that were tried, the first one's. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : '';
}
