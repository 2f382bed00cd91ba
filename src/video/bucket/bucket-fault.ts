/**
 * The errors of a bucket: faults of the machine, with the cause for operators and without keys, signatures and
 * addresses of requests.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import { explainNetworkError } from '../../platform/network/explain-network-error.ts';
import { SlowReader } from '../../platform/network/open-answer.ts';

/** What the bucket answered instead of success. */
export interface Refusal {
  readonly status: number;
  /** S3's word for it, such as `AccessDenied`; null in an answer without one. */
  readonly code: string | null;
}

/** An answer that did not come in time. */
export class BucketTimeout extends Error {}

/**
 * Refusals after which the same request can succeed. BadDigest and IncompleteBody: the bytes were damaged on their way.
 */
const PASSING_CODES = new Set([
  'BadDigest',
  'IncompleteBody',
  'OperationAborted',
  'RequestTimeout',
  'SlowDown',
]);
const PASSING_STATUSES = new Set([408, 425, 429]);

/** `storage_unavailable` for a refusal. */
export function toRefusalFault(place: string, { status, code }: Refusal): ListingVideoError {
  const mayPass = status >= 500 || PASSING_STATUSES.has(status) || PASSING_CODES.has(code ?? '');
  const reason = code === null ? `HTTP status ${status}` : `${code} (HTTP status ${status})`;
  return fault(place, { reason, mayPass, hint: hintFor({ status, code }) });
}

/** `storage_unavailable` for an answer that did not come, or broke off. An error of this program stays unchanged. */
export function toBucketFault(place: string, error: unknown): unknown {
  if (error instanceof ListingVideoError) return error;
  const hint = 'check AWS_ENDPOINT_URL_S3, and that this machine can reach it';
  if (error instanceof BucketTimeout)
    return fault(place, { reason: error.message, mayPass: true, hint, cause: error });
  if (error instanceof SlowReader)
    return fault(place, { reason: 'the answer is too large', mayPass: false, hint, cause: error });
  const explained = explainNetworkError(error);
  // A wrong name or certificate can be corrected while tasks wait.
  return explained === null
    ? error
    : fault(place, { reason: explained.detail, mayPass: true, hint, cause: error });
}

/** `storage_unavailable` for an object that is not there after an answer that said so. */
export function toLostFault(place: string): ListingVideoError {
  return fault(place, {
    reason: 'it said that it stored an object, but does not have it',
    mayPass: true,
    hint: 'check that AWS_ENDPOINT_URL_S3 is the address of an S3 service, and no proxy in between answers for it',
  });
}

/** `storage_unavailable` for a list that is no list, or broke off. */
export function toListFault(place: string, error: unknown): ListingVideoError {
  const known = toBucketFault(place, error);
  if (isStorageFault(known)) return known;
  const hint = 'check that AWS_ENDPOINT_URL_S3 is the address of an S3 service';
  return fault(place, { reason: 'its list of objects cannot be read', mayPass: true, hint, cause: error });
}

/** True if the same request can succeed soon, without any change. */
export function mayPass(error: unknown): boolean {
  return isStorageFault(error) && error.context?.may_pass === true;
}

export function isStorageFault(error: unknown): error is ListingVideoError {
  return error instanceof ListingVideoError && error.code === 'storage_unavailable';
}

function fault(
  place: string,
  { reason, mayPass, hint, cause }: { reason: string; mayPass: boolean; hint: string; cause?: unknown },
): ListingVideoError {
  return new ListingVideoError('storage_unavailable', `the bucket ${place} is not available: ${reason}`, {
    hint,
    cause,
    context: { place, reason, may_pass: mayPass },
  });
}

function hintFor({ status, code }: Refusal): string {
  if (code === 'NoSuchBucket') return 'make the bucket, or correct --storage and AWS_ENDPOINT_URL_S3';
  if (status === 301 || status === 307 || status === 308 || code === 'AuthorizationHeaderMalformed')
    return 'set AWS_REGION and AWS_ENDPOINT_URL_S3 to those of the bucket';
  if (status === 401 || status === 403)
    return 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and what the key is permitted to do, see `listing-video help storage`';
  return 'see the status page or the log of the bucket';
}
