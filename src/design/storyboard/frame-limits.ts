/** What type and photos keep within on a frame of each shape (README.md). */
import type { AspectRatio } from '../../listing/listing.ts';
import type { Box } from './storyboard.ts';

export interface Limits {
  /** The part of a frame that no player or network covers: all text lies in it. */
  readonly safe: Box;
  readonly minPx: number;
  /** Smallest size of captions, city, and the labels of the opening and the facts. */
  readonly minLabelPx: number;
  readonly fullBleedLoss: number;
  /** Of a photo in a strip beside the words of an opening, facts or an ending. */
  readonly stripLoss: number;
  /** A license of this size passes, however large its neighbors are. */
  readonly smallPrintPx: number;
}

export const LIMITS: Readonly<Record<AspectRatio, Limits>> = {
  '1920:1080': {
    safe: { x: 96, y: 54, w: 1728, h: 972 },
    minPx: 34,
    minLabelPx: 30,
    fullBleedLoss: 0.16,
    stripLoss: 0.45,
    smallPrintPx: 36,
  },
  '1080:1920': {
    safe: { x: 65, y: 285, w: 885, h: 960 },
    minPx: 38,
    minLabelPx: 36,
    fullBleedLoss: 0.65,
    stripLoss: 0.7,
    smallPrintPx: 40,
  },
};

export function limitsOf(frame: { readonly w: number; readonly h: number }): Limits {
  return LIMITS[frame.w > frame.h ? '1920:1080' : '1080:1920'];
}
