#!/usr/bin/env node
/**
 * Starts the command line from the build in `dist/`. A checkout whose scripts were not run is built now. Plain JavaScript, so
 * that it needs no build.
 */
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const BUILT = new URL('../dist/main.js', import.meta.url);

const problem = existsSync(BUILT) ? null : await build();
if (problem === null) {
  // From Node 22 on compiled code is cached between starts.
  nodeModule.enableCompileCache?.();
  // Stack traces then name the files in src/. Reading the maps would double the time of `--help`.
  if (process.argv.includes('--debug')) process.setSourceMapsEnabled(true);
  const { main } = await import(BUILT.href);
  await main();
} else {
  console.error(`listing-video: ${problem}`);
  // This machine is not ready.
  process.exitCode = 3;
}

async function build() {
  const { prepare } = await import('./prepare.js');
  const reason = await prepare({ isForPackage: false });
  return reason === null && !existsSync(BUILT)
    ? 'dist/main.js is missing; install the package again'
    : reason;
}
