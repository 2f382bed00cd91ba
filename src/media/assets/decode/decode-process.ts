/**
 * The parent's side of decoding in child processes: a small pool that reuses healthy processes, stops slow ones and
 * replaces dead ones. An image cannot harm this process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import pLimit, { type LimitFunction } from 'p-limit';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import { cpuTimeOf } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { limitCommand, neutralFolder } from '../../../platform/limit-process.ts';
import { liveWhile } from '../../../platform/liveness.ts';
import { loadSharp, sharpMissing } from '../../../platform/load-sharp.ts';
import { permissionFlags } from '../../../platform/permission-flags.ts';
import { codeFile } from '../../../platform/program-files.ts';
import { formatBytes, formatSeconds } from '../asset-limits.ts';
import { UnusableAsset } from '../unusable-asset.ts';
import type { DecodeAnswer, DecodeCommand, DecodedImage, DecodeRequest } from './decode-protocol.ts';

const CHILD_ENTRY = codeFile('media/assets/decode/decode-child.js');
/** How long a new process can take to start. On a busy machine that can be seconds. */
const START_TIMEOUT_MS = 60_000;
/** A busy machine gives a process a part of its time: a photo that was given less CPU than its limit goes on so long. */
const BUSY_FACTOR = 6;
/** What V8 reserves on top of an image's memory: 90 MB in Node 20 and 22, 620 MB in Node 24. */
const RUNTIME_BYTES = 1536 * 1024 * 1024;
/** CPU time of one process, which decodes many images; the next image then gets a new process. */
const CPU_SEC = 900;
/** The largest master has 10 MB. */
const MAX_MASTER_BYTES = 64 * 1024 * 1024;

/** Folders that the processes need, absolute. */
export interface DecodeFolders {
  /** The sources are here, or are links here. */
  readonly readDir: string;
  /** Masters are written here. */
  readonly writeDir: string;
}

export interface DecodePoolOptions {
  /** Maximum number of processes, each with one image. They start when first needed. */
  readonly maxProcesses: number;
  /** CPU time, where the system tells it, of a photo in any format but HEIC, which can take three times as long. */
  readonly timeoutMs: number;
  readonly memoryLimitBytes: number;
  /** The only folders of data that the processes can read and write. Absent: all, for tests. */
  readonly folders?: DecodeFolders;
}

export class DecodePool {
  readonly #options: DecodePoolOptions;
  /** Made for the first process: it looks for packages. */
  #permissions: readonly string[] | undefined;
  readonly #limit: LimitFunction;
  readonly #idle: DecodeProcess[] = [];
  readonly #all = new Set<DecodeProcess>();

  constructor(options: DecodePoolOptions) {
    this.#options = options;
    if (options.folders === undefined) this.#permissions = [];
    this.#limit = pLimit(options.maxProcesses);
  }

  get processIds(): number[] {
    return [...this.#all].flatMap((child) => child.pid ?? []);
  }

  /**
   * Decodes one image. Waits for a free process. When this throws, the caller removes a partial `request.masterPath`;
   * no process writes to it any more.
   *
   * @throws {@link UnusableAsset} when the image is the cause.
   * @throws {@link ListingVideoError} when the disk is full or decoding is impossible on this machine.
   */
  decode(request: DecodeRequest, signal: AbortSignal): Promise<DecodedImage> {
    return this.#limit(async () => {
      // A process can also die for another reason (the kernel's OOM killer ends the largest), so a new one tries again.
      for (let attempt = 1; ; attempt += 1) {
        signal.throwIfAborted();
        const answer = await this.#run(request, signal);
        if (answer !== 'died') return toImage(answer, request, this.#options);
        if (attempt === 1) continue;
        // Without its program for this platform, sharp ends the process at its start under Node 24.
        await loadSharp();
        throw new UnusableAsset('corrupt', 'the decoder cannot cope with it');
      }
    });
  }

