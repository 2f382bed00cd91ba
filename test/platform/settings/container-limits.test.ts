/** Control groups as Docker, Kubernetes, systemd and bare machines show them. */
import { expect, it } from 'vitest';
import { cpusWithin, parseContainerLimits } from '../../../src/platform/settings/container-limits.ts';

const GIB = 1024 ** 3;

function limits(selfCgroup: string, files: Readonly<Record<string, string>>) {
  return parseContainerLimits(selfCgroup, (file) => files[file] ?? null);
}

it('finds no limit on a bare machine', () => {
  const files = {
    '/sys/fs/cgroup/user.slice/cpu.max': 'max 100000\n',
    '/sys/fs/cgroup/user.slice/memory.max': 'max\n',
  };
  expect(limits('0::/user.slice\n', files)).toEqual({ cpuCount: null, memoryBytes: null });
});

it('reads version 2 in a namespace of its own (Docker)', () => {
  const files = { '/sys/fs/cgroup/cpu.max': '150000 100000\n', '/sys/fs/cgroup/memory.max': `${2 * GIB}\n` };
  expect(limits('0::/\n', files)).toEqual({ cpuCount: 1.5, memoryBytes: 2 * GIB });
});

it('takes the tightest limit on the way to the root (systemd, Kubernetes)', () => {
  const files = {
    '/sys/fs/cgroup/kubepods/pod1/app/cpu.max': 'max 100000',
    '/sys/fs/cgroup/kubepods/pod1/cpu.max': '50000 100000',
    '/sys/fs/cgroup/kubepods/cpu.max': '400000 100000',
    '/sys/fs/cgroup/kubepods/pod1/app/memory.max': `${4 * GIB}`,
    '/sys/fs/cgroup/kubepods/pod1/memory.max': `${GIB}`,
  };
  expect(limits('0::/kubepods/pod1/app\n', files)).toEqual({ cpuCount: 0.5, memoryBytes: GIB });
});

it('reads version 1, its controllers in folders of their own', () => {
  const self = '12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n';
  const files = {
    '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us': '200000\n',
    '/sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': `${GIB}\n`,
  };
  expect(limits(self, files)).toEqual({ cpuCount: 2, memoryBytes: GIB });
});

it('reads version 1 from inside, where only the root is mounted', () => {
  const files = {
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GIB}\n`,
  };
  expect(limits('3:memory:/docker/abc\n2:cpu:/docker/abc\n', files)).toEqual({
    cpuCount: 0.5,
    memoryBytes: GIB,
  });
});

it('knows how version 1 says "none"', () => {
  const files = {
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
  };
  expect(limits('3:memory:/\n2:cpu:/\n', files)).toEqual({ cpuCount: null, memoryBytes: null });
});

it.each(['', 'garbage', '0::/../..\n', '0::\n'])('survives %j', (selfCgroup) => {
  expect(limits(selfCgroup, { '/sys/fs/cgroup/cpu.max': 'x y', '/sys/fs/cgroup/memory.max': '-5' })).toEqual({
    cpuCount: null,
    memoryBytes: null,
  });
});

it('counts the processors that a container leaves', () => {
  const count = (cpuCount: number | null, available = 8) => cpusWithin({ cpuCount }, available);
  expect([count(null), count(2), count(1.5), count(0.25), count(64), count(3, 2)]).toEqual([
    8, 2, 2, 1, 8, 2,
  ]);
});
