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
import type { CheckMachineOptions, DoctorCheck } from './doctor-check.ts';

/** Enough for the videos, photos and segments of one listing with many agents. */
const MIN_FREE_BYTES = 1_000_000_000;
/** The peak of a run over a hundred photos is 900 MB. */
const MIN_MEMORY_BYTES = 900_000_000;

type Check = readonly [string, () => Promise<DoctorCheck>];

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
    ['disk (home)', () => checkDisk('disk (home)', home)],
    ['disk (out)', () => checkDisk('disk (out)', out)],
    ['store', () => checkWritable('store', home, '--home')],
    ['output', () => checkWritable('output', out, '--out')],
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
    done.push(await check().catch((error: unknown) => failedCheck(name, error)));
  }
  return done;
}

/** The database of servers; without one nothing is shown. */
function databaseChecks({ database }: ResolvedSettings): Check[] {
  const url = database.value;
  if (url === undefined) return [];
  const check = async (): Promise<DoctorCheck> => {
    const { checkDatabaseAt } = await import('../../wiring/stores/open-database.ts');
    return { name: 'database', ok: true, value: await checkDatabaseAt(url), hint: null };
  };
  return [['database', check]];
}

/** The bucket of a server; without one nothing is shown. */
function storageChecks({ home, storage }: ResolvedSettings, signal: AbortSignal): Check[] {
  const url = storage.value;
  if (url === undefined) return [];
  const check = async (): Promise<DoctorCheck> => {
    const { checkStorage } = await import('../../wiring/stores/open-storage.ts');
    await checkStorage({ home: home.value, storage: url }, signal);
    return { name: 'storage', ok: true, value: `${url}, writable`, hint: null };
  };
  return [['storage', check]];
}

export function failedCheck(name: string, error: unknown): DoctorCheck {
  const value = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ListingVideoError ? (error.hint ?? null) : null;
  return { name, ok: false, value, hint };
}

/** @param version - Such as `20.19.1`. */
export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { name: 'node', ok, value: version, hint: ok ? null : 'install Node 20.19 or newer' };
}

async function checkKernel(): Promise<DoctorCheck> {
  const { hasFastKernel } = await import('../../video/probe-renderer.ts');
  if (await hasFastKernel()) return { name: 'kernel', ok: true, value: 'WebAssembly with SIMD', hint: null };
  const hint = 'rendering is several times slower: use a Node with WebAssembly SIMD, or run npm run build';
  return { name: 'kernel', ok: true, value: 'TypeScript, without SIMD', hint };
}

async function checkFonts(home: string): Promise<DoctorCheck> {
  const { probeFonts } = await import('../../video/probe-renderer.ts');
  const { fileCount, unreadable, absent } = await probeFonts(home);
  if (unreadable.length > 0) {
    const hint = 'install listing-video again';
    return { name: 'fonts', ok: false, value: `missing: ${unreadable.join(', ')}`, hint };
  }
  const hint = `not installed: ${absent.join(', ')}; where you need one, run: listing-video fonts add`;
  const value = `${fileCount} bundled font files`;
  return { name: 'fonts', ok: true, value, hint: absent.length > 0 ? hint : null };
}

/** @param folder - Folder of your own templates, absolute; undefined without one. */
async function checkTemplates(folder: string | undefined): Promise<DoctorCheck> {
  const { findTemplates } = await import('../../design/template/load-template.ts');
  const found = await findTemplates({ templatesDirs: templatesDirsOf({ templatesDir: folder }) });
  const count = found.filter(({ isBuiltIn }) => isBuiltIn).length;
  const builtIn = `${count} built-in`;
  if (folder === undefined) return { name: 'templates', ok: count > 0, value: builtIn, hint: null };
  const isThere = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isThere)
    return {
      name: 'templates',
      ok: true,
      value: `${builtIn}, ${found.length - count} in ${folder}`,
      hint: null,
    };
  const hint = 'set another --templates-dir, or create a template: listing-video templates new';
  return { name: 'templates', ok: false, value: `${folder} is no folder`, hint };
}

