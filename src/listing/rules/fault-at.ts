/** Tries one value before there is a listing. Pure. */
import { explainViolation } from './explain-violation.ts';
import { validateListing } from './validate-listing.ts';

type Fields = Record<string, unknown>;

const SAMPLE = JSON.stringify({
  id: 'x',
  assets: Array.from({ length: 5 }, () => ({ url: 'x', altered: true })),
  agents: [{ id: 'x', first_name: 'x', last_name: 'x' }],
});

/**
 * What the rules of a listing say against a value; null for a valid one. Paths of files are valid addresses.
 *
 * @param place - Such as `agents.0.phones.0.number`; the rules for a first photo or agent hold for all.
 */
export function faultAt(place: string, value: unknown): string | null {
  const sample = JSON.parse(SAMPLE) as Fields;
  setAt(sample, place, value);
  const result = validateListing(sample, { allowLocalFiles: true });
  const found = result.ok ? [] : result.violations;
  const fault = found.find(({ loc }) => `${loc.slice(1).join('.')}.`.startsWith(`${place}.`));
  return fault === undefined ? null : explainViolation(fault);
}

/** Sets a value; objects and lists on the way are made. @param place - Such as `phones.0.number`. */
export function setAt(target: Fields, place: string, value: unknown): void {
  const steps = place.split('.');
  let at = target;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    at[step] ??= /^\d+$/.test(steps[index + 1]!) ? [] : {};
    at = at[step] as Fields;
  }
  at[steps.at(-1)!] = value;
}
