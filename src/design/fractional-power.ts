/** Powers that are the same number in every JavaScript engine, as the keys of segments need them. Pure. */

/** Bits of the exponent that a double's precision can show. */
const BITS = 52;

/**
 * `base` to the power of `exponent`. The language leaves the last digits of `**` to the engine, but not those of a
 * square root: the factors are the roots for the binary digits of the exponent.
 *
 * @param base - Not negative.
 * @param exponent - 0 to 1.
 */
export function fractionalPower(base: number, exponent: number): number {
  if (exponent >= 1) return base;
  let [power, root, rest] = [1, base, exponent];
  for (let bit = 0; bit < BITS && rest > 0; bit++) {
    root = Math.sqrt(root);
    rest *= 2;
    if (rest < 1) continue;
    power *= root;
    rest -= 1;
  }
  return power;
}
