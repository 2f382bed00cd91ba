/** How long a claim holds without a sign of life. */

/** A task whose owner has not beaten for this long may be taken by another process. Six missed beats. */
export const LEASE_MS = 30_000;
