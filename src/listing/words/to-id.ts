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
