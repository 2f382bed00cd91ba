// Where a preview's worker thread starts: the compiled module when this runs from dist/, else TypeScript through tsx.
import { existsSync } from 'node:fs';

if (existsSync(new URL('./gif-thread.js', import.meta.url))) {
  await import(new URL('./gif-thread.js', import.meta.url).href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./gif-thread.ts', import.meta.url).href);
}
