/** A connection that we refused to make, or gave up, and why. */

/** The reason is for everyone: no resolved address, no path of this machine. */
export class NetworkRefusal extends Error {
  readonly code: 'blocked_address' | 'timeout';
  readonly detail: string;

  constructor(code: 'blocked_address' | 'timeout', detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'NetworkRefusal';
    this.code = code;
    this.detail = detail;
  }
}
