/** Times of a video as a player shows them. Pure. */

/** `1:04`: minutes and whole seconds that have passed. */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** `0:07.5`: minutes, seconds, tenths. */
export function formatTenths(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`;
}
