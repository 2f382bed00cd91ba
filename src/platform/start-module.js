/**
 * Starts a module of a source tree in a thread or child process, through tsx. Node 20 starts no `.ts` file by itself,
 * so every thread and process of ours begins in a plain `.js` that calls this. In the build that file is the bundled
 * module itself.
 */
/**
 * @param {string} from - `import.meta.url` of the caller.
 * @param {string} name - Module beside it, without its ending: `./frame-worker`.
 */
export async function startModule(from, name) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL(`${name}.ts`, from).href);
}
