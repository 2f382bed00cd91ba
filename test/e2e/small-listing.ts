/** The small listing, and the cache of a home that has made a draft of it: rendered once in a run of the tests. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHED_LISTING } from '../leftovers/find-leftovers.ts';

export const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
/** Five small photos and one agent. */
export const SMALL_LISTING = fileURLToPath(new URL('../../fixtures/small/listing.json', import.meta.url));

/** What a home has of the small listing: its decoded photos and its music, or its rendered segments too. */
export type Cached = 'photos' | 'segments';

const WAIT_MS = 60_000;
const STEP_MS = 50;

export function copyCache(home: string, cached: Cached): void {
  const from = path.join(findCache(), 'cache');
  const segments = path.join(from, 'segments');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  cpSync(from, path.join(home, 'cache'), {
    recursive: true,
    filter: (each) => cached === 'segments' || each !== segments,
  });
}

/** A home whose cache is complete. Another worker of the run can be rendering it. */
function findCache(): string {
  const home = path.join(process.env.TESTS_FOLDER ?? '', CACHED_LISTING);
  if (existsSync(home)) return home;
  const begun = `${home}-begun`;
  if (mkdirSync(begun, { recursive: true }) === undefined) return waitFor(home);
  const args = ['create', SMALL_LISTING, '--quality', 'draft', '--out', path.join(begun, 'out')];
  const env = { ...process.env, CI: '1', NO_COLOR: '1' };
  execFileSync(process.execPath, [LAUNCHER, ...args, '--home', begun], { env, stdio: 'ignore' });
  renameSync(begun, home);
  return home;
}

function waitFor(home: string): string {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += STEP_MS) {
    if (existsSync(home)) return home;
    Atomics.wait(sleeper, 0, 0, STEP_MS);
  }
  throw new Error(`no ${home} after ${WAIT_MS / 1_000} s`);
}
