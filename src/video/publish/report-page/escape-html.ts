/** Text and file names from outside, made safe for HTML. Pure. */

/** Safe in text and in double-quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A file beside the page. The leading `./` keeps a name with a colon from being read as a scheme. */
export function fileHref(name: string): string {
  return escapeHtml(`./${encodeURIComponent(name)}`);
}
