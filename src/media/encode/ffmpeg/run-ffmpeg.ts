/**
 * The only place that starts ffmpeg. It always waits for the child to end. Codecs and settings come in as arguments.
 */
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import createFfmpegCommand, { type FfmpegCommand } from 'fluent-ffmpeg';
import { ListingVideoError } from '../../../platform/errors.ts';
import {
  hasNotStarted,
  limitCommand,
  neutralFolder,
  type ProcessLimits,
} from '../../../platform/limit-process.ts';
import { liveWhile } from '../../../platform/liveness.ts';

const GIB = 2 ** 30;
/**
 * Limits for work on files of ours. x264 needs 0.7 GiB for 1080p with 8 threads in ffmpeg 5.1 and 0.8 in 7.0; on a
 * machine with many CPUs the stacks of ffmpeg's filter threads come on top, 8 MiB for each. A task ends after half an
 * hour, in which 8 threads use four hours.
 */
const OWN_LIMITS: ProcessLimits = { memoryBytes: 4 * GIB, cpuSec: 4 * 3600, fileBytes: GIB };

/** Only the end of stderr is kept, where ffmpeg reports its error. */
const STDERR_TAIL_BYTES = 16_384;
/** After SIGTERM ffmpeg ends within milliseconds, unless it hangs on a full pipe or a stalled disk. */
const FORCE_KILL_AFTER_MS = 1_000;

/** How a child ended. Exactly one of `exitCode` and `signal` is set, unless it never started. */
interface FfmpegExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stderr: string;
  /** Set when it was stopped after this time limit. */
  readonly timedOutAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * No environment, so ffmpeg sees no secrets and no settings such as FFREPORT, which writes a file. No working folder of
 * the caller. libuv adds the few variables without which nothing starts on Windows.
 *
 * Tried: `MALLOC_MMAP_THRESHOLD_=1073741824` with `MALLOC_TRIM_THRESHOLD_=8589934592`, so that glibc keeps the memory of
 * frames. 240 frames of 1080p, ffmpeg 5.1, seven interleaved pairs: 1.00 of the CPU, the same bytes, 321 instead of
 * 328 MB, but 30,600 page faults instead of 16,100, since glibc no longer raises the threshold by itself.
 */
const ISOLATED = { extendEnv: false, env: {}, cwd: neutralFolder(), windowsHide: true } as const;

export interface FfmpegProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /**
   * Resolves when the process has ended with exit status 0 and its pipes are closed; else rejects with the error. Never
   * an unhandled rejection.
   */
  readonly done: Promise<void>;
  /** Sends SIGTERM, and SIGKILL after a second. `done` then rejects. */
  stop(): void;
}

/**
 * Starts ffmpeg with stdin and stdout as pipes.
 *
 * @param signal - Aborting it stops the process; `done` then rejects with the signal's reason.
 * @throws Nothing itself; `done` rejects with {@link ListingVideoError} `ffmpeg_missing` when it cannot be started,
 *   `disk_full` when it says so, `encode_failed` otherwise (context: `command`, `exitCode`, `signal`, `stderr`,
 *   `interrupted` after a signal of somebody else).
 */
export function startFfmpeg(
  ffmpegPath: string,
  args: readonly string[],
  signal?: AbortSignal,
): FfmpegProcess {
  const stopping = new AbortController();
  const { file, args: words } = limitCommand({ file: ffmpegPath, args }, OWN_LIMITS);
  const child = execa(file, words, {
    ...ISOLATED,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    cancelSignal: signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]),
    forceKillAfterDelay: FORCE_KILL_AFTER_MS,
  });
  const stderr = keepTail(child.stderr, STDERR_TAIL_BYTES);
  // The exit status has the cause of a broken pipe.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  const done = child.then((result) => {
    signal?.throwIfAborted();
    if (result.exitCode === 0) return;
    throw toFfmpegError(ffmpegPath, args, {
      exitCode: result.exitCode,
      signal: result.signal,
      stderr: stderr(),
      cause: result.cause,
    });
  });
  done.catch(() => {});
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, done, stop: () => stopping.abort() };
}

export interface FfmpegOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs ffmpeg to its end without input, for queries such as `-encoders`.
 *
 * @param args - File names must be absolute, because ffmpeg runs in the root folder.
 * @param options.timeoutMs - After this time the process is stopped and the call rejects.
 * @param options.limits - By default those for files of ours.
 * @throws As {@link startFfmpeg}'s `done`.
 */
