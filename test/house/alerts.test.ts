/** The alert rules for Prometheus: they ask for metrics and labels that exist, and Prometheus accepts them. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/api/server/watch/metrics.ts';

const FILE = fileURLToPath(new URL('../../.github/deploy/alerts.yml', import.meta.url));
const { groups } = parse(await readFile(FILE, 'utf8'));
const rules: { alert: string; expr: string; annotations: Record<string, string> }[] = groups[0].rules;

it('they name metrics that servers and workers have', async () => {
  const metrics = createMetrics({
    countTasks: async () => 0,
    runningHere: () => 0,
    isPaused: () => false,
    countDeliveries: async () => 0,
    hasBucket: true,
    hasProcessMetrics: false,
    readQueue: async () => Promise.reject(new Error('away')),
  });
  const known = new Set(
    [...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
    ),
  );
  const named = rules.flatMap(({ expr }) => expr.match(/listing_video_\w+/g) ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'description']);
});

it.skipIf(spawnSync('promtool', ['--version']).status !== 0)('Prometheus accepts them', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', FILE], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
