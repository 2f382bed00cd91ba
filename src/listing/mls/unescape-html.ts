/** Turns HTML entities into characters: web forms of an MLS leave `&amp;` and `&#39;` in names and captions. */

/** Those that exports have. Others stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  copy: '©',
  frac12: '½',
  gt: '>',
  hellip: '…',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  nbsp: ' ',
  ndash: '–',
  quot: '"',
  rdquo: '”',
  reg: '®',
  rsquo: '’',
  trade: '™',
};
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi;
const MAX_CODE_POINT = 0x10ffff;

/** Also where a form escaped twice: `&amp;#39;`. */
export function unescapeHtml(text: string): string {
  return text.includes('&') ? unescapeOnce(unescapeOnce(text)) : text;
}

function unescapeOnce(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : entity;
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
