/** Starts the render thread: the compiled module where there is one, else its source through tsx (Node 20 runs no .ts). */
import { existsSync } from 'node:fs';

const compiled = new URL('./frame-worker.js', import.meta.url);
if (existsSync(compiled)) {
  await import(compiled.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./frame-worker.ts', import.meta.url).href);
}
