/**
 * Starts a module in a thread or child process: compiled when this runs from dist/, else TypeScript through tsx. Node 20
 * starts no `.ts` file by itself, so every thread and process of ours begins in a plain `.js` that calls this.
 */
import { existsSync } from 'node:fs';

/**
 * @param {string} from - `import.meta.url` of the caller.
 * @param {string} name - Module beside it, without its ending: `./frame-worker`.
 */
export async function startModule(from, name) {
  const compiled = new URL(`${name}.js`, from);
  if (existsSync(compiled)) {
    await import(compiled.href);
    return;
  }
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL(`${name}.ts`, from).href);
}
