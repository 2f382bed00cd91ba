/** The colours of a film: the template's, with `accent`, `paper` and `ink` of the template data, kept readable. Pure. */
import type { Color, Palette } from '../template/template.ts';

/** Least contrast of text below 48 px, and of larger type. */
export const MIN_CONTRAST = 4.5;
export const MIN_CONTRAST_LARGE = 3;
/** Under it a rule on a page of another colour cannot be seen. */
const MIN_RULE_CONTRAST = 2;
const LIGHTNESS_STEP = 0.03;

type Rgb = readonly [number, number, number];

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastRatio(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance(color: Color): number {
  const [r, g, b] = toRgb(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The palette with the colours a listing asks for.
 *
 * An ink that cannot be read on the paper gives way to the template's ink or to white, whichever reads better. Quiet
 * text and tint are mixed anew between ink and paper; the accent's text colour is darkened (on a dark paper lightened)
 * until it passes.
 */
export function resolvePalette(
  base: Palette,
  wanted: Partial<Record<'accent' | 'paper' | 'ink', Color>>,
): { readonly palette: Palette; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const paper = wanted.paper ?? base.paper;
  let ink = wanted.ink ?? base.ink;
  if (contrastRatio(ink, paper) < MIN_CONTRAST) {
    if (wanted.ink)
      warnings.push(
        `template data ink ${wanted.ink} has a contrast of ${contrastRatio(ink, paper).toFixed(1)} on ${paper}; at least 4.5 is needed, so another ink is used`,
      );
    const others = [base.ink, '#FFFFFF', '#000000'];
    ink = others.find((color) => contrastRatio(color, paper) >= MIN_CONTRAST) ?? '#000000';
  }
  const isOwnGround = paper === base.paper && ink === base.ink;
  const wantedAccent = wanted.accent ?? base.accent;
  const accent = isOwnGround ? wantedAccent : readable(wantedAccent, paper, MIN_RULE_CONTRAST);
  return {
    palette: {
      paper,
      ink,
      soft: isOwnGround ? base.soft : readable(mix(ink, paper, 0.3), paper),
      accent,
      accentText: isOwnGround && accent === base.accent ? base.accentText : readable(wantedAccent, paper),
      tint: isOwnGround ? base.tint : mix(paper, ink, 0.07),
    },
    warnings,
  };
}

/** The colour, moved away from the ground in steps of 3 % lightness until it reads on it. */
export function readable(color: Color, ground: Color, least = MIN_CONTRAST): Color {
  const end = luminance(ground) > 0.18 ? '#000000' : '#FFFFFF';
  for (let share = 0; share < 1; share += LIGHTNESS_STEP) {
    const candidate = mix(color, end, share);
    if (contrastRatio(candidate, ground) >= least) return candidate;
  }
  return end;
}

/** `share` 0 is `from`, 1 is `to`. */
export function mix(from: Color, to: Color, share: number): Color {
  const a = toRgb(from);
  const b = toRgb(to);
  return toColor(a.map((value, index) => value + (b[index]! - value) * share) as unknown as Rgb);
}

function toRgb(color: Color): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function toColor(rgb: Rgb): Color {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}
