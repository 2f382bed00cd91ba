/** Sorts violations into the order of the document. */
import type { Violation } from '../listing.ts';

/**
 * Sorts violations by where they stand in the document.
 *
 * A value comes before its parts, an absent property before those present, a key before its value. Violations of the
 * same place keep their order.
 *
 * @param input - The value that `"body"` stands for.
 * @returns The same array, sorted.
 */
export function sortViolations(violations: Violation[], input: unknown): Violation[] {
  const positions = new Map<object, Map<string, number>>();
  const ranks = new Map(violations.map((violation) => [violation, rankOf(violation, input, positions)]));
  return violations.sort((a, b) => compareRanks(ranks.get(a)!, ranks.get(b)!));
}

/** For each step of the loc its position among its siblings: -1 for an absent property, half a step less for a key. */
function rankOf(violation: Violation, input: unknown, positions: Map<object, Map<string, number>>): number[] {
  const rank: number[] = [];
  let value = input;
  for (const step of violation.loc.slice(1)) {
    const isMember =
      typeof value === 'object' && value !== null && (step !== '[key]' || Object.hasOwn(value, step));
    if (!isMember) {
      rank.push((rank.pop() ?? 0) - 0.5);
      break;
    }
    rank.push(positionOf(value as object, step, positions));
    value = (value as Record<string | number, unknown>)[step];
  }
  return rank;
}

function positionOf(
  value: object,
  step: string | number,
  positions: Map<object, Map<string, number>>,
): number {
  if (typeof step === 'number') return step;
  let known = positions.get(value);
  if (known === undefined) {
    known = new Map(Object.keys(value).map((key, index) => [key, index]));
    positions.set(value, known);
  }
  return known.get(step) ?? -1;
}

/** Lexicographic, a prefix first. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}
