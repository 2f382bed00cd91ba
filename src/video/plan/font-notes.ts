/** Sentences for the report about a template's own fonts. Pure. */
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import { missingCuts } from '../../design/text/fonts/family-fonts.ts';
import { ownFamily } from '../../design/text/fonts/own-fonts.ts';

/**
 * Which weights and italics of the video its own fonts lack, each once. The built-in families are the designer's
 * choice.
 */
export function fontNotes({ scenes }: Storyboard): string[] {
  const styles = scenes.flatMap(({ layers }) =>
    layers.flatMap((layer) =>
      layer.type === 'text' && ownFamily(layer.style.family) !== undefined ? [layer.style] : [],
    ),
  );
  return [...new Set(styles.flatMap(missingCuts).map(({ message }) => `the font ${message}`))];
}
