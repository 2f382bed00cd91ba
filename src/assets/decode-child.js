// Where a decoding process starts: the compiled worker when this runs from dist/, else the TypeScript one through tsx.
import { existsSync } from 'node:fs';

if (existsSync(new URL('./decode-worker.js', import.meta.url))) {
  await import(new URL('./decode-worker.js', import.meta.url).href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./decode-worker.ts', import.meta.url).href);
}
