/**
 * CPU and memory limits of the container, from the kernel's control groups (v2, else v1). Null without a limit and
 * outside Linux.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';

export interface ContainerLimits {
  /** CPU time in CPUs, also a fraction such as 1.5; null when unlimited. */
  readonly cpuCount: number | null;
  readonly memoryBytes: number | null;
}

/** Reads a file below the cgroup root; null when it is absent. */
export type ReadCgroupFile = (path: string) => string | null;

/** Values at or above this mean "no limit" in cgroup v1 (the kernel prints LONG_MAX rounded down to a page). */
const V1_UNLIMITED_BYTES = 2 ** 60;

/**
 * The smallest limit from this process's group up to the root, because every level applies.
 *
 * @param selfCgroup - Text of `/proc/self/cgroup`.
 * @param read - Reads paths such as `/sys/fs/cgroup/cpu.max`.
 */
export function parseContainerLimits(selfCgroup: string, read: ReadCgroupFile): ContainerLimits {
  const groups = selfCgroup.split('\n').map((line) => line.split(':'));
  const unified = groups.find(([id, controllers]) => id === '0' && controllers === '');
  const pathOf = (controller: string): string =>
    groups
      .find(([, controllers]) => controllers?.split(',').includes(controller))
      ?.slice(2)
      .join(':') ?? '/';

  const cpu: number[] = [];
  const memory: number[] = [];
  for (const folder of ancestors('/sys/fs/cgroup', unified?.slice(2).join(':') ?? '/')) {
    collect(cpu, parseCpuMax(read(`${folder}/cpu.max`)));
    collect(memory, parseBytes(read(`${folder}/memory.max`)));
  }
  for (const folder of ancestors('/sys/fs/cgroup/cpu', pathOf('cpu'))) {
    const quota = read(`${folder}/cpu.cfs_quota_us`);
    const period = read(`${folder}/cpu.cfs_period_us`);
    if (quota && period) collect(cpu, parseCpuMax(`${quota.trim()} ${period.trim()}`));
  }
  for (const folder of ancestors('/sys/fs/cgroup/memory', pathOf('memory'))) {
    collect(memory, parseBytes(read(`${folder}/memory.limit_in_bytes`)));
  }
  return {
    cpuCount: cpu.length > 0 ? Math.min(...cpu) : null,
    memoryBytes: memory.length > 0 ? Math.min(...memory) : null,
  };
}

export function readContainerLimits(): ContainerLimits {
  const read: ReadCgroupFile = (file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  };
  const selfCgroup = read('/proc/self/cgroup');
  return selfCgroup === null ? { cpuCount: null, memoryBytes: null } : parseContainerLimits(selfCgroup, read);
}

let usableCount: number | undefined;

/** Processors that this process can use: those of the machine, or as many as the container allows. Read once. */
export function usableCpuCount(): number {
  usableCount ??= cpusWithin(readContainerLimits(), os.availableParallelism());
  return usableCount;
}

/** At least 1; a fraction of a CPU counts as a whole one. */
export function cpusWithin({ cpuCount }: Pick<ContainerLimits, 'cpuCount'>, available: number): number {
  return Math.max(1, Math.min(available, Math.ceil(cpuCount ?? available)));
}

/** `<quota> <period>` in microseconds; a quota of `max` or below 0 means no limit. */
function parseCpuMax(text: string | null): number | null {
  const match = /^(\d+)\s+(\d+)\s*$/.exec(text?.trim() ?? '');
  if (!match || Number(match[2]) === 0) return null;
  return Number(match[1]) / Number(match[2]);
}

function parseBytes(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  if (!/^\d+$/.test(trimmed)) return null;
  const bytes = Number(trimmed);
  return bytes < V1_UNLIMITED_BYTES ? bytes : null;
}

function collect(into: number[], value: number | null): void {
  if (value !== null && value > 0) into.push(value);
}

/** `root/a/b`, `root/a`, `root`. A namespace can show a path from outside (`/../x`): then only the root applies. */
function ancestors(root: string, groupPath: string): string[] {
  const parts = groupPath.split('/').filter((part) => part !== '');
  if (parts.includes('..')) return [root];
  return parts.map((_, index) => `${root}/${parts.slice(0, parts.length - index).join('/')}`).concat(root);
}