  /** Stops every process at once. Resolves when all are gone. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((child) => child.stop()));
  }

  async #run(request: DecodeRequest, signal: AbortSignal): Promise<Outcome> {
    const child = this.#idle.pop() ?? this.#start();
    const timeoutMs = timeLimitMs(request, this.#options);
    const outcome = await liveWhile(
      child.decode(request, timeoutMs, signal),
      START_TIMEOUT_MS + BUSY_FACTOR * timeoutMs,
    );
    if (child.isAlive) this.#idle.push(child);
    else await child.stop();
    const isUnfit = outcome !== 'died' && outcome !== 'timeout' && outcome.type === 'unfit';
    if (!child.hasPermissions || (child.wasReady && !isUnfit)) return outcome;
    // Packages can be where the permissions do not reach, for example in a store for all projects. Photos matter more.
    this.#permissions = [];
    return this.#run(request, signal);
  }

  #start(): DecodeProcess {
    this.#permissions ??= toFlags(this.#options.folders!);
    const child = new DecodeProcess(this.#permissions, this.#options.memoryLimitBytes, () => {
      this.#all.delete(child);
      const at = this.#idle.indexOf(child);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    this.#all.add(child);
    return child;
  }
}

function toFlags({ readDir, writeDir }: DecodeFolders): string[] {
  // sharp is a native addon.
  return permissionFlags({
    readDirs: [readDir],
    writeDirs: [writeDir],
    hasAddons: true,
    packages: ['sharp', 'libheif-js'],
  });
}

/** A HEIC needs more CPU time than other photos: 3 s for 48 megapixels, and three times that on a busy machine. */
const HEIC_TIME_FACTOR = 3;

function timeLimitMs({ format }: DecodeRequest, { timeoutMs }: DecodePoolOptions): number {
  return format === 'heic' ? HEIC_TIME_FACTOR * timeoutMs : timeoutMs;
}

type Outcome = Exclude<DecodeAnswer, { type: 'ready' }> | 'died' | 'timeout';

function toImage(
  outcome: Exclude<Outcome, 'died'>,
  request: DecodeRequest,
  options: DecodePoolOptions,
): DecodedImage {
  if (outcome === 'timeout') {
    const limit = formatSeconds(timeLimitMs(request, options));
    throw new UnusableAsset('too_large', `takes more than ${limit} to decode`);
  }
  switch (outcome.type) {
    case 'decoded':
      return outcome.image;
    case 'unusable':
      throw new UnusableAsset(outcome.code, outcome.detail);
    case 'outgrown':
      throw new UnusableAsset(
        'too_large',
        `takes more than ${formatBytes(options.memoryLimitBytes)} of memory to decode`,
      );
    case 'failed':
      // The limit of the process, which stands for a master of any size that we make; a full disk has other codes.
      if (outcome.errno === 'EFBIG') {
        throw new UnusableAsset('too_large', `takes more than ${formatBytes(MAX_MASTER_BYTES)} when decoded`);
      }
      if (outcome.errno !== null)
        throw toStoreError(
          Object.assign(new Error(outcome.message), { code: outcome.errno }),
          request.masterPath,
        );
      throw new ListingVideoError('internal_error', `The picture decoder failed: ${outcome.message}`);
    case 'unfit':
      throw sharpMissing(outcome.message);
  }
}

/** One child process. Starts at once; decodes one image at a time. */
class DecodeProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #isAlive = true;
  #isReady = false;
  #onAnswer: (answer: DecodeAnswer | 'died') => void = () => {};

  /** It runs under the permission model. */
  readonly hasPermissions: boolean;

  constructor(permissions: readonly string[], memoryLimitBytes: number, onExit: () => void) {
    this.hasPermissions = permissions.length > 0;
    const { file, args } = limitCommand(
      { file: process.execPath, args: permissions },
      { memoryBytes: memoryLimitBytes + RUNTIME_BYTES, cpuSec: CPU_SEC, fileBytes: MAX_MASTER_BYTES },
    );
    // No inherited flags: --inspect or a test runner's loaders would break or slow the child. No inherited environment:
    // the decoder of untrusted bytes needs no secrets. One malloc arena: several arenas of glibc keep 100 MB more
    // memory.
    this.#child = fork(CHILD_ENTRY, [], {
      execPath: file,
      execArgv: [...args],
      env: { MALLOC_ARENA_MAX: '1' },
      cwd: neutralFolder(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (answer: DecodeAnswer) => this.#onAnswer(answer));
    const { promise, resolve } = toDeferred<void>();
    this.#exited = promise;
    const ended = () => {
      this.#isAlive = false;
      onExit();
      this.#onAnswer('died');
      resolve();
    };
    this.#child.once('exit', ended);
    // The process did not start (no memory, no free process), or it died before the message.
    this.#child.on('error', () => {
      if (this.#child.pid === undefined) ended();
    });
    this.#send({ type: 'start', options: { memoryLimitBytes } });
    // An idle child must not keep the parent alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive && this.#child.connected;
  }

  /** False if it could not start. */
  get wasReady(): boolean {
    return this.#isReady;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    this.#child.ref();
    await this.#exited;
  }

  /** The time limit starts when the process is ready. Rejects only on abort, after it stopped the process. */
  async decode(request: DecodeRequest, timeoutMs: number, signal: AbortSignal): Promise<Outcome> {
    this.#child.ref();
    this.#child.channel?.ref();
    const { promise, resolve } = toDeferred<Outcome>();
    let timer: NodeJS.Timeout | undefined;
    const startClock = (limitMs: number, onEnd = () => resolve('timeout')) => {
      clearTimeout(timer);
      timer = setTimeout(onEnd, limitMs);
    };
    // Where the system does not tell, no time is less than the limit.
    const cpuMs = () => cpuTimeOf(this.#child.pid!) ?? Number.NaN;
    const begin = () => {
      const startMs = cpuMs();
      startClock(timeoutMs, () => {
        if (cpuMs() - startMs < timeoutMs) startClock((BUSY_FACTOR - 1) * timeoutMs);
        else resolve('timeout');
      });
      this.#send({ type: 'decode', request });
    };
    this.#onAnswer = (answer) => {
      if (answer === 'died' || answer.type !== 'ready') return resolve(answer);
      this.#isReady = true;
      begin();
    };
    const onAbort = () => resolve('timeout');
    signal.addEventListener('abort', onAbort, { once: true });
    if (!this.#isAlive) resolve('died');
    else if (this.#isReady) begin();
    else startClock(START_TIMEOUT_MS);
    const outcome = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    this.#onAnswer = () => {};
    const isHealthy =
      outcome !== 'died' && outcome !== 'timeout' && outcome.type !== 'outgrown' && outcome.type !== 'unfit';
    if (!isHealthy || signal.aborted) await this.stop();
    signal.throwIfAborted();
    this.#child.unref();
    this.#child.channel?.unref();
    return outcome;
  }

  #send(command: DecodeCommand): void {
    // 'exit' reports a closed channel; the error here would only repeat it.
    this.#child.send(command, () => {});
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function toDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
