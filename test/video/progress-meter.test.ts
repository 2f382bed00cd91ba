import { expect, it } from 'vitest';
import { createProgressMeter } from '../../src/video/make/progress-meter.ts';
import type { Progress } from '../../src/video/video-task.ts';

function meterWithClock() {
  let nowMs = 1000;
  const seen: Progress[] = [];
  const meter = createProgressMeter(
    (progress) => seen.push(progress),
    () => nowMs,
  );
  return { meter, seen, advance: (ms: number) => (nowMs += ms) };
}

it('never falls, also when a stage reports late or twice', () => {
  const { meter, seen } = meterWithClock();
  meter.report('assets', 1);
  meter.report('render', 0.5);
  meter.report('assets', 0.2);
  meter.report('render', 0.4);
  const percents = seen.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(percents[1]).toBe(52);
  expect(percents[3]).toBe(52);
});

it('ends at 100', () => {
  const { meter, seen } = meterWithClock();
  meter.report('publish', 1);
  expect(seen[0]).toMatchObject({ percent: 100, stage: 'publish' });
});

it('estimates the rest from the time gone by, but not from the first moment', () => {
  const { meter, seen, advance } = meterWithClock();
  meter.report('render', 0.1);
  advance(10_000);
  meter.report('render', 0.5);
  expect(seen.map(({ etaSeconds }) => etaSeconds)).toEqual([null, 10]);
});
