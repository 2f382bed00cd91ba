/** What a listing announces and the template's scenes have no place for. Pure. */
import type { SceneVariant } from '../../../template/template.ts';
import type { ListingTexts } from '../scene-texts.ts';

const OPEN_HOUSE = {
  ...{ layer: 'open_house', name: 'open house' },
  texts: ['{open_house}', '{open_house_line}'],
} as const;

/** What can be announced in the opening, its name in messages, and the texts that show it. */
const PLACES = [
  { layer: 'headline', name: 'headline', texts: ['{headline}'] },
  { layer: 'status', name: 'status', texts: ['{status}', '{place}'] },
  OPEN_HOUSE,
] as const;

export function announcementsWithoutPlace(
  variants: readonly SceneVariant[],
): { readonly layer: string; readonly name: string }[] {
  return PLACES.filter(({ texts }) => !showAny(variants, texts));
}

/** Whether one of the layouts shows one of these texts, such as `{street}`. */
export function showAny(variants: readonly SceneVariant[], texts: readonly string[]): boolean {
  const written = JSON.stringify(variants.map(({ elements }) => elements));
  return texts.some((text) => written.includes(text));
}

/** Whether every layout of the facts has a place for the open house. */
export function factsSayOpenHouse(facts: readonly SceneVariant[]): boolean {
  return facts.every((variant) => showAny([variant], OPEN_HOUSE.texts));
}

export function hasQrCode({ elements }: SceneVariant): boolean {
  return elements.some(({ type }) => type === 'qr');
}

export function warnOfMissingPlaces(
  { texts, link }: ListingTexts,
  variants: readonly SceneVariant[],
): string[] {
  const isGiven = ({ layer }: { readonly layer: string }) => (texts[layer] ?? '') !== '';
  if (!PLACES.some(isGiven) && !link) return [];
  const missing = announcementsWithoutPlace(variants)
    .filter(isGiven)
    .map(({ name }) => name);
  if (link && !variants.some(hasQrCode)) missing.push('link');
  return missing.map((name) => `the template has no place for the ${name}; it is not shown`);
}
