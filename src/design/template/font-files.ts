/** Where the fonts of a template's own are. Pure. */
import type { Template } from './template.ts';

export const FONTS_FOLDER = 'fonts';

/** Names in {@link FONTS_FOLDER}, each once. */
export function fontFileNames({ fonts = {} }: Pick<Template, 'fonts'>): string[] {
  const entries = Object.values(fonts).flatMap(({ files }) => files);
  return [...new Set(entries.map((entry) => (typeof entry === 'string' ? entry : entry.file)))];
}
