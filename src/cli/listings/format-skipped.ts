/** Formats the files of a folder that are no photos. Pure. */

import type { SkippedFile } from '../../video/photos/find-photos.ts';
import { escapeText } from '../terminal/escape-text.ts';

/** One line for each reason, with all its files: `skipped: a.nef, b.nef: camera raw (NEF); export it as JPEG`. */
export function formatSkipped(skipped: readonly SkippedFile[]): string[] {
  const filesOf = new Map<string, string[]>();
  for (const { file, reason } of skipped) filesOf.set(reason, [...(filesOf.get(reason) ?? []), file]);
  return [...filesOf].map(([reason, files]) => `skipped: ${files.map(escapeText).join(', ')}: ${reason}`);
}
