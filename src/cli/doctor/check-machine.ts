/** The checks of `doctor`. Each runs by itself, leaves nothing behind, and does not stop the others. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ListingVideoError } from '../../errors.ts';
import { readContainerLimits } from '../../settings/container-limits.ts';
import { formatSize } from '../../settings/parse-size.ts';
import type { ResolvedSettings } from '../../settings/resolve-settings.ts';
import { templatesDirsOf } from '../../settings/setting-table.ts';

/** One line of the answer. */
export interface DoctorCheck {
  readonly name: string;
  /** False only for what prevents rendering. */
  readonly ok: boolean;
  readonly value: string;
  /** What to do or to know; null when there is nothing. */
  readonly hint: string | null;
}

export interface CheckMachineOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Enough for the videos, photos and segments of one listing with many agents. */
const MIN_FREE_BYTES = 1_000_000_000;
/** The peak of a run over a hundred photos is 900 MB. */
const MIN_MEMORY_BYTES = 900_000_000;

/** Runs all checks, in the order in which they are shown. */
export async function checkMachine(
  settings: ResolvedSettings,
  options: CheckMachineOptions,
): Promise<DoctorCheck[]> {
  const home = settings.home.value;
  const out = settings.out.value;
  const checks: (readonly [string, () => Promise<DoctorCheck>])[] = [
    ['node', async () => checkNode(process.versions.node)],
    ['ffmpeg', () => checkFfmpeg(settings, options)],
    ['kernel', checkKernel],
    ['fonts', checkFonts],
    ['templates', () => checkTemplates(settings.templatesDir.value)],
    ['disk (home)', () => checkDisk('disk (home)', home)],
    ['disk (out)', () => checkDisk('disk (out)', out)],
    ['store', () => checkStore(home)],
    ['output', () => checkOutput(out)],
    ['memory', async () => checkMemory(readContainerLimits().memoryBytes, os.totalmem())],
    ['cpus', async () => checkCpus(readContainerLimits().cpuCount, os.availableParallelism())],
    ['network', async () => checkNetwork(os.networkInterfaces())],
  ];
  const done: DoctorCheck[] = [];
  for (const [name, check] of checks) {
    options.signal.throwIfAborted();
    done.push(await check().catch((error: unknown) => failedCheck(name, error)));
  }
  return done;
}

/** The result of a check that threw. */
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

async function checkFfmpeg(settings: ResolvedSettings, options: CheckMachineOptions): Promise<DoctorCheck> {
  const { findFfmpeg } = await import('../../encode/find-ffmpeg.ts');
  const { value, source } = settings.ffmpeg;
  try {
    const found = await findFfmpeg(
      {
        setting: source === 'env' ? undefined : value,
        listingVideoFfmpeg: source === 'env' ? value : undefined,
        ffmpegBin: options.env.FFMPEG_BIN,
        searchPath: options.env.PATH,
      },
      { signal: options.signal },
    );
    const refused = found.candidates.filter(({ verdict }) => verdict !== 'fit');
    const because = refused.map((other) => `${other.source} ${other.path}: ${other.verdict}`).join('; ');
    return {
      name: 'ffmpeg',
      ok: true,
      value: `${found.version} at ${found.path}, from ${found.source}, encoders ${found.encoders.join(' and ')}`,
      hint: because === '' ? null : `tried before: ${because}`,
    };
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'ffmpeg_missing') throw error;
    const candidates = (error.context?.candidates ?? []) as {
      source: string;
      path: string;
      verdict: string;
    }[];
    const tried = candidates.map((other) => `${other.source} ${other.path}: ${other.verdict}`).join('; ');
    return {
      name: 'ffmpeg',
      ok: false,
      value: tried === '' ? 'none found' : `none fits: ${tried}`,
      hint: error.hint ?? 'install ffmpeg with libx264 and aac, or set --ffmpeg',
    };
  }
}

async function checkKernel(): Promise<DoctorCheck> {
  const { hasFastKernel } = await import('../../video/probe-renderer.ts');
  const isFast = await hasFastKernel();
  return {
    name: 'kernel',
    ok: true,
    value: isFast ? 'WebAssembly with SIMD' : 'TypeScript, without SIMD',
    hint: isFast
      ? null
      : 'rendering is several times slower: use a Node with WebAssembly SIMD, or run npm run build',
  };
}

