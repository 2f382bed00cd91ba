/** The rule of a place in words, for people who choose it. Pure. */
import { type DestinationName, destinationOf } from './destination-table.ts';

/** `3 s to 15 min, at most 300 MB`; empty for a place that takes every file. Its shape is not in it. */
export function describePlace(name: DestinationName): string {
  const { minSec, maxSec, maxBytes, minSidePx, isUnbranded } = destinationOf(name);
  return [
    isUnbranded ? 'without agent and office' : '',
    describeLength(minSec?.value, maxSec?.value),
    maxBytes === undefined ? '' : `at most ${inBytes(maxBytes.value)}`,
    minSidePx === undefined ? '' : `at least ${minSidePx.value} px on the shorter side`,
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function describeLength(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return min === undefined ? '' : `at least ${inTime(min)}`;
  return min === undefined ? `up to ${inTime(max)}` : `${inTime(min)} to ${inTime(max)}`;
}

/** `44.5 s`, `10 min` */
export function inTime(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** `26 MB`, `4 GB` */
export function inBytes(bytes: number): string {
  return bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`;
}
