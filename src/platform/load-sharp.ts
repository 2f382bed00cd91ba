/**
 * Loads sharp, whose program for this platform is an optional package of its own: `npm install --omit=optional` leaves
 * it out, and so does a `node_modules` that was copied from another machine.
 */
import { createRequire } from 'node:module';
import type Sharp from 'sharp';
import { ListingVideoError } from './errors.ts';

let loaded: typeof Sharp | undefined;

/**
 * Loaded on first use, which takes 30 ms. One thread and no cache keep memory constant beside the encoder.
 *
 * @throws {@link ListingVideoError} `sharp_missing`.
 */
export async function loadSharp(): Promise<typeof Sharp> {
  if (loaded !== undefined) return loaded;
  try {
    loaded = requireSharp();
  } catch (cause) {
    throw sharpMissing((cause as Error).message, cause);
  }
  loaded.cache(false);
  loaded.concurrency(1);
  return loaded;
}

/**
 * As CommonJS: `import` would read the packages below it in JavaScript, which takes each thread and process three times as
 * long. It is never part of a bundle.
 */
export function requireSharp(): typeof Sharp {
  return createRequire(import.meta.url)('sharp') as typeof Sharp;
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
