/** Durations as people write them (`30d`, `12h`, `1d12h`). */

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds of a duration such as `30d`, `12h`, `90 min` or `1d12h`. Every number except 0 needs a unit.
 *
 * @returns A whole number of milliseconds, or null when `text` is not a duration.
 */
export function parseDurationMs(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (/^0+$/.test(trimmed)) return 0;
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/.test(trimmed)) return null;
  let totalMs = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const unitMs = UNITS_MS[unit ?? ''];
    if (unitMs === undefined) return null;
    totalMs += Number(amount) * unitMs;
  }
  const rounded = Math.round(totalMs);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** The shortest text that {@link parseDurationMs} reads as exactly this many milliseconds: `30d`, `1m30s`. */
export function formatExactDuration(durationMs: number): string {
  let restMs = durationMs;
  let text = '';
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(restMs / UNITS_MS[unit]!);
    restMs -= count * UNITS_MS[unit]!;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}

/** A duration for people, with at most two units: `45 s`, `2 min 5 s`, `3 d 4 h`. Rounded up to a second. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 1000));
  const steps: readonly [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  const first = steps.findIndex(([size]) => seconds >= size);
  if (first < 0) return '0 s';
  const [size, name] = steps[first]!;
  const head = `${Math.floor(seconds / size)} ${name}`;
  const next = steps[first + 1];
  const rest = next ? Math.floor((seconds % size) / next[0]) : 0;
  return next && rest > 0 ? `${head} ${rest} ${next[1]}` : head;
}

/** The larger unit of {@link formatDuration} alone, which is precise enough for an age: `3 d`. */
export function formatAge(ageMs: number): string {
  return formatDuration(ageMs).split(' ').slice(0, 2).join(' ');
}
