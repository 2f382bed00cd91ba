/**
 * The one error class, and the table that says what each code means to scripts, to clients of the API and to operators.
 */

/** Who can remove the cause: the person or program that asked, the operator of the machine, or the developers. */
export type Fault = 'caller' | 'machine' | 'program';

/** What a code means. A column that is absent says no. */
export interface ErrorRow {
  /** Exit status of the command line. Absent: only the HTTP API uses the code. */
  readonly exitCode?: 1 | 2 | 3 | 130;
  /** Status of the API's answer. Absent: a client of the API gets `internal_error`. */
  readonly httpStatus?: number;
  readonly apiCode?: string;
  /** The message in the API's error body. Absent: the error's own message, which then names nothing of this machine. */
  readonly publicMessage?: string;
  /** Clients get the error's `context`. */
  readonly hasPublicContext?: true;
  /** `failure_message` of a task that failed with the code; `own` is the error's message. Absent: `internal error`. */
  readonly failureMessage?: string;
  readonly fault: Fault;
  /**
   * A task that a server runs ends FAILED with the code, although its fault is `machine`: the cause belongs to the
   * task.
   */
  readonly endsTask?: true;
  /** Every other listing of a batch would fail in the same way. */
  readonly endsBatch?: true;
  /** A server that answers a new task with the code has made no task. */
  readonly refusesTask?: true;
}

const STORES_NOTHING = 'the service cannot store anything right now';
const VIDEOS_NOT_STORED = 'the service could not store the videos';

/** Every code of this program. A code is a promise to scripts: it is never renamed. */
export const ERROR_TABLE = {
  usage: { exitCode: 2, fault: 'caller' },
  input_unreadable: { exitCode: 2, fault: 'caller' },
  file_not_found: { exitCode: 2, fault: 'caller' },
  json_invalid: { exitCode: 2, httpStatus: 400, apiCode: 'invalid_json', fault: 'caller' },
  invalid_listing: { exitCode: 2, httpStatus: 422, fault: 'caller', refusesTask: true },
  body_too_large: { exitCode: 2, httpStatus: 400, fault: 'caller' },
  template_not_found: {
    exitCode: 2,
    httpStatus: 404,
    hasPublicContext: true,
    failureMessage: 'own',
    fault: 'caller',
    refusesTask: true,
  },
  template_invalid: {
    exitCode: 2,
    failureMessage: 'the template cannot be used',
    fault: 'machine',
    endsTask: true,
  },
  task_not_found: { exitCode: 2, httpStatus: 404, publicMessage: 'no such task', fault: 'caller' },
  task_state_conflict: { exitCode: 2, httpStatus: 409, fault: 'caller' },
  organization_not_found: { exitCode: 2, fault: 'caller' },
  key_not_found: { exitCode: 2, fault: 'caller' },
  webhook_not_found: { exitCode: 2, fault: 'caller' },
  delivery_not_found: { exitCode: 2, fault: 'caller' },
  insufficient_balance: {
    exitCode: 2,
    httpStatus: 402,
    hasPublicContext: true,
    fault: 'caller',
    refusesTask: true,
  },
  unauthenticated: { exitCode: 2, httpStatus: 401, fault: 'caller', endsBatch: true, refusesTask: true },
  forbidden: { exitCode: 2, httpStatus: 403, fault: 'caller', endsBatch: true, refusesTask: true },
  server_refused: { exitCode: 2, fault: 'caller', refusesTask: true },
  server_unreachable: { exitCode: 3, fault: 'machine', endsBatch: true },
  server_answer_invalid: { exitCode: 3, fault: 'machine' },
  setting_invalid: { exitCode: 2, fault: 'caller' },
  music_unusable: { exitCode: 1, fault: 'caller' },
  no_usable_assets: { exitCode: 1, failureMessage: 'own', fault: 'caller' },
  time_limit: { exitCode: 1, failureMessage: 'own', fault: 'caller' },
  task_failed: { exitCode: 1, failureMessage: 'own', fault: 'program' },
  render_failed: { exitCode: 1, failureMessage: 'the video could not be rendered', fault: 'program' },
  encode_failed: { exitCode: 1, failureMessage: 'the video could not be encoded', fault: 'program' },
  verification_failed: {
    exitCode: 1,
    failureMessage: 'the finished video did not pass its checks',
    fault: 'program',
  },
  lease_lost: { exitCode: 1, fault: 'machine' },
  output_locked: { exitCode: 1, failureMessage: VIDEOS_NOT_STORED, fault: 'machine' },
  output_exists: { exitCode: 1, failureMessage: VIDEOS_NOT_STORED, fault: 'caller' },
  output_unwritable: { exitCode: 3, failureMessage: VIDEOS_NOT_STORED, fault: 'machine' },
  disk_full: {
    exitCode: 3,
    httpStatus: 503,
    apiCode: 'unavailable',
    publicMessage: STORES_NOTHING,
    failureMessage: VIDEOS_NOT_STORED,
    fault: 'machine',
    endsBatch: true,
  },
  cannot_listen: { exitCode: 3, fault: 'machine' },
  ffmpeg_missing: {
    exitCode: 3,
    failureMessage: 'the service cannot encode videos right now',
    fault: 'machine',
    endsBatch: true,
  },
  sharp_missing: {
    exitCode: 3,
    failureMessage: 'the service cannot read photos right now',
    fault: 'machine',
    endsBatch: true,
  },
  ffmpeg_not_installed: { exitCode: 3, fault: 'machine' },
  fonts_not_added: { exitCode: 3, fault: 'machine' },
  store_unwritable: {
    exitCode: 3,
    httpStatus: 503,
    apiCode: 'unavailable',
    publicMessage: STORES_NOTHING,
    failureMessage: VIDEOS_NOT_STORED,
    fault: 'machine',
    endsBatch: true,
  },
  store_corrupt: {
    exitCode: 3,
    failureMessage: 'the service could not read the task',
    fault: 'machine',
    endsTask: true,
  },
  database_unavailable: {
    exitCode: 3,
    httpStatus: 503,
    apiCode: 'unavailable',
    publicMessage: STORES_NOTHING,
    failureMessage: VIDEOS_NOT_STORED,
    fault: 'machine',
    endsBatch: true,
  },
  storage_unavailable: {
    exitCode: 3,
    httpStatus: 503,
    apiCode: 'unavailable',
    publicMessage: STORES_NOTHING,
    failureMessage: VIDEOS_NOT_STORED,
    fault: 'machine',
    endsBatch: true,
  },
  database_version: { exitCode: 3, fault: 'machine', endsBatch: true },
  unavailable: { exitCode: 3, httpStatus: 503, fault: 'machine', refusesTask: true },
  cancelled: { exitCode: 130, failureMessage: 'own', fault: 'caller' },
  internal_error: { exitCode: 1, httpStatus: 500, fault: 'program' },

  invalid_json: { httpStatus: 400, fault: 'caller' },
  unsupported_media_type: { httpStatus: 400, fault: 'caller' },
  invalid_idempotency_key: { httpStatus: 400, fault: 'caller' },
  idempotency_key_reused: { httpStatus: 400, fault: 'caller' },
  rate_limited: { httpStatus: 429, fault: 'caller' },
  not_found: { httpStatus: 404, fault: 'caller' },
  method_not_allowed: { httpStatus: 405, fault: 'caller' },
  unusable_asset: { httpStatus: 400, fault: 'caller' },
  upload_quota_exceeded: { httpStatus: 403, fault: 'caller' },
  invalid_request: { httpStatus: 400, fault: 'caller' },
  request_timeout: { httpStatus: 408, fault: 'caller' },
  request_header_too_large: { httpStatus: 431, fault: 'caller' },
  precondition_failed: { httpStatus: 412, fault: 'caller' },
  range_not_satisfiable: { httpStatus: 416, fault: 'caller' },
} as const satisfies Record<string, ErrorRow>;

