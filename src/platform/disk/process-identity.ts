/**
 * Finds out whether the process that wrote a claim is alive. The result is certain on Linux. On other systems only a
 * missing pid is certain; for an existing pid the lease decides.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { errnoOf } from './disk-error.ts';

/** Identifies a process, so that any process can check later whether it is alive. JSON. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Identifies the boot of the machine: the kernel's boot id, or `~<boot time in seconds>` on systems without one. */
  readonly boot: string;
  /** The pid namespace, because two containers can use the same pid. */
  readonly space: string;
  /** Start time of the process, which differs from that of a later process with the same pid. Null if unknown. */
  readonly started: string | null;
}

/**
 * `dead` and `alive` are certain. `unknown`: this process cannot find out. `elsewhere`: the process is of another
 * machine, or of an earlier boot of this one.
 */
export type Liveness = 'alive' | 'dead' | 'unknown' | 'elsewhere';

/** The queries to the operating system. */
export interface ProcessProbe {
  readonly self: ProcessIdentity;
  /** Content of `/proc/<pid>/stat`, or null if it does not exist. */
  readStat(pid: number): string | null;
  /** True if a process has this pid, also a process of another user. */
  exists(pid: number): boolean;
}

/** Whether `owner` is alive, as far as the process `probe.self` can find out. */
export function livenessOf(owner: ProcessIdentity, probe: ProcessProbe): Liveness {
  const { self } = probe;
  if (!isSameBoot(owner, self)) return 'elsewhere';
  if (owner.space !== self.space) return 'unknown';
  if (owner.started === null || self.started === null) return probe.exists(owner.pid) ? 'unknown' : 'dead';
  const stat = probe.readStat(owner.pid);
  // With the mount option hidepid, processes of other users have no entry in /proc, but signals reach them.
  if (stat === null) return probe.exists(owner.pid) ? 'unknown' : 'dead';
  const { state, started } = parseStat(stat);
  // A zombie has ended, but its parent has not collected it yet.
  return started === owner.started && state !== 'Z' && state !== 'X' ? 'alive' : 'dead';
}

/** Linux counts CPU time in ticks of 10 ms for programs. */
const TICK_MS = 10;

/**
 * State letter, start time (field 22, ticks after boot) and CPU time (fields 14 and 15, milliseconds of all threads) of
 * `/proc/<pid>/stat`. The process name can contain `)`.
 */
export function parseStat(stat: string): { state: string; started: string; cpuMs: number } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  return { state: fields[0] ?? '', started: fields[19] ?? '', cpuMs };
}

/** CPU time of a process so far, in milliseconds. Null where the system does not tell. */
export function cpuTimeOf(pid: number): number | null {
  const stat = readStat(pid);
  return stat === null ? null : parseStat(stat).cpuMs;
}

const readStat = (pid: number) => readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));

/**
 * Compares boots. A boot time from the uptime varies with the clock and is not unique, so it also needs the host name.
 */
function isSameBoot(a: ProcessIdentity, b: ProcessIdentity): boolean {
  if (!a.boot.startsWith('~') || !b.boot.startsWith('~')) return a.boot === b.boot;
  return a.host === b.host && Math.abs(Number(a.boot.slice(1)) - Number(b.boot.slice(1))) <= 120;
}

export function systemProbe(): ProcessProbe {
  const own = readStat(process.pid);
  const boot = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return {
    self: {
      pid: process.pid,
      host: hostname(),
      boot: boot ?? `~${Math.round(Date.now() / 1000 - uptime())}`,
      space: readOrNull(() => readlinkSync('/proc/self/ns/pid')) ?? process.platform,
      started: own === null ? null : parseStat(own).started,
    },
    readStat,
    exists: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return errnoOf(error) !== 'ESRCH';
      }
    },
  };
}

function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
