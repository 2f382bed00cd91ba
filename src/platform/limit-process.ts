/**
 * Makes the command line of a program with limits on memory, CPU time, file size and processes, and without core dumps.
 * When memory runs out, the kernel ends that program before the process that started it. This file starts nothing.
 *
 * The limits are those of `setrlimit(2)`, which Node cannot set, so a shell sets them and becomes the program (`exec`).
 * The process id and the open pipes stay. That costs 0.6 ms; `prlimit` of util-linux costs 1 ms and is not on every
 * system.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'node:path';

/** Limits of one process. They end it; the caller maps that to an error of the work. */
export interface ProcessLimits {
  /**
   * Private memory in bytes, as `RLIMIT_DATA` counts it: also what is only reserved for writing, such as stacks of
   * threads. It is not a limit of the address space, because WebAssembly and V8 reserve many gigabytes that they never
   * use.
   */
  readonly memoryBytes: number;
  /** CPU time of all threads together, from the start of the process. */
  readonly cpuSec: number;
  /** Size of each file that it writes, in bytes. Pipes have no limit. */
  readonly fileBytes: number;
}

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

const SHELL = '/bin/sh';
/** Exit statuses of a shell that cannot start the program: it is not executable, or it or a library is absent. */
const NOT_STARTED = [126, 127];
/**
 * What is added to the score of the kernel's OOM killer for each process between it and the server; the highest score,
 * at most 1000, is ended first. An absolute score could be lower than that of a container's processes, which only root
 * can lower.
 */
const OOM_STEP = 200;
const MAX_OOM_SCORE = 1000;
const OOM_FILE = '/proc/self/oom_score_adj';
/**
 * How many processes and threads can start beside those of the whole machine: `RLIMIT_NPROC` counts all of a user's.
 * Room for other programs of that user, and an end for one that multiplies. Root has no such limit.
 */
const MORE_PROCESSES = 2048;

let hasShell: boolean | undefined;

/** True if {@link limitCommand} sets limits on this system. They need a POSIX shell, so Windows has none. */
export function canLimit(): boolean {
  hasShell ??= process.platform !== 'win32' && existsSync(SHELL);
  return hasShell;
}

/**
 * The command that runs `file` with `limits`. Where no limits can be set it is `file` itself. A limit that the system
 * does not have is left out: macOS limits CPU time, file size and core dumps only.
 */
export function limitCommand({ file, args }: Command, limits: ProcessLimits): Command {
  if (!canLimit()) return { file, args };
  return { file: SHELL, args: ['-c', toScript(limits), file, ...args] };
}

/** True if this exit status of a limited command means that the program did not start. */
export function hasNotStarted(exitCode: number | undefined): boolean {
  return exitCode !== undefined && canLimit() && NOT_STARTED.includes(exitCode);
}

/** Lets the kernel end this process before the one that started it. Nothing happens where the kernel is not Linux. */
export function raiseOomScore(): void {
  try {
    const score = Number(readFileSync(OOM_FILE, 'utf8')) + OOM_STEP;
    writeFileSync(OOM_FILE, `${Math.min(MAX_OOM_SCORE, score)}`);
  } catch {
    // Without such a file the kernel chooses by memory alone.
  }
}

/** The folder to start programs in: the root, which is always there and is nobody's data. */
export function neutralFolder(): string {
  return parse(process.execPath).root;
}

/** Only numbers of ours are in the text. The program and its arguments are parameters of the shell. */
function toScript({ memoryBytes, cpuSec, fileBytes }: ProcessLimits): string {
  const steps = [
    `read -r score <${OOM_FILE} && score=$((score + ${OOM_STEP}))`,
    `echo $((score > ${MAX_OOM_SCORE} ? ${MAX_OOM_SCORE} : score)) >${OOM_FILE}`,
    // The fourth word is `<running>/<all>` threads of the machine. bash says -u, dash and busybox say -p.
    `read -r _ _ _ threads _ </proc/loadavg && n=$((\${threads#*/} + ${MORE_PROCESSES})) && { ulimit -u $n || ulimit -p $n; }`,
    'ulimit -c 0',
    `ulimit -t ${Math.ceil(cpuSec)}`,
    `ulimit -d ${Math.ceil(memoryBytes / 1024)}`,
    // In blocks of 512 bytes. A shell that counts kilobytes doubles the limit.
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
  ];
  return `{ ${steps.join('; ')}; } 2>/dev/null; exec "$0" "$@"`;
}
