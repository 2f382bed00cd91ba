/** Pacing that templates share: how many photos a scene shows, and for how long, by the number of photos. Data only. */
import type { PacingRow } from './template.ts';

/** Seconds before a template's factor. */
export const PACING_TABLES = {
  landscape: [
    { maxPhotos: 5, cycle: ['single'], sec: { single: 3.5 } },
    { maxPhotos: 9, cycle: ['single', 'single', 'pair'], sec: { single: 3.5, pair: 4 } },
    {
      maxPhotos: 18,
      cycle: ['single', 'single', 'three', 'single', 'pair'],
      sec: { single: 3.2, pair: 3.6, three: 3.8 },
    },
    {
      maxPhotos: 40,
      cycle: ['single', 'run', 'pair', 'single', 'run', 'three'],
      sec: { single: 2.8, pair: 3.2, three: 3.4 },
    },
    {
      maxPhotos: 60,
      cycle: ['single', 'run', 'four', 'run', 'pair', 'run'],
      sec: { single: 2.4, pair: 3, four: 3 },
      capFactor: 1.25,
    },
    {
      maxPhotos: 100,
      cycle: ['single', 'run', 'six', 'run', 'four', 'six'],
      sec: { single: 2.2, four: 2.8, six: 3.2 },
      capFactor: 1.5,
    },
  ],
  portrait: [
    { maxPhotos: 5, cycle: ['single'], sec: { single: 2.6 } },
    { maxPhotos: 9, cycle: ['single', 'pair'], sec: { single: 2.6, pair: 2.6 } },
    {
      maxPhotos: 18,
      cycle: ['single', 'pair', 'single', 'three'],
      sec: { single: 2.4, pair: 2.4, three: 2.6 },
    },
    {
      maxPhotos: 24,
      cycle: ['single', 'run', 'pair', 'single', 'three'],
      sec: { single: 2, pair: 2.2, three: 2.4 },
    },
    {
      maxPhotos: 40,
      cycle: ['single', 'run', 'six', 'single', 'three'],
      sec: { single: 1.8, three: 2.2, six: 2.6 },
    },
    {
      maxPhotos: 60,
      cycle: ['single', 'run', 'six', 'single', 'six'],
      sec: { single: 1.6, six: 2.6 },
      capFactor: 1.3,
    },
    {
      maxPhotos: 100,
      cycle: ['single', 'six', 'run', 'six', 'six'],
      sec: { single: 1.6, six: 2.6 },
      capFactor: 1.7,
    },
  ],
  quick: [
    { maxPhotos: 6, cycle: ['single'], sec: { single: 2.6 } },
    { maxPhotos: 9, cycle: ['single', 'pair'], sec: { single: 1.9, pair: 2.2 } },
    {
      maxPhotos: 18,
      cycle: ['single', 'pair', 'single', 'three'],
      sec: { single: 1.25, pair: 1.5, three: 1.8 },
    },
    { maxPhotos: 30, cycle: ['single', 'run', 'six'], sec: { single: 1.4, six: 2.2 } },
    { maxPhotos: 60, cycle: ['single', 'six', 'six'], sec: { single: 1, six: 1.45 } },
    { maxPhotos: 100, cycle: ['six'], sec: { six: 1 } },
  ],
} as const satisfies Readonly<Record<string, readonly PacingRow[]>>;
