/** The one error class and the table of stable codes: exit status, HTTP status and whether a retry may help. */

/** What a code means at every door. `httpStatus` is absent for codes the HTTP API can never meet. */
export interface ErrorRow {
  readonly exitCode: 1 | 2 | 3 | 130;
  readonly httpStatus?: number;
  /** True when the same call may succeed later without any change to its input. */
  readonly retriable: boolean;
}

/** Every code this program raises. A code is a promise to scripts: it is never renamed. */
export const ERROR_TABLE = {
  usage: { exitCode: 2, retriable: false },
  input_unreadable: { exitCode: 2, retriable: false },
  json_invalid: { exitCode: 2, httpStatus: 400, retriable: false },
  invalid_listing: { exitCode: 2, httpStatus: 422, retriable: false },
  template_not_found: { exitCode: 2, httpStatus: 404, retriable: false },
  template_invalid: { exitCode: 2, retriable: false },
  task_not_found: { exitCode: 2, httpStatus: 404, retriable: false },
  task_state_conflict: { exitCode: 2, retriable: false },
  organization_not_found: { exitCode: 2, retriable: false },
  key_not_found: { exitCode: 2, retriable: false },
  insufficient_balance: { exitCode: 2, httpStatus: 402, retriable: false },
  unauthenticated: { exitCode: 2, httpStatus: 401, retriable: false },
  forbidden: { exitCode: 2, httpStatus: 403, retriable: false },
  server_refused: { exitCode: 2, retriable: false },
  server_unreachable: { exitCode: 3, retriable: true },
  server_answer_invalid: { exitCode: 3, retriable: false },
  setting_invalid: { exitCode: 2, retriable: false },
  music_unusable: { exitCode: 1, retriable: false },
  no_usable_assets: { exitCode: 1, retriable: false },
  task_failed: { exitCode: 1, retriable: true },
  render_failed: { exitCode: 1, retriable: true },
  encode_failed: { exitCode: 1, retriable: true },
  verification_failed: { exitCode: 1, retriable: true },
  lease_lost: { exitCode: 1, retriable: true },
  output_locked: { exitCode: 1, retriable: true },
  output_unwritable: { exitCode: 3, retriable: false },
  disk_full: { exitCode: 3, httpStatus: 503, retriable: true },
  cannot_listen: { exitCode: 3, retriable: true },
  ffmpeg_missing: { exitCode: 3, retriable: false },
  store_unwritable: { exitCode: 3, httpStatus: 503, retriable: true },
  store_corrupt: { exitCode: 3, retriable: false },
  unavailable: { exitCode: 3, httpStatus: 503, retriable: true },
  cancelled: { exitCode: 130, retriable: true },
  internal_error: { exitCode: 1, httpStatus: 500, retriable: false },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/**
 * Any failure this program foresees.
 *
 * `message` says what was expected, where, and what was found; `hint` says what to do next; `context` carries the
 * facts for machines. Callers branch on `code`, never on the message.
 */
export class ListingVideoError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly context: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; hint?: string; context?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ListingVideoError';
    this.code = code;
    this.hint = options.hint;
    this.context = options.context;
  }

  /** The process exit status that belongs to this error. */
  get exitCode(): number {
    return ERROR_TABLE[this.code].exitCode;
  }
}

/** True for the error that `signal.throwIfAborted()` throws and for our own `cancelled`. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof ListingVideoError) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}
