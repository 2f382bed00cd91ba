/** What a check of `doctor` gets and answers. Types only. */

/** One line of the answer. */
export interface DoctorCheck {
  readonly name: string;
  /** False only for what prevents rendering. */
  readonly ok: boolean;
  readonly value: string;
  /** What to do or to know; null when there is nothing. */
  readonly hint: string | null;
}

export interface CheckMachineOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}
