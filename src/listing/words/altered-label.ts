/** The label of an altered photo, as viewers read it. Pure. */
import type { Asset } from '../listing.ts';
import { displayText } from './display-text.ts';

const DEFAULT_LABEL = 'Digitally altered';

/** @returns Null for an unaltered photo. A label without any visible character is the usual one. */
export function alteredLabel({ altered }: Pick<Asset, 'altered'>): string | null {
  if (altered === undefined || altered === false) return null;
  return (altered === true ? '' : displayText(altered)) || DEFAULT_LABEL;
}
