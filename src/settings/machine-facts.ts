/** What defaults depend on, read from the machine this process runs on. */
import os from 'node:os';
import envPaths from 'env-paths';
import { readContainerLimits } from './container-limits.ts';
import type { MachineFacts } from './setting-table.ts';

/** Data folder, working folder, and the CPUs, which a container may lower. */
export function machineFacts(): MachineFacts {
  const { cpuCount } = readContainerLimits();
  const available = os.availableParallelism();
  return {
    dataDir: envPaths('listing-video', { suffix: '' }).data,
    cwd: process.cwd(),
    cpuCount: Math.max(1, Math.min(available, Math.ceil(cpuCount ?? available))),
  };
}
