import { expect, it } from 'vitest';
import { describeReuse } from '../../src/video/publish/make-report.ts';

it.each([
  [[false, false], []],
  [[true, false], ['1 of 2 videos is up to date']],
  [[true, true, false], ['2 of 3 videos are up to date']],
  [[true], ['nothing has changed: the video is up to date (--force renders it again)']],
  [[true, true], ['nothing has changed: all videos are up to date (--force renders them again)']],
])('%j: what is up to date, in one sentence', (unchanged, sentences) => {
  expect(describeReuse(unchanged.map((is_unchanged) => ({ is_unchanged })))).toEqual(sentences);
});
