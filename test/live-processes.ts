/** What the system says of processes, without `ps`: slim containers have none. */
import { readdirSync, readFileSync } from 'node:fs';

/** True when a process has this pid and is no zombie (where the system tells zombies: Linux). */
export function isRunning(pid: number): boolean {
  try {
    if (process.platform === 'linux') return readStat(pid).state !== 'Z';
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Live processes whose parent is `pid`. Linux. */
export function childrenOf(pid: number): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const { state, parent } = readStat(Number(name));
      if (parent !== pid || state === 'Z') return [];
      return [
        { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') },
      ];
    } catch {
      return [];
    }
  });
}

/** proc(5): the name in parentheses may hold anything, so the fields are counted from its end. */
function readStat(pid: number): { state: string; parent: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}
