/**
 * Makes foreign text (ids, names, reasons, file names, URLs) safe to print: it cannot move the cursor, change colors,
 * ring the bell, set a title, hide characters or change the text direction.
 */

/**
 * Control characters (with line breaks), line and paragraph separators, lone surrogates, bidi controls (Unicode TR 36,
 * "trojan source"), and characters without width, the two joiners aside: emoji and Indic scripts need those.
 */
const UNSAFE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u00AD\u180E\u200B\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** One line of visible text; what was unsafe reads as an escape such as `\x1b` or `\u202e`. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, escapeChar);
}

/** Like {@link escapeText}, but keeps line breaks: for our own messages of several lines. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n');
}

function escapeChar(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\r') return '\\r';
  if (char === '\t') return '\\t';
  const code = char.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * A line that GitHub Actions cannot read as a command. Its runner obeys lines that start with `::` or contain `##[`
 * (actions/runner, ActionCommand.cs).
 */
export function escapeWorkflowCommand(line: string): string {
  return line.replaceAll('##[', '\\x23#[').replace(/^([\s\uFEFF]*):(?=:)/, '$1\\x3a');
}

/** JSON text with unsafe characters inside its strings as `\uXXXX`: the same value, safe to print. */
export function escapeUnsafeJson(json: string): string {
  return json.replaceAll('##[', '\\u0023#[').replace(UNSAFE, (char) => {
    if (char === '\n') return char;
    return Array.from({ length: char.length }, (_, index) => {
      return `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}
