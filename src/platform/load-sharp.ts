/**
 * Loads sharp, whose program for this platform is an optional package of its own: `npm install --omit=optional` leaves
 * it out, and so does a `node_modules` that was copied from another machine.
 */
import type Sharp from 'sharp';
import { ListingVideoError } from './errors.ts';

let loading: Promise<typeof Sharp> | undefined;

/**
 * Loaded on first use, which takes 70 ms. One thread and no cache keep memory constant beside the encoder.
 *
 * @throws {@link ListingVideoError} `sharp_missing`.
 */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.cache(false);
      sharp.concurrency(1);
      return sharp;
    },
    (cause: unknown) => {
      throw sharpMissing((cause as Error).message, cause);
    },
  );
  return loading;
}

/** @param message - Of sharp: its first line says what failed, all others are advice for its own users. */
export function sharpMissing(message: string, cause?: unknown): ListingVideoError {
  const [reason = ''] = message.split('\n');
  return new ListingVideoError(
    'sharp_missing',
    `the package sharp cannot be used, so no photo can be read: ${reason}`,
    {
      ...(cause === undefined ? {} : { cause }),
      hint: 'install the optional packages too, in the same folder: npm install --include=optional',
      context: { platform: `${process.platform}-${process.arch}` },
    },
  );
}