async function checkDisk(name: string, folder: string): Promise<DoctorCheck> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  return checkFreeSpace(name, bavail * bsize, folder);
}

/** @param freeBytes - Free on the disk that holds `folder`. */
export function checkFreeSpace(name: string, freeBytes: number, folder: string): DoctorCheck {
  const ok = freeBytes >= MIN_FREE_BYTES;
  const hint = `free at least ${formatSize(MIN_FREE_BYTES)} there, or choose another folder`;
  return { name, ok, value: `${formatSize(freeBytes)} free for ${folder}`, hint: ok ? null : hint };
}

async function checkWritable(name: string, folder: string, flag: string): Promise<DoctorCheck> {
  const problem = await writeProblem(folder);
  if (problem === null) return { name, ok: true, value: `${folder} can be written`, hint: null };
  const hint = `let this user write there, or choose another folder with ${flag}`;
  return { name, ok: false, value: `${folder}: ${problem}`, hint };
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
export function checkMemory(limitBytes: number | null, totalBytes: number): DoctorCheck {
  const isLimited = limitBytes !== null && limitBytes < totalBytes;
  const usable = isLimited ? limitBytes : totalBytes;
  const limit = isLimited ? `, limited by the container (machine: ${formatSize(totalBytes)})` : '';
  const hint = `listings with many photos need up to ${formatSize(MIN_MEMORY_BYTES)}`;
  const isSmall = usable < MIN_MEMORY_BYTES;
  return { name: 'memory', ok: true, value: `${formatSize(usable)}${limit}`, hint: isSmall ? hint : null };
}

/** @param limitCount - Of the container, possibly a fraction; null without a limit. */
export function checkCpus(limitCount: number | null, available: number): DoctorCheck {
  const isLimited = limitCount !== null && limitCount < available;
  if (!isLimited) return { name: 'cpus', ok: true, value: String(available), hint: null };
  const value = `${limitCount}, limited by the container (machine: ${available})`;
  const hint = limitCount < 1 ? 'rendering will be slow on less than one CPU' : null;
  return { name: 'cpus', ok: true, value, hint };
}

const NO_FOLDERS = { readDirs: [], writeDirs: [] };

/** The limits of the processes that read photos and music: a hostile file can take its decoder over. */
export function checkLimits(isPossible: boolean, platform: NodeJS.Platform): DoctorCheck {
  const name = 'limits';
  if (!isPossible) {
    const hint =
      'ffmpeg and photo decoders run without limits: /bin/sh is missing, so render untrusted listings in a container';
    return { name, ok: true, value: 'none', hint };
  }
  if (platform !== 'linux')
    return { name, ok: true, value: 'CPU time and file size of ffmpeg and decoders', hint: null };
  return {
    name,
    ok: true,
    value: 'memory, CPU time, file size and processes of ffmpeg and decoders',
    hint: null,
  };
}

/** @param flags - Of the permission model of Node; none where it is not used. */
export function checkPermissions(flags: readonly string[]): DoctorCheck {
  const name = 'permissions';
  if (flags.length === 0) {
    const hint =
      "photo decoders run without Node's permission model: it is not used on Windows and without a build";
    return { name, ok: true, value: 'none', hint };
  }
  return { name, ok: true, value: 'photo decoders reach only their own folders', hint: null };
}

/** Opens no connection: it lists the network interfaces. */
export function checkNetwork(interfaces: NodeJS.Dict<os.NetworkInterfaceInfo[]>): DoctorCheck {
  const names = Object.entries(interfaces).flatMap(([name, addresses]) =>
    addresses?.some((address) => !address.internal) ? [name] : [],
  );
  if (names.length > 0) return { name: 'network', ok: true, value: names.join(', '), hint: null };
  const hint = 'without a network only local photos can be used';
  return { name: 'network', ok: true, value: 'none', hint };
}
