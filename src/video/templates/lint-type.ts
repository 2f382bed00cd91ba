/**
 * Finds type that is not drawn as the template asks: weights, italics and letters that a family lacks. Another font
 * stands in for them in the video, and nobody would be told.
 */
import type { LintFinding } from '../../design/storyboard/lint-storyboard.ts';
import type { Storyboard, TextLayer } from '../../design/storyboard/storyboard.ts';
import { missingCuts } from '../../design/text/fonts/family-fonts.ts';
import { ownFamily } from '../../design/text/fonts/own-fonts.ts';
import type { TextMeasurer } from '../../design/text/text.ts';

/** Letters, figures and signs of western European languages: a family of a template's own should have them. */
const EXPECTED = /[!-~\u00a1-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d]/u;

/** In playing order; one for each layer and fault. */
export function lintType(storyboard: Storyboard, measurer: TextMeasurer): LintFinding[] {
  return storyboard.scenes.flatMap((scene) =>
    scene.layers.flatMap((layer) => {
      if (layer.type !== 'text') return [];
      const place = { scene: scene.id, layer: layer.id };
      const cuts = missingCuts(layer.style).map(
        ({ kind, message }): LintFinding => ({ rule: `font-${kind}`, ...place, message }),
      );
      const letters = missingLetters(layer, measurer);
      if (letters.length === 0) return cuts;
      const message = `${ownFamily(layer.style.family)!.name} has no ${letters.join(' ')}: another font draws them`;
      return [...cuts, { rule: 'font-letters', ...place, message } as const];
    }),
  );
}

function missingLetters({ style, lines }: TextLayer, measurer: TextMeasurer): string[] {
  if (ownFamily(style.family) === undefined) return [];
  const substituted = lines.flatMap(({ text }) => measurer.measure(text, style).substituted ?? []);
  return [...new Set(substituted)]
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((letter) => EXPECTED.test(letter));
}