export async function runFfmpeg(
  ffmpegPath: string,
  args: readonly string[],
  options: { timeoutMs: number; signal?: AbortSignal; limits?: ProcessLimits },
): Promise<FfmpegOutput> {
  const limited = limitCommand({ file: ffmpegPath, args }, options.limits ?? OWN_LIMITS);
  const child = execa(limited.file, limited.args, {
    ...ISOLATED,
    stdin: 'ignore',
    reject: false,
    maxBuffer: 1_000_000,
    timeout: options.timeoutMs,
    forceKillAfterDelay: FORCE_KILL_AFTER_MS,
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  // If the binary is a shell script, its child keeps the pipes open after the script has ended.
  child.once('exit', (exitCode) => {
    if (exitCode !== 0) setTimeout(() => letGo(child), FORCE_KILL_AFTER_MS).unref();
  });
  const result = await liveWhile(child, options.timeoutMs);
  options.signal?.throwIfAborted();
  if (result.exitCode === 0) return { stdout: result.stdout, stderr: result.stderr };
  throw toFfmpegError(ffmpegPath, args, {
    exitCode: result.exitCode,
    signal: result.signal,
    stderr: result.stderr.slice(-STDERR_TAIL_BYTES),
    ...(result.timedOut ? { timedOutAfterMs: options.timeoutMs } : {}),
    cause: result.cause,
  });
}

function letGo({ stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable }): void {
  stdout.destroy();
  stderr.destroy();
}

/**
 * Runs one file-to-file job that `describe` states with fluent-ffmpeg, and resolves to what ffmpeg printed.
 *
 * fluent-ffmpeg composes the arguments; our own code runs them. Its public `run` was tried: when ffmpeg cannot be
 * started for a second job, it throws an uncaught TypeError ("reading 'get'") that ends the process. It also reports
 * the exit status as text only. The package is archived and pinned, and its types declare `_getArguments`.
 *
 * @param describe - Adds inputs, options and the output. It must not call `run` or `save`.
 * @param options.isVerbose - Lets filters report on stderr, not only errors.
 * @throws As {@link startFfmpeg}'s `done`.
 */
export async function runFfmpegJob(
  ffmpegPath: string,
  describe: (command: FfmpegCommand) => void,
  options: { timeoutMs: number; signal?: AbortSignal; isVerbose?: boolean },
): Promise<FfmpegOutput> {
  const command = createFfmpegCommand();
  describe(command);
  const report = options.isVerbose ? ['-loglevel', 'info', '-nostats'] : ['-loglevel', 'error'];
  return runFfmpeg(ffmpegPath, ['-hide_banner', ...report, '-nostdin', ...command._getArguments()], options);
}

/**
 * The command line for pasting into a shell. If raw frames come from stdin, it ends with `< FILE`.
 */
export function formatCommand(ffmpegPath: string, args: readonly string[]): string {
  const words = [ffmpegPath, ...args].map((word) =>
    /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return args.includes('pipe:0') ? `${words.join(' ')} < FILE` : words.join(' ');
}

function toFfmpegError(ffmpegPath: string, args: readonly string[], exit: FfmpegExit): ListingVideoError {
  const context = {
    command: formatCommand(ffmpegPath, args),
    exitCode: exit.exitCode ?? null,
    signal: exit.signal ?? null,
    stderr: exit.stderr.trim(),
    ...(wasInterrupted(exit) ? { interrupted: true } : {}),
  };
  const cause = exit.cause === undefined ? {} : { cause: exit.cause };
  const lastLine = context.stderr.split('\n').at(-1) ?? '';
  const reason = lastLine === '' ? '' : ` (${lastLine})`;
  if (hasNotStarted(exit.exitCode) || (exit.exitCode === undefined && exit.signal === undefined)) {
    return new ListingVideoError('ffmpeg_missing', `cannot start ffmpeg: ${ffmpegPath}${reason}`, {
      ...cause,
      context,
      hint: 'check that the file exists and is executable; `listing-video doctor` shows every candidate',
    });
  }
  // ffmpeg has no exit status for a full disk. Its message is that of strerror(3).
  if (/No space left on device|Disk quota exceeded/i.test(exit.stderr)) {
    return new ListingVideoError('disk_full', 'ffmpeg cannot write: the disk is full', {
      ...cause,
      context,
      hint: 'free some space, or use another disk with --out and --home, then run the same command again',
    });
  }
  const how = describeEnd(exit);
  const hint =
    exit.signal === 'SIGKILL'
      ? 'the system is probably out of memory: close other programs or lower --concurrency, then run the same command again'
      : 'run the same command again: finished segments are kept; `--debug` shows the ffmpeg command';
  const message = `ffmpeg failed: ${how}${reason}`;
  return new ListingVideoError('encode_failed', message, { ...cause, context, hint });
}

/** True if a signal of somebody else stopped it, such as that of a service manager to every process of a service. */
function wasInterrupted({ exitCode, signal, timedOutAfterMs }: FfmpegExit): boolean {
  // ffmpeg catches these signals and then exits with 255.
  const isStopped = exitCode === 255 || ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(signal ?? '');
  return isStopped && timedOutAfterMs === undefined;
}

function describeEnd({ exitCode, signal, timedOutAfterMs }: FfmpegExit): string {
  if (timedOutAfterMs !== undefined) return `it did not end within ${timedOutAfterMs / 1000} s`;
  return signal === undefined ? `exit status ${exitCode}` : `it was killed by ${signal}`;
}

function keepTail(stream: Readable, limitBytes: number): () => string {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-limitBytes);
  });
  stream.on('error', () => {});
  return () => tail.toString('utf8');
}
