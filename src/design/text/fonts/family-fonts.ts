/** The fonts of a style's family, which ships or belongs to a template, and what it lacks for the style. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { TextStyle } from '../text.ts';
import {
  type BundledFont,
  bundledCuts,
  bundledFamilyFonts,
  type FontRole,
  isBundledFamily,
} from './bundled-fonts.ts';
import { chooseFace, ownFamily } from './own-fonts.ts';

export interface OwnFont extends FontRole {
  readonly ownFile: string;
  readonly digest: string;
  readonly openType: Buffer;
}

type FamilyStyle = Pick<TextStyle, 'family' | 'weight' | 'italic'>;

/** Best first. @throws {@link ListingVideoError} `internal_error` for a family that this process does not know. */
export function familyFonts(
  style: FamilyStyle,
): readonly [BundledFont | OwnFont, ...(BundledFont | OwnFont)[]] {
  const { family, weight } = style;
  if (isBundledFamily(family)) return bundledFamilyFonts({ ...style, family });
  const own = ownFamily(family);
  if (own === undefined)
    throw new ListingVideoError('internal_error', `The font family ${family} was not loaded.`);
  const cut = (italic: boolean): OwnFont => {
    const { face, weight: drawn } = chooseFace(own, { weight, italic });
    const isAxis = face.minWeight < face.maxWeight;
    return {
      id: `${face.digest}${isAxis ? `@${drawn}` : ''}`,
      ownFile: face.file,
      digest: face.digest,
      openType: face.openType,
      scale: 1,
      isFamily: true,
      isTall: false,
      ...(isAxis ? { weight: drawn } : {}),
    };
  };
  return style.italic ? [cut(true), cut(false)] : [cut(false)];
}

/** What a family lacks for a style, each as a sentence; empty for a style that is drawn as it is asked for. */
export function missingCuts(style: FamilyStyle): { kind: 'weight' | 'italic'; message: string }[] {
  const { family, weight, italic } = style;
  const found: { kind: 'weight' | 'italic'; message: string }[] = [];
  const report = (name: string, lacks: { weight: boolean; italic: boolean }, has: string, drawn: number) => {
    if (lacks.italic) found.push({ kind: 'italic', message: `${name} has no italic; the upright is drawn` });
    if (lacks.weight)
      found.push({
        kind: 'weight',
        message: `${name} has no weight ${weight}, only ${has}; ${drawn} is drawn`,
      });
  };
  if (isBundledFamily(family)) {
    const { weights, hasItalic } = bundledCuts(family);
    const drawn = Number(bundledFamilyFonts({ ...style, family })[0].file.slice(0, 3));
    report(
      family,
      { weight: !weights.includes(weight), italic: italic && !hasItalic },
      weights.join(', '),
      drawn,
    );
    return found;
  }
  const own = ownFamily(family);
  if (own === undefined) return found;
  const chosen = chooseFace(own, style);
  const sloped = own.faces.filter(({ isItalic }) => isItalic === chosen.face.isItalic);
  const has = sloped
    .map(({ minWeight: min, maxWeight: max }) => (min === max ? `${min}` : `${min} to ${max}`))
    .join(', ');
  report(own.name, { weight: chosen.lacksWeight, italic: chosen.lacksItalic }, has, chosen.weight);
  return found;
}

export function hasSerifs(family: string): boolean {
  if (!isBundledFamily(family)) return ownFamily(family)?.fallback === 'serif';
  return family === 'eb-garamond' || family === 'noto-serif-display';
}
