/** Where `listing-video fonts add` puts fonts. */
import { join } from 'node:path';

/** @param home - The data folder, absolute. @returns Absolute; it need not exist. */
export function addedFontsFolder(home: string): string {
  return join(home, 'fonts');
}
