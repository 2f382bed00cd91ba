/** The facts of this machine and process that settings depend on. */
import os from 'node:os';
import envPaths from 'env-paths';
import { usableCpuCount } from './container-limits.ts';
import type { MachineFacts } from './setting-table.ts';

/** Data folder, working folder and the number of CPUs, which a container can limit. */
export function machineFacts(): MachineFacts {
  return {
    dataDir: envPaths('listing-video', { suffix: '' }).data,
    cwd: process.cwd(),
    homeDir: os.homedir(),
    cpuCount: usableCpuCount(),
  };
}
