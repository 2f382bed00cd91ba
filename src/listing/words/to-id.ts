/** Ids from names. Pure. */

/** A safe file name: `128 Harbor Pine Lane` is `128-harbor-pine-lane`. Empty when no letter or digit is left. */
export function toId(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** `id`, or `id-2`, `id-3` and so on when it is used. */
export function unusedId(id: string, used: readonly string[]): string {
  const base = id === '' ? 'agent' : id;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!used.includes(candidate)) return candidate;
  }
}
