/** The address of the listing's schema for `$schema`, by which editors complete and check a listing. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SCHEMA = 'dist/listing/listing.schema.json';

/**
 * A relative path in a project that installs listing-video, so that it holds on every machine; else the `file:` URL of
 * this installation.
 *
 * @param folder - Absolute folder of the listing.
 * @param packageDir - Absolute folder of this package.
 */
export function schemaAddress(folder: string, packageDir: string): string {
  const installed = realOf(packageDir);
  for (let at = folder; ; at = path.dirname(at)) {
    const candidate = path.join(at, 'node_modules', 'listing-video');
    if (existsSync(candidate) && realOf(candidate) === installed) return relative(folder, candidate);
    // A clone of the program itself.
    if (realOf(at) === installed) return relative(folder, at);
    if (path.dirname(at) === at) return pathToFileURL(path.join(packageDir, SCHEMA)).href;
  }
}

function relative(folder: string, packageDir: string): string {
  const found = path.relative(folder, path.join(packageDir, SCHEMA)).split(path.sep).join('/');
  return found.startsWith('.') ? found : `./${found}`;
}

/** The folder itself while it does not exist. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
