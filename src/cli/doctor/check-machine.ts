/** The checks of `doctor`. Each runs by itself, leaves nothing behind, and does not stop the others. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ListingVideoError } from '../../platform/errors.ts';
import { canLimit } from '../../platform/limit-process.ts';
import { permissionFlags } from '../../platform/permission-flags.ts';
import { readContainerLimits } from '../../platform/settings/container-limits.ts';
import { formatSize } from '../../platform/settings/parse-size.ts';
import type { ResolvedSettings } from '../../platform/settings/resolve-settings.ts';
import { templatesDirsOf } from '../../platform/settings/setting-table.ts';
import { checkFfmpeg, checkVideo, ffmpegOf } from './check-ffmpeg.ts';
import { checkProxy } from './check-proxy.ts';
import {
  type CheckMachineOptions,
  type CheckResult,
  type DoctorCheck,
  failed,
  passed,
} from './doctor-check.ts';

/** Enough for the videos, photos and segments of one listing with many agents. */
const MIN_FREE_BYTES = 1_000_000_000;
/** The peak of a run over a hundred photos is 900 MB. */
const MIN_MEMORY_BYTES = 900_000_000;

type Check = readonly [name: string, check: () => Promise<CheckResult>];

/** Runs all checks, in the order in which they are shown. */
export async function checkMachine(
  settings: ResolvedSettings,
  options: CheckMachineOptions,
): Promise<DoctorCheck[]> {
  const [home, out] = [settings.home.value, settings.out.value];
  const found = ffmpegOf(settings, options);
  // Each check that uses it reports its failure.
  found.catch(() => undefined);
  // An API server with --no-render has none.
  const ffmpegChecks: Check[] = [
    ['ffmpeg', () => checkFfmpeg(found)],
    ['video', () => checkVideo(found, options.signal)],
  ];
  const checks: Check[] = [
    ['node', async () => checkNode(process.versions.node)],
    ...(settings.render.value ? ffmpegChecks : []),
    ['kernel', checkKernel],
    ['fonts', () => checkFonts(home)],
    ['templates', () => checkTemplates(settings.templatesDir.value)],
    ['disk (home)', () => checkDisk(home)],
    ['disk (out)', () => checkDisk(out)],
    ['store', () => checkWritable(home, '--home')],
    ['output', () => checkWritable(out, '--out')],
    ['memory', async () => checkMemory(readContainerLimits().memoryBytes, os.totalmem())],
    ['cpus', async () => checkCpus(readContainerLimits().cpuCount, os.availableParallelism())],
    ['limits', async () => checkLimits(canLimit(), process.platform)],
    [
      'permissions',
      async () => checkPermissions(permissionFlags({ ...NO_FOLDERS, hasAddons: true, packages: [] })),
    ],
    ['network', async () => checkNetwork(os.networkInterfaces())],
    ['proxy', () => checkProxy(settings.useProxy.value, options.env)],
    ...databaseChecks(settings),
    ...storageChecks(settings, options.signal),
  ];
  const done: DoctorCheck[] = [];
  for (const [name, check] of checks) {
    options.signal.throwIfAborted();
    done.push({ name, ...(await check().catch(brokenCheck)) });
  }
  return done;
}

/** The database of servers; without one nothing is shown. */
function databaseChecks({ database }: ResolvedSettings): Check[] {
  const url = database.value;
  if (url === undefined) return [];
  const check = async () => {
    const { checkDatabaseAt } = await import('../../wiring/stores/open-database.ts');
    return passed(await checkDatabaseAt(url));
  };
  return [['database', check]];
}

/** The bucket of a server; without one nothing is shown. */
function storageChecks({ home, storage }: ResolvedSettings, signal: AbortSignal): Check[] {
  const url = storage.value;
  if (url === undefined) return [];
  const check = async () => {
    const { checkStorage } = await import('../../wiring/stores/open-storage.ts');
    await checkStorage({ home: home.value, storage: url }, signal);
    return passed(`${url}, writable`);
  };
  return [['storage', check]];
}

/** A check that could not be made is a failed one. */
export function brokenCheck(error: unknown): CheckResult {
  const value = error instanceof Error ? error.message : String(error);
  return failed(value, error instanceof ListingVideoError ? (error.hint ?? null) : null);
}

/** @param version - Such as `20.19.1`. */
export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  return isNew ? passed(version) : failed(version, 'install Node 20.19 or newer');
}

async function checkKernel(): Promise<CheckResult> {
  const { probeKernel } = await import('../../video/probe-renderer.ts');
  await probeKernel();
  return passed('WebAssembly with SIMD');
}

async function checkFonts(home: string): Promise<CheckResult> {
  const { probeFonts } = await import('../../video/probe-renderer.ts');
  const { fileCount, unreadable, absent } = await probeFonts(home);
  if (unreadable.length > 0)
    return failed(`missing: ${unreadable.join(', ')}`, 'install listing-video again');
  const hint = `not installed: ${absent.join(', ')}; where you need one, run: listing-video fonts add`;
  return passed(`${fileCount} bundled font files`, absent.length > 0 ? hint : null);
}

