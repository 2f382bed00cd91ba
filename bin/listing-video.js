#!/usr/bin/env node
/**
 * Starts the command line: the build in `dist/` where there is one, else, in a checkout whose scripts were not run, a
 * build made now, else (no compiler installed) the sources through tsx. Plain JavaScript, so that it needs no build.
 */
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const BUILT = new URL('../dist/cli/main.js', import.meta.url);

// From Node 22 on compiled code is cached between starts, which halves the time of `--help`.
nodeModule.enableCompileCache?.();

const { main } = await load();
await main();

async function load() {
  if (existsSync(BUILT) || (await tryBuild())) return import(BUILT.href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL('../src/cli/main.ts', import.meta.url).href);
}

async function tryBuild() {
  if (!existsSync(new URL('../src/cli/main.ts', import.meta.url))) return false;
  try {
    const { build, canBuild } = await import('./prepare.js');
    if (!canBuild()) return false;
    await build();
    return existsSync(BUILT);
  } catch {
    // Sources that do not compile may still run; the type errors are for `npm run check` to tell.
    return false;
  }
}
