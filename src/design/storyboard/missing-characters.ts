/** Warnings of the characters that no font has, with the command that adds a font where there is one. Pure. */
import type { HanVariant, TextMeasurer } from '../text/text.ts';

/** One for each font that can be added, and for each character that no font can draw. @param missing - Code points. */
export function missingCharacterWarnings(
  missing: ReadonlyMap<number, HanVariant>,
  measurer: Pick<TextMeasurer, 'fontToAdd'>,
): string[] {
  const byFont = new Map<string, number[]>();
  const undrawable: string[] = [];
  for (const [point, han] of missing) {
    const font = measurer.fontToAdd?.(point, han);
    if (font === undefined) undrawable.push(`no bundled font has the character ${nameOf(point)}`);
    else byFont.set(font, [...(byFont.get(font) ?? []), point]);
  }
  const addable = [...byFont].map(([font, [first, ...others]]) => {
    const more =
      others.length === 0 ? '' : ` and ${others.length} other character${others.length === 1 ? '' : 's'}`;
    return `no installed font has the character ${nameOf(first!)}${more}; run: listing-video fonts add ${font}`;
  });
  return [...addable, ...undrawable];
}

function nameOf(point: number): string {
  return `${String.fromCodePoint(point)} (U+${point.toString(16).toUpperCase().padStart(4, '0')})`;
}