async function checkFonts(): Promise<DoctorCheck> {
  const { probeFonts } = await import('../../video/probe-renderer.ts');
  const { fileCount, unreadable, absentPackages } = await probeFonts();
  const ok = unreadable.length === 0;
  return {
    name: 'fonts',
    ok,
    value: ok ? `${fileCount} bundled font files` : `missing: ${unreadable.join(', ')}`,
    hint: !ok
      ? 'install the dependencies again: npm ci'
      : absentPackages.length > 0
        ? `without ${absentPackages.join(', ')}: their scripts are left out of videos, with a warning; npm ci without --omit=optional brings them`
        : null,
  };
}

/** @param folder - Folder of your own templates, absolute; undefined without one. */
async function checkTemplates(folder: string | undefined): Promise<DoctorCheck> {
  const { findTemplates } = await import('../../template/load-template.ts');
  const found = await findTemplates({ templatesDirs: templatesDirsOf({ templatesDir: folder }) });
  const count = found.filter(({ isBuiltIn }) => isBuiltIn).length;
  const builtIn = `${count} built-in`;
  if (folder === undefined) return { name: 'templates', ok: count > 0, value: builtIn, hint: null };
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return {
    name: 'templates',
    ok: isThere,
    value: isThere ? `${builtIn}, ${found.length - count} in ${folder}` : `${folder} is no folder`,
    hint: isThere ? null : 'set another --templates-dir, or create a template: listing-video templates new',
  };
}

async function checkDisk(name: string, folder: string): Promise<DoctorCheck> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  return checkFreeSpace(name, bavail * bsize, folder);
}

/** @param freeBytes - Free on the disk that holds `folder`. */
export function checkFreeSpace(name: string, freeBytes: number, folder: string): DoctorCheck {
  const ok = freeBytes >= MIN_FREE_BYTES;
  return {
    name,
    ok,
    value: `${formatSize(freeBytes)} free for ${folder}`,
    hint: ok ? null : `free at least ${formatSize(MIN_FREE_BYTES)} there, or choose another folder`,
  };
}

/** Writes, flushes and removes a file in the data folder. A missing folder is not created. */
async function checkStore(home: string): Promise<DoctorCheck> {
  const problem = await writeProblem(home);
  return {
    name: 'store',
    ok: problem === null,
    value: problem === null ? `${home} can be written` : `${home}: ${problem}`,
    hint: problem === null ? null : 'let this user write there, or choose another folder with --home',
  };
}

async function checkOutput(out: string): Promise<DoctorCheck> {
  const problem = await writeProblem(out);
  return {
    name: 'output',
    ok: problem === null,
    value: problem === null ? `${out} can be written` : `${out}: ${problem}`,
    hint: problem === null ? null : 'let this user write there, or choose another folder with --out',
  };
}

/** Why `folder`, or the nearest existing one above it, cannot be written; null when it can. */
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
  const isSmall = usable < MIN_MEMORY_BYTES;
  return {
    name: 'memory',
    ok: true,
    value: isLimited
      ? `${formatSize(usable)}, limited by the container (machine: ${formatSize(totalBytes)})`
      : formatSize(usable),
    hint: isSmall ? `listings with many photos need up to ${formatSize(MIN_MEMORY_BYTES)}` : null,
  };
}

/** @param limitCount - Of the container, possibly a fraction; null without a limit. */
export function checkCpus(limitCount: number | null, available: number): DoctorCheck {
  const isLimited = limitCount !== null && limitCount < available;
  return {
    name: 'cpus',
    ok: true,
    value: isLimited ? `${limitCount}, limited by the container (machine: ${available})` : String(available),
    hint: isLimited && limitCount < 1 ? 'rendering will be slow on less than one CPU' : null,
  };
}

/** Opens no connection: it lists the network interfaces. */
export function checkNetwork(interfaces: NodeJS.Dict<os.NetworkInterfaceInfo[]>): DoctorCheck {
  const names = Object.entries(interfaces).flatMap(([name, addresses]) =>
    addresses?.some((address) => !address.internal) ? [name] : [],
  );
  return {
    name: 'network',
    ok: true,
    value: names.length > 0 ? names.join(', ') : 'none',
    hint: names.length > 0 ? null : 'without a network only local photos can be used',
  };
}
