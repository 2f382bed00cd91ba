/** A request that the studio's server refuses, with a code of the error table. */
import type { ERROR_TABLE } from '../platform/errors.ts';

type Table = typeof ERROR_TABLE;

/** Codes of answers. */
export type ProblemCode = {
  [K in keyof Table]: Table[K] extends { httpStatus: number } ? K : never;
}[keyof Table];

/** Thrown where a request is read. */
export class RefusedRequest extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}