/** @param folder - Folder of your own templates, absolute; undefined without one. */
async function checkTemplates(folder: string | undefined): Promise<CheckResult> {
  const { findTemplates } = await import('../../design/template/load-template.ts');
  const templates = await findTemplates({ templatesDirs: templatesDirsOf({ templatesDir: folder }) });
  const count = templates.filter(({ isBuiltIn }) => isBuiltIn).length;
  const builtIn = `${count} built-in`;
  if (folder === undefined) return { ok: count > 0, value: builtIn, hint: null };
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return passed(`${builtIn}, ${templates.length - count} in ${folder}`);
  const hint = 'set another --templates-dir, or create a template: listing-video templates new';
  return failed(`${folder} is no folder`, hint);
}

async function checkDisk(folder: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  return checkFreeSpace(bavail * bsize, folder);
}

/** @param freeBytes - Free on the disk that holds `folder`. */
export function checkFreeSpace(freeBytes: number, folder: string): CheckResult {
  const value = `${formatSize(freeBytes)} free for ${folder}`;
  if (freeBytes >= MIN_FREE_BYTES) return passed(value);
  return failed(value, `free at least ${formatSize(MIN_FREE_BYTES)} there, or choose another folder`);
}

async function checkWritable(folder: string, flag: string): Promise<CheckResult> {
  const problem = await writeProblem(folder);
  if (problem === null) return passed(`${folder} can be written`);
  const hint = `let this user write there, or choose another folder with ${flag}`;
  return failed(`${folder}: ${problem}`, hint);
}

/**
 * Why `folder`, or the nearest existing one above it, cannot be written; null when it can. Writes, flushes and removes
 * a file; a missing folder is not created.
 */
async function writeProblem(folder: string): Promise<string | null> {
  const existing = await nearestExisting(folder);
  const probe = path.join(existing, `.listing-video-doctor-${randomBytes(6).toString('hex')}`);
  try {
    if (existing === folder) {
      const file = await open(probe, 'wx');
      await file.sync().finally(() => file.close());
    } else {
      // A run would create the folder, so the check creates one too.
      await mkdir(probe);
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(probe, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function nearestExisting(folder: string): Promise<string> {
  for (let current = folder; ; current = path.dirname(current)) {
    const found = await stat(current).catch(() => null);
    if (found || current === path.dirname(current)) return current;
  }
}

/** @param limitBytes - Of the container; null without a limit. */
export function checkMemory(limitBytes: number | null, totalBytes: number): CheckResult {
  const isLimited = limitBytes !== null && limitBytes < totalBytes;
  const usable = isLimited ? limitBytes : totalBytes;
  const limit = isLimited ? `, limited by the container (machine: ${formatSize(totalBytes)})` : '';
  const hint = `listings with many photos need up to ${formatSize(MIN_MEMORY_BYTES)}`;
  return passed(`${formatSize(usable)}${limit}`, usable < MIN_MEMORY_BYTES ? hint : null);
}

/** @param limitCount - Of the container, possibly a fraction; null without a limit. */
export function checkCpus(limitCount: number | null, available: number): CheckResult {
  const isLimited = limitCount !== null && limitCount < available;
  if (!isLimited) return passed(String(available));
  const value = `${limitCount}, limited by the container (machine: ${available})`;
  return passed(value, limitCount < 1 ? 'rendering will be slow on less than one CPU' : null);
}

const NO_FOLDERS = { readDirs: [], writeDirs: [] };

/** The limits of the processes that read photos and music: a hostile file can take its decoder over. */
export function checkLimits(isPossible: boolean, platform: NodeJS.Platform): CheckResult {
  if (!isPossible) {
    const hint =
      'ffmpeg and photo decoders run without limits: /bin/sh is missing, so render untrusted listings in a container';
    return passed('none', hint);
  }
  if (platform !== 'linux') return passed('CPU time and file size of ffmpeg and decoders');
  return passed('memory, CPU time, file size and processes of ffmpeg and decoders');
}

/** @param flags - Of the permission model of Node; none where it is not used. */
export function checkPermissions(flags: readonly string[]): CheckResult {
  if (flags.length > 0) return passed('photo decoders reach only their own folders');
  const hint =
    "photo decoders run without Node's permission model: it is not used on Windows and without a build";
  return passed('none', hint);
}

/** Opens no connection: it lists the network interfaces. */
export function checkNetwork(interfaces: NodeJS.Dict<os.NetworkInterfaceInfo[]>): CheckResult {
  const names = Object.entries(interfaces).flatMap(([name, addresses]) =>
    addresses?.some((address) => !address.internal) ? [name] : [],
  );
  if (names.length > 0) return passed(names.join(', '));
  return passed('none', 'without a network only local photos can be used');
}
