/**
 * A guide as text for a terminal. `marked` reads the Markdown (one package of 0.6 MB, 12 ms); `marked-terminal` would
 * also lay it out, but brings 40 packages of 9 MB and takes half a second to load.
 */
import path from 'node:path';
import type { ChalkInstance } from 'chalk';
import { wrapAnsi } from 'fast-wrap-ansi';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { displayWidth } from './terminal/display-width.ts';

const GAP = '  ';
/** A table whose columns would be narrower is printed as a list. */
const MIN_COLUMN = 14;

/**
 * Lines of at most `width` cells, code aside: a command that is broken over two lines cannot be copied.
 *
 * @param style - Where its colors are off, titles are underlined and code keeps its backticks.
 */
export function formatGuide(markdown: string, width: number, style: ChalkInstance): string {
  return formatBlocks(lexer(markdown), width, style);
}

function formatBlocks(tokens: readonly Token[], width: number, style: ChalkInstance): string {
  return tokens
    .map((token) => formatBlock(token as MarkedToken, width, style))
    .filter((block) => block !== '')
    .join('\n\n');
}

function formatBlock(token: MarkedToken, width: number, style: ChalkInstance): string {
  switch (token.type) {
    case 'heading': {
      const title = formatInline(token.tokens, style);
      if (style.level === 0)
        return `${title}\n${(token.depth === 1 ? '=' : '-').repeat(displayWidth(title))}`;
      return style.bold(token.depth === 1 ? title.toUpperCase() : title);
    }
    case 'code':
      return token.text.replace(/^(?=.)/gm, '    ');
    case 'list':
      return formatList(token as Tokens.List, width, style);
    case 'table':
      return formatTable(token as Tokens.Table, width, style);
    case 'paragraph':
    case 'text':
      return wrap(formatInline(token.tokens ?? [], style), width);
    default:
      return '';
  }
}

function formatList({ items, ordered, loose }: Tokens.List, width: number, style: ChalkInstance): string {
  const texts = items.map((item, index) => {
    const bullet = ordered ? `${index + 1}. ` : '- ';
    const body = formatBlocks(item.tokens, width - bullet.length, style);
    return bullet + indent(body, bullet.length).trimStart();
  });
  return texts.join(loose ? '\n\n' : '\n');
}

function formatTable({ header, rows }: Tokens.Table, width: number, style: ChalkInstance): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => formatInline(tokens, style)));
  const widths = fitColumns(
    header.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column]!)))),
    width - GAP.length * (header.length - 1),
  );
  const [titles = [], ...bodies] = cells;
  if (widths.includes(0)) {
    const toItem = ([first = '', ...rest]: string[]): string =>
      [wrap(first, width), ...rest.map((cell) => indent(wrap(cell, width - 4), 4))].join('\n');
    return bodies.map(toItem).join('\n');
  }
  const rule = style.level === 0 ? [widths.map((columnWidth) => '-'.repeat(columnWidth))] : [];
  return [titles.map((title) => style.bold(title)), ...rule, ...bodies]
    .map((row) => formatRow(row, widths))
    .join('\n');
}

function formatRow(cells: readonly string[], widths: readonly number[]): string {
  const columns = cells.map((cell, index) => wrap(cell, widths[index]!).split('\n'));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, index) => {
        const text = lines[line] ?? '';
        return text + ' '.repeat(Math.max(0, widths[index]! - displayWidth(text)));
      })
      .join(GAP)
      .trimEnd(),
  ).join('\n');
}

/** Gives narrow columns what they need and shares the rest; 0 for a column that would get too little. */
function fitColumns(natural: readonly number[], total: number): number[] {
  const widths = natural.map(() => 0);
  let left = total;
  let open = natural.map((_, index) => index);
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const fitting = open.filter((index) => natural[index]! <= share);
    if (fitting.length === 0) {
      for (const index of open) widths[index] = share < MIN_COLUMN ? 0 : share;
      break;
    }
    for (const index of fitting) widths[index] = natural[index]!;
    left -= fitting.reduce((sum, index) => sum + natural[index]!, 0);
    open = open.filter((index) => !fitting.includes(index));
  }
  return widths;
}

function formatInline(tokens: readonly Token[], style: ChalkInstance): string {
  return tokens
    .map((each) => {
      const token = each as MarkedToken;
      switch (token.type) {
        case 'strong':
          return style.bold(formatInline(token.tokens, style));
        case 'em':
          return style.italic(formatInline(token.tokens, style));
        case 'codespan':
          return formatCode(token.text, style);
        case 'link':
          return formatLink(token as Tokens.Link, style);
        case 'image':
          return '';
        case 'text':
          return (token.tokens ? formatInline(token.tokens, style) : token.text).replace(/\n/g, ' ');
        default:
          return 'text' in token ? String(token.text) : '';
      }
    })
    .join('');
}

/** Another guide is named by its command, a file by its path in the package. */
function formatLink({ href, tokens }: Tokens.Link, style: ChalkInstance): string {
  const text = formatInline(tokens, style);
  const [, topic] = /^([\w-]+)\.md(?:#.*)?$/.exec(href) ?? [];
  if (topic !== undefined) return `${text} (${formatCode(`listing-video help ${topic}`, style)})`;
  const place = /^https?:/.test(href) ? href : path.posix.join('dist/cli/help', href);
  return text.includes(path.posix.basename(place)) ? text : `${text} (${place})`;
}

/** In color, or between backticks where there is none: a lone `-` would be lost. */
function formatCode(code: string, style: ChalkInstance): string {
  return style.level === 0 ? `\`${code}\`` : style.cyan(code);
}

function wrap(text: string, width: number): string {
  return wrapAnsi(text.trim(), Math.max(MIN_COLUMN, width), { hard: true });
}

function indent(text: string, columns: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(columns));
}
