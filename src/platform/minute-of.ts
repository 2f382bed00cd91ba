/** `2026-11-01 09:30`: the minute of an ISO 8601 time, in its own time zone. */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
