/**
 * Whether the process that wrote a claim still lives. Exact on Linux; elsewhere a missing pid is certain and an
 * existing one is not, so that only the lease decides.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { errnoOf } from './disk-error.ts';

/** Enough to tell later, from any process, whether the process that wrote it still lives. JSON. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Names the boot of the machine: the kernel's boot id, or `~<seconds>` where there is none. */
  readonly boot: string;
  /** The pid namespace: equal pids in two containers are two processes. */
  readonly space: string;
  /** The kernel's start time of the process, which tells it from a later one with its pid; null if unknowable. */
  readonly started: string | null;
}

/**
 * `dead` and `alive` are certain. `unknown`: this machine cannot tell. `elsewhere`: of another machine or an earlier
 * boot of this one.
 */
export type Liveness = 'alive' | 'dead' | 'unknown' | 'elsewhere';

/** What is asked of the operating system. */
export interface ProcessProbe {
  readonly self: ProcessIdentity;
  /** `/proc/<pid>/stat`, or null where there is none. */
  readStat(pid: number): string | null;
  /** True when a process has this pid, also one of another user. */
  exists(pid: number): boolean;
}

/** Judges `owner` from where `probe.self` lives. */
export function livenessOf(owner: ProcessIdentity, probe: ProcessProbe): Liveness {
  const { self } = probe;
  if (!isSameBoot(owner, self)) return 'elsewhere';
  if (owner.space !== self.space) return 'unknown';
  if (owner.started === null || self.started === null) return probe.exists(owner.pid) ? 'unknown' : 'dead';
  const stat = probe.readStat(owner.pid);
  // With hidepid another user's process has no entry in /proc, but signals still see it.
  if (stat === null) return probe.exists(owner.pid) ? 'unknown' : 'dead';
  const { state, started } = parseStat(stat);
  // A zombie has ended; only its parent has not looked yet.
  return started === owner.started && state !== 'Z' && state !== 'X' ? 'alive' : 'dead';
}

/** State letter and start time (field 22, ticks after boot) of a `/proc/<pid>/stat` line; the name may hold `)`. */
export function parseStat(stat: string): { state: string; started: string } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** A boot time computed from the uptime wanders with the clock, and is not unique: it also takes the host's name. */
function isSameBoot(a: ProcessIdentity, b: ProcessIdentity): boolean {
  if (!a.boot.startsWith('~') || !b.boot.startsWith('~')) return a.boot === b.boot;
  return a.host === b.host && Math.abs(Number(a.boot.slice(1)) - Number(b.boot.slice(1))) <= 120;
}

/** The probe of this process. */
export function systemProbe(): ProcessProbe {
  const readStat = (pid: number) => readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
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
