/** Pacing that templates share: how many photos a scene shows, and for how long, by the number of photos. Data only. */
import type { PacingRow } from './template.ts';

/** Seconds before a template's factor. */
export const PACING_TABLES = {
  landscape: [
    { maxPhotos: 9, cycle: ['single', 'single', 'pair'], sec: { single: 3.5, pair: 4 } },
    {
      maxPhotos: 18,
      cycle: ['single', 'single', 'three', 'single', 'pair'],
      sec: { single: 3.2, pair: 3.6, three: 3.8 },
    },
    {
      maxPhotos: 36,
      cycle: ['single', 'three', 'pair', 'four'],
      sec: { single: 2.8, pair: 3.2, three: 3.4, four: 3.4 },
    },
    { maxPhotos: 60, cycle: ['single', 'four', 'three', 'four'], sec: { single: 2.4, three: 2.8, four: 3 } },
    { maxPhotos: 100, cycle: ['single', 'six', 'four', 'six'], sec: { single: 2.2, four: 2.8, six: 3.4 } },
  ],
  portrait: [
    { maxPhotos: 9, cycle: ['single', 'pair'], sec: { single: 2.4, pair: 2.6 } },
    { maxPhotos: 18, cycle: ['single', 'three', 'pair'], sec: { single: 2.2, pair: 2.4, three: 2.6 } },
    { maxPhotos: 36, cycle: ['single', 'three', 'three'], sec: { single: 1.8, three: 2.4 } },
    { maxPhotos: 100, cycle: ['single', 'six', 'three', 'six'], sec: { single: 1.6, three: 2, six: 2.6 } },
  ],
  quick: [
    { maxPhotos: 9, cycle: ['single', 'pair'], sec: { single: 1.6, pair: 1.8 } },
    { maxPhotos: 18, cycle: ['single', 'pair', 'three'], sec: { single: 1.5, pair: 1.8, three: 2.1 } },
    { maxPhotos: 60, cycle: ['single', 'six', 'three'], sec: { single: 1.5, six: 2.4, three: 2 } },
    { maxPhotos: 100, cycle: ['six'], sec: { six: 2.1 } },
  ],
} as const satisfies Readonly<Record<string, readonly PacingRow[]>>;
