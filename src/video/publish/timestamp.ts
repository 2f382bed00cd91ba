/** Timestamps as every door shows them. */

/** ISO 8601 with milliseconds and a numeric offset: `2026-11-20T14:03:07.123+00:00`, never `Z`. */
export function formatTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}