type Table = typeof ERROR_TABLE;

/** Codes that a {@link ListingVideoError} can carry: those with an exit code. */
export type ErrorCode = {
  [K in keyof Table]: Table[K] extends { exitCode: number } ? K : never;
}[keyof Table];

/** Codes of the API's error bodies. A violation (422) has a body of its own. */
export type ApiCode = {
  [K in keyof Table]: Table[K] extends { apiCode: string } | { httpStatus: 422 }
    ? never
    : Table[K] extends { httpStatus: number }
      ? K
      : never;
}[keyof Table];

/** The row of a code that was stored or received as text; null for a code of no row or of the API alone. */
export function findErrorRow(code: string): (ErrorRow & { readonly exitCode: number }) | null {
  const row: ErrorRow | undefined = Object.hasOwn(ERROR_TABLE, code)
    ? ERROR_TABLE[code as ErrorCode]
    : undefined;
  return row?.exitCode === undefined ? null : { ...row, exitCode: row.exitCode };
}

/** True if a task that met this code can succeed later on the same machine, without any change to its listing. */
export function isMachineFault(code: string): boolean {
  const row = findErrorRow(code);
  return row?.fault === 'machine' && row.endsTask !== true;
}

/**
 * An expected failure.
 *
 * `message` says what is wrong and where; `hint` says what to do next; `context` has the facts for programs. Callers
 * branch on `code`, never on the message.
 */
export class ListingVideoError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly context: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown;
      hint?: string | undefined;
      context?: Readonly<Record<string, unknown>> | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ListingVideoError';
    this.code = code;
    this.hint = options.hint;
    this.context = options.context;
  }

  get exitCode(): number {
    return ERROR_TABLE[this.code].exitCode;
  }
}

/** True for the error that `signal.throwIfAborted()` throws and for our own `cancelled`. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof ListingVideoError) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}

/** For `catch`: null instead of an error with this code. Any other error is thrown again. */
export function nullOn(code: ErrorCode): (error: unknown) => null {
  return (error) => {
    if (error instanceof ListingVideoError && error.code === code) return null;
    throw error;
  };
}
