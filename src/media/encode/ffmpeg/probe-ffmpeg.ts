/** Asks an ffmpeg binary for its version and encoders, and caches the answer in a file. */

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomically } from '../../../platform/disk/atomic-write.ts';
import { makeFolder } from '../../../platform/disk/folder.ts';
import { hashFile } from '../../../platform/disk/hash-file.ts';
import { isCancellation, ListingVideoError } from '../../../platform/errors.ts';

export interface FfmpegAnswer {
  /** Such as `5.1.9-0+deb12u1`. */
  readonly version: string;
  /** Year of its copyright notice, in which it was built; null when it has none. */
  readonly year: number | null;
  /** Those of {@link REQUIRED_ENCODERS} that it has. */
  readonly encoders: readonly string[];
  /**
   * It is 5.1 or newer: only such an ffmpeg reads a user's music file, because older decoders have known security
   * holes.
   */
  readonly decodesMusic: boolean;
}

const MEMO_FILE = 'ffmpeg-answers.json';
/** Raise it when another answer is read from the same output. */
const MEMO_VERSION = 2;
const TIMEOUT_MS = 10_000;
/** libavcodec of ffmpeg 5.1. Builds from git have a version without numbers, such as `N-47683-g0e8eb07980`. */
const MIN_LIBAVCODEC = { major: 59, minor: 37 };
export const REQUIRED_ENCODERS = ['libx264', 'aac'];
/** Maximum number of binaries in the cache file; old ones are removed. */
const MAX_ENTRIES = 20;

/**
 * @param options.sha256 - The file is run only if this is its digest. Checked once, until the file changes.
 * @param options.cacheDir - Folder of the cache file. Absent: the binary is run each time.
 * @returns Its version and encoders, or the reason why it is not usable.
 * @throws The signal's reason.
 */
export async function probeFfmpeg(
  path: string,
  options: { cacheDir?: string; signal?: AbortSignal; sha256?: string },
): Promise<FfmpegAnswer | { readonly verdict: string }> {
  const { size, mtimeMs } = await stat(path);
  const identity = JSON.stringify([
    path,
    size,
    mtimeMs,
    ...(options.sha256 === undefined ? [] : [options.sha256]),
  ]);
  const memoPath = options.cacheDir === undefined ? undefined : join(options.cacheDir, MEMO_FILE);
  const memo = memoPath === undefined ? {} : await readMemo(memoPath);
  const known = memo[identity];
  if (known !== undefined) return known;
  if (options.sha256 !== undefined && (await hashFile(path)).sha256 !== options.sha256) {
    return { verdict: 'was changed after it was published, or is another version: not run' };
  }
  // A cached binary is not run, so the modules for running it need not be loaded.
  const { runFfmpeg } = await import('./run-ffmpeg.ts');
  let output: { stdout: string; stderr: string };
  try {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    // Without -hide_banner one run prints both: the version on stderr, the encoders on stdout.
    output = await runFfmpeg(path, ['-encoders'], { timeoutMs: TIMEOUT_MS, ...signal });
  } catch (error) {
    if (isCancellation(error) || options.signal?.aborted) throw error;
    return { verdict: `does not run: ${error instanceof ListingVideoError ? error.message : String(error)}` };
  }
  const answer = parseAnswer(output);
  if (answer === undefined) return { verdict: 'does not answer as ffmpeg does' };
  if (memoPath !== undefined) await writeMemo(memoPath, { ...memo, [identity]: answer });
  return answer;
}

/** Pure. Lines of `-encoders` read ` V....D libx264   description`. */
function parseAnswer(output: { stdout: string; stderr: string }): FfmpegAnswer | undefined {
  const version = /^ffmpeg version (\S+)/m.exec(`${output.stderr}\n${output.stdout}`)?.[1];
  if (version === undefined) return undefined;
  const encoders = output.stdout
    .split('\n')
    .map((line) => /^\s*[VAS][A-Z.]{5}\s+(\S+)/.exec(line)?.[1])
    .filter((name) => name !== undefined && REQUIRED_ENCODERS.includes(name)) as string[];
  const banner = `${output.stderr}\n${output.stdout}`;
  return { version, year: yearOf(banner), encoders, decodesMusic: isNewEnough(banner) };
}

/** Reads `Copyright (c) 2000-2018 the FFmpeg developers`: builds from git have no version that tells their age. */
function yearOf(banner: string): number | null {
  const year = /Copyright \(c\) \d{4}-(\d{4})/.exec(banner)?.[1];
  return year === undefined ? null : Number(year);
}

/** Reads the line `  libavcodec     59. 37.100 / 59. 37.100`. Only `ffmpeg -version` prints it without the blanks. */
function isNewEnough(banner: string): boolean {
  const [, major, minor] = /^ *libavcodec\s+(\d+)\.\s*(\d+)\./m.exec(banner) ?? [];
  const { major: minMajor, minor: minMinor } = MIN_LIBAVCODEC;
  return Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor);
}

async function readMemo(path: string): Promise<Record<string, FfmpegAnswer>> {
  try {
    const { version, answers } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    if (version !== MEMO_VERSION) return {};
    return Object.fromEntries(Object.entries(answers as object).filter(([, answer]) => isAnswer(answer)));
  } catch {
    return {};
  }
}

function isAnswer(value: unknown): value is FfmpegAnswer {
  const answer = value as Partial<FfmpegAnswer> | null;
  return (
    typeof answer?.version === 'string' &&
    Array.isArray(answer.encoders) &&
    typeof answer.decodesMusic === 'boolean' &&
    (answer.year === null || typeof answer.year === 'number')
  );
}

/** If the cache file cannot be written, the next run probes again. */
async function writeMemo(path: string, memo: Record<string, FfmpegAnswer>): Promise<void> {
  const answers = Object.fromEntries(Object.entries(memo).slice(-MAX_ENTRIES));
  const text = JSON.stringify({ version: MEMO_VERSION, answers });
  await makeFolder(dirname(path), false)
    .then(() => writeFileAtomically(path, text, { durable: false }))
    .catch(() => {});
}
