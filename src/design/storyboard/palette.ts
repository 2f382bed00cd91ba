/** The colors of a video: the template's, with `accent`, `paper` and `ink` of the template data, kept readable. */
import { fractionalPower } from '../fractional-power.ts';
import type { Color, Palette, PaletteRule } from '../template/template.ts';

/** Lowest contrast of text below 48 px, and of larger type (README.md, "Contrast"). */
export const MIN_CONTRAST = 4.5;
export const MIN_CONTRAST_LARGE = 3;
const MIN_RULE_CONTRAST = 2;
const LIGHTNESS_STEP = 0.03;

type Rgb = readonly [number, number, number];

/** Contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastRatio(a: Color, b: Color): number {
  return ratioOf(luminance(a), luminance(b));
}

function ratioOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** A channel or luma, 0 to 1, in linear light. */
function toLinear(value: number): number {
  const base = (value + 0.055) / 1.055;
  return value <= 0.04045 ? value / 12.92 : base * base * fractionalPower(base, 0.4);
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance(color: Color): number {
  const [r, g, b] = toRgb(color).map((channel) => toLinear(channel / 255)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The palette with the colors of the template data, and with every role that depends on others.
 *
 * An ink that cannot be read on the paper is replaced by the first of the template's ink, white and black that can. A
 * template that gives `onAccent` sets type on its accent: a new accent is darkened until white or ink can be read
 * there. Quiet text and tint are mixed again from ink and paper; the accent's text color is darkened (on a dark paper
 * lightened) until it passes. Other roles follow their rules, or stay.
 */
export function resolvePalette(
  base: Palette,
  given: Partial<Record<'accent' | 'paper' | 'ink', Color>>,
  rules: Readonly<Record<string, PaletteRule>> = {},
): { readonly palette: Palette; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const paper = given.paper ?? base.paper;
  let ink = given.ink ?? base.ink;
  if (contrastRatio(ink, paper) < MIN_CONTRAST) {
    const others = [base.ink, '#FFFFFF', '#000000'];
    const drawn = others.find((color) => contrastRatio(color, paper) >= MIN_CONTRAST) ?? '#000000';
    const whose = given.ink ? 'template data ink' : 'the template’s ink';
    // A new paper that the template's ink cannot be read on needs no word.
    if (given.ink || paper === base.paper)
      warnings.push(
        `${whose} ${ink} has a contrast of ${contrastRatio(ink, paper).toFixed(1)} on the paper ${paper}; at least 4.5 is needed, so ${drawn} is drawn`,
      );
    ink = drawn;
  }
  const isOwnGround = paper === base.paper && ink === base.ink;
  const givenAccent = given.accent ?? base.accent;
  const carriesText = base.onAccent !== undefined || rules.onAccent !== undefined;
  const accent = carriesText
    ? carrying(givenAccent, ink)
    : isOwnGround
      ? givenAccent
      : readable(givenAccent, paper, MIN_RULE_CONTRAST);
  const isOwnAccent = isOwnGround && accent === base.accent;
  const resolved: Record<string, Color> = {
    ...base,
    paper,
    ink,
    white: base.white ?? '#FFFFFF',
    soft: (isOwnGround && base.soft) || readable(mix(ink, paper, 0.3), paper),
    accent,
    accentText: (isOwnAccent && base.accentText) || readable(givenAccent, paper),
    tint: (isOwnGround && base.tint) || mix(paper, ink, 0.07),
    onAccent: (isOwnAccent && base.onAccent) || textOn(accent, ink),
    onInk: (isOwnGround && base.onInk) || textOn(ink, paper),
    // Fills take both from the photo, where there is one.
    photoShade: shadeOf('#808080'),
    photoEdge: '#FFFFFF',
  };
  const isOwn = isOwnGround && isOwnAccent;
  for (const [role, rule] of Object.entries(rules)) {
    if (isOwn && base[role] !== undefined) continue;
    resolved[role] = follow(rule, resolved[role] ?? ink, resolved);
  }
  return { palette: resolved as Palette, warnings };
}

function follow(rule: PaletteRule, color: Color, palette: Readonly<Record<string, Color>>): Color {
  const named = (role: string): Color => palette[role] ?? color;
  const mixed = rule.mix ? mix(named(rule.mix[0]), named(rule.mix[1]), rule.mix[2]) : color;
  if (rule.textOn) return textOn(named(rule.textOn), named('ink'));
  return rule.readableOn ? readable(mixed, named(rule.readableOn)) : mixed;
}

/** White, or `other` where that reads better. */
function textOn(ground: Color, other: Color): Color {
  return contrastRatio('#FFFFFF', ground) >= contrastRatio(other, ground) ? '#FFFFFF' : other;
}

/** The accent, darkened in steps of 3 % until white or ink can be read on it. */
function carrying(accent: Color, ink: Color): Color {
  for (let share = 0; share < 1; share += LIGHTNESS_STEP) {
    const candidate = mix(accent, '#000000', share);
    if (contrastRatio(textOn(candidate, ink), candidate) >= MIN_CONTRAST) return candidate;
  }
  return '#000000';
}

/** The color, moved away from the ground in steps of 3 % until it can be read there. */
export function readable(color: Color, ground: Color, minimum = MIN_CONTRAST): Color {
  const end = luminance(ground) > 0.18 ? '#000000' : '#FFFFFF';
  for (let share = 0; share < 1; share += LIGHTNESS_STEP) {
    const candidate = mix(color, end, share);
    if (contrastRatio(candidate, ground) >= minimum) return candidate;
  }
  return end;
}

/** Of a ground in a color of a photo: its luma beside black, what white adds to it, the share of the color's strength. */
const SHADE = { luma: 0.22, range: 0.24, chroma: 0.9 };

/** A color of a photo as a ground beside it: of middle lightness, quieter than the photo; white can be read there. */
export function shadeOf(color: Color): Color {
  const luma = lumaOf(color);
  const target = SHADE.luma + SHADE.range * luma;
  const strength = SHADE.chroma * Math.min(1, target / Math.max(luma, 0.01));
  const channels = toRgb(color).map((value) => 255 * target + strength * (value - 255 * luma));
  return readable(
    toColor(channels.map((value) => Math.min(255, Math.max(0, value))) as unknown as Rgb),
    '#FFFFFF',
  );
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

/** @param change - Of a channel, 0 to 255. */
export function mapChannels(color: Color, change: (channel: number) => number): Color {
  const [r, g, b] = toRgb(color);
  return toColor([change(r), change(g), change(b)]);
}

/** Luma of a color as pixels hold it, 0 black to 1 white. Photos and scrims are mixed in luma. */
export function lumaOf(color: Color): number {
  const [r, g, b] = toRgb(color);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** Contrast ratio of two grays given by their lumas; for photos, of which only the luma is known. */
export function contrastOfLuma(a: number, b: number): number {
  return ratioOf(toLinear(a), toLinear(b));
}
