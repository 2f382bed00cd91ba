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
      sec: { single: 3.2, pair: 3.4, three: 3.8 },
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
      cycle: ['single', 'four', 'run', 'four', 'run', 'four'],
      sec: { single: 2, four: 2.4 },
      capFactor: 1.5,
    },
  ],
  portrait: [
    { maxPhotos: 5, cycle: ['single'], sec: { single: 2.6 } },
    { maxPhotos: 9, cycle: ['single', 'pair'], sec: { single: 2.6, pair: 2.6 } },
    {
      maxPhotos: 18,
      cycle: ['single', 'pair', 'single', 'pair'],
      sec: { single: 2.4, pair: 2.4, three: 2.6 },
    },
    {
      maxPhotos: 24,
      cycle: ['single', 'run', 'pair', 'single', 'pair'],
      sec: { single: 2, pair: 2.2, three: 2.4 },
    },
    {
      maxPhotos: 40,
      cycle: ['pair', 'single', 'pair', 'run', 'pair'],
      sec: { single: 1.7, pair: 1.7, three: 1.8 },
    },
    {
      maxPhotos: 60,
      cycle: ['single', 'three', 'run', 'three', 'three'],
      sec: { single: 1.6, three: 1.9 },
      capFactor: 1.3,
    },
    {
      maxPhotos: 100,
      cycle: ['single', 'three', 'three', 'three'],
      sec: { single: 1.5, three: 1.6 },
      capFactor: 1.9,
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
    {
      maxPhotos: 40,
      cycle: ['single', 'single', 'pair', 'single', 'pair'],
      sec: { single: 0.8, pair: 1, three: 1.4 },
    },
    { maxPhotos: 60, cycle: ['single', 'four', 'four'], sec: { single: 1, pair: 1, three: 1, four: 1 } },
    { maxPhotos: 100, cycle: ['four'], sec: { three: 1, four: 1 }, capFactor: 1.3 },
  ],
} as const satisfies Readonly<Record<string, readonly PacingRow[]>>;
