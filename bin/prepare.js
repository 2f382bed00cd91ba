/**
 * Builds `dist/` in a checkout where it is missing or older than its sources. npm runs this after `npm ci`, and the launcher
 * runs it where npm was told to run no scripts. The published package has its build, so there this does nothing.
 *
 * In package.json it is `postprepare`, which npm runs in a checkout only: npm warns users of a package that has `prepare`.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILT = new URL('../dist/main.js', import.meta.url);
const BUILDER = new URL('./build/build.js', import.meta.url);

/**
 * @param {{ readonly isForPackage: boolean }} options - Whether to make what only an installed package needs.
 * @returns Null, or why there is no build and what to do, in words for the user.
 * @throws Error when the sources cannot be built.
 */
export async function prepare(options) {
  if (!existsSync(BUILDER)) return null;
  const { missingTools } = await import('./build/tools.js');
  const missing = missingTools();
  if (missing.length > 0) {
    if (existsSync(BUILT)) return null;
    return `this checkout is not built, and ${missing.join(', ')} cannot be found. Run \`npm ci\` with development and optional packages.`;
  }
  const { build, isBuilt } = await import(BUILDER.href);
  if (!isBuilt(options)) await build(options);
  return null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await prepare({ isForPackage: true });
  // No failure: `npm ci --omit=dev` does what it was asked to.
  if (problem !== null) console.error(`listing-video: ${problem}`);
}
