/** Whether a server could do its work now. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asidePath } from '../disk/atomic-write.ts';
import type { Readiness } from '../server/server-deps.ts';
import type { RenderDeps } from '../video/render-deps.ts';

/** A file is made and removed in the home, and ffmpeg is looked for. */
export async function checkReadiness(home: string, deps: RenderDeps): Promise<Readiness> {
  const probe = asidePath(path.join(home, 'ready'));
  const [store, ffmpeg] = await Promise.all([
    succeeds(
      mkdir(home, { recursive: true, mode: 0o700 })
        .then(() => writeFile(probe, '', { flag: 'wx' }))
        .then(() => rm(probe)),
    ),
    succeeds(deps.findFfmpeg()),
  ]);
  return { isReady: store && ffmpeg, checks: { store, ffmpeg } };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
