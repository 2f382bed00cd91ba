/** What a check of `doctor` gets and answers. */

export interface CheckResult {
  /** False only for what prevents rendering. */
  readonly ok: boolean;
  readonly value: string;
  /** What to do or to know; null when there is nothing. */
  readonly hint: string | null;
}

/** One line of the answer. */
export interface DoctorCheck extends CheckResult {
  readonly name: string;
}

export function passed(value: string, hint: string | null = null): CheckResult {
  return { ok: true, value, hint };
}

export function failed(value: string, hint: string | null): CheckResult {
  return { ok: false, value, hint };
}

export interface CheckMachineOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}
