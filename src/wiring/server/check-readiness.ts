/**
 * Whether this machine can do its part now: for `/readyz`, and for the worker, which starts nothing while it cannot.
 */
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readiness } from '../../api/server/server-deps.ts';
import { asidePath } from '../../platform/disk/atomic-write.ts';
import { freeBytesOf, MIN_FREE_BYTES } from '../../platform/disk/free-space.ts';
import type { RenderDeps } from '../../video/render-deps.ts';

/** An empty file can be written on a full disk; its name fits into a block that is there already. */
const PROBE_BYTES = 64 * 1024;

export interface ReadinessDeps extends Pick<RenderDeps, 'home' | 'cache'> {
  /** Null: this process renders nothing, so it needs neither an ffmpeg nor free space for tasks. */
  readonly findFfmpeg: RenderDeps['findFfmpeg'] | null;
  /** Null or absent without a database. */
  readonly checkDatabase?: (() => Promise<boolean>) | null;
  /** Whether the bucket of `--storage` can be written. Null or absent without one. */
  readonly checkStorage?: (() => Promise<boolean>) | null;
}

/**
 * Checks each of these by itself: `store`, 64 kB can be written to the data folder and flushed; `disk`, the data
 * folder's disk has free space for a task; `ffmpeg`, one is found; `database` and `storage`, they can be written, if
 * there are any. If the disk is the problem, removes entries of the cache first.
 *
 * @param minFreeBytes - For tests.
 */
export async function checkReadiness(
  { home, cache, findFfmpeg, checkDatabase, checkStorage }: ReadinessDeps,
  minFreeBytes: number = MIN_FREE_BYTES,
): Promise<Readiness> {
  const checkDisk = async () => {
    const store = await succeeds(writeProbe(home));
    if (findFfmpeg === null) return { store };
    const disk = await succeeds(requireSpace(home, minFreeBytes));
    return { store, disk };
  };
  const findings = async () => {
    const first = await checkDisk();
    if (Object.values(first).every(Boolean)) return first;
    const { freedBytes } = await cache.makeRoom(minFreeBytes);
    return freedBytes === 0 ? first : checkDisk();
  };
  const [disks, ffmpeg, database, storage] = await Promise.all([
    findings(),
    findFfmpeg === null ? null : succeeds(findFfmpeg()),
    checkDatabase?.() ?? null,
    checkStorage?.() ?? null,
  ]);
  const checks = {
    ...disks,
    ...(ffmpeg === null ? {} : { ffmpeg }),
    ...(database === null ? {} : { database }),
    ...(storage === null ? {} : { storage }),
  };
  return { isReady: Object.values(checks).every(Boolean), checks };
}

async function writeProbe(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const probe = asidePath(path.join(home, 'ready'));
  try {
    const file = await open(probe, 'wx');
    try {
      // Now, so that a process that is killed here leaves nothing. Windows can refuse it until the file is closed.
      await rm(probe, { force: true }).catch(() => {});
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(probe, { force: true });
  }
}

async function requireSpace(home: string, minFreeBytes: number): Promise<void> {
  if ((await freeBytesOf(home)) < minFreeBytes) throw new Error('too little free space');
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
