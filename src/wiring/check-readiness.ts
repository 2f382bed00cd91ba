/** Whether a server could do its work now. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readiness } from '../server/server-deps.ts';
import { writeAside } from '../task/atomic-write.ts';
import type { Workshop } from '../video/workshop.ts';

/** A file is made and removed in the home, and ffmpeg is looked for. */
export async function checkReadiness(home: string, workshop: Workshop): Promise<Readiness> {
  const [store, ffmpeg] = await Promise.all([
    succeeds(
      mkdir(home, { recursive: true, mode: 0o700 })
        .then(() => writeAside(path.join(home, 'ready'), '', false))
        .then((file) => rm(file)),
    ),
    succeeds(workshop.findFfmpeg()),
  ]);
  return { isReady: store && ffmpeg, checks: { store, ffmpeg } };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
