/** Telling the dead from the living, on Linux and where there is less to go by. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  livenessOf,
  type ProcessIdentity,
  type ProcessProbe,
  parseStat,
  systemProbe,
} from '../../../src/platform/disk/process-identity.ts';

const linux: ProcessIdentity = { pid: 10, host: 'box', boot: 'b1', space: 'pid:[1]', started: '500' };
const mac: ProcessIdentity = { pid: 10, host: 'mac', boot: '~1790000000', space: 'darwin', started: null };

function probe(self: ProcessIdentity, stats: Record<number, string>, pids: number[]): ProcessProbe {
  return { self, readStat: (pid) => stats[pid] ?? null, exists: (pid) => pids.includes(pid) };
}

function stat(pid: number, state: string, started: string): string {
  return `${pid} (no) de) ${state} 1 1 1 0 -1 4194560 9 0 0 0 1 2 0 0 20 0 11 0 ${started} 1000 200 18446744073709551615`;
}

describe('livenessOf on Linux', () => {
  const self = { ...linux, pid: 99 };
  it.each([
    ['runs', { 10: stat(10, 'S', '500') }, [10], 'alive'],
    ['ended', {}, [], 'dead'],
    ['ended and its pid was given to another', { 10: stat(10, 'S', '900') }, [10], 'dead'],
    ['is a zombie', { 10: stat(10, 'Z', '500') }, [10], 'dead'],
    ['is hidden from this user', {}, [10], 'unknown'],
  ] as const)('sees that a process %s', (_, stats, pids, expected) => {
    expect(livenessOf(linux, probe(self, stats, [...pids]))).toBe(expected);
  });

  it('does not check other pid namespaces, boots and machines by their pids', () => {
    const here = probe(self, {}, []);
    expect(livenessOf({ ...linux, space: 'pid:[2]' }, here)).toBe('unknown');
    expect(livenessOf({ ...linux, boot: 'b0' }, here)).toBe('elsewhere');
    expect(livenessOf(mac, here)).toBe('elsewhere');
  });
});

describe('livenessOf without /proc', () => {
  const self = { ...mac, pid: 99, boot: '~1790000007' };
  it('is sure of the dead only, for a pid may have been given to another', () => {
    expect(livenessOf(mac, probe(self, {}, []))).toBe('dead');
    expect(livenessOf(mac, probe(self, {}, [10]))).toBe('unknown');
  });

  it('bears a clock that was corrected, but not a reboot or another host', () => {
    expect(livenessOf({ ...mac, boot: '~1789999900' }, probe(self, {}, []))).toBe('dead');
    expect(livenessOf({ ...mac, boot: '~1789990000' }, probe(self, {}, []))).toBe('elsewhere');
    expect(livenessOf({ ...mac, host: 'other' }, probe(self, {}, []))).toBe('elsewhere');
  });
});

describe('systemProbe', () => {
  it('sees this process alive and a killed one dead, before and after its parent looked', async () => {
    const here = systemProbe();
    expect(here.self.pid).toBe(process.pid);
    expect(livenessOf(here.self, here)).toBe(here.self.started === null ? 'unknown' : 'alive');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await once(child, 'spawn');
    const text = here.readStat(child.pid!);
    const owner = { ...here.self, pid: child.pid!, started: text === null ? null : parseStat(text).started };
    expect(livenessOf(owner, here)).not.toBe('dead');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(livenessOf(owner, here)).toBe('dead');
  });
});
