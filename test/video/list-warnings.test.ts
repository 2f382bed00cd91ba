/** The warnings of a task: each sentence once, with the agents that it is about. */
import { expect, it } from 'vitest';
import { listWarnings } from '../../src/video/publish/list-warnings.ts';
import type { ReportEntry, ReportVideo } from '../../src/video/publish/report.ts';

const video = (agent_id: string, ...warnings: string[]) => ({ agent_id, warnings }) as unknown as ReportVideo;
const entry = (...warnings: string[]) => ({ warnings, ratio: '1920:1080' }) as unknown as ReportEntry;
const tall = (agent_id: string, ...warnings: string[]): ReportVideo => ({
  ...video(agent_id, ...warnings),
  ratio: '1080:1920',
});

it('says once, of no agent, what holds for every video', () => {
  expect(
    listWarnings({ videos: [video('ann', 'small'), video('bob', 'small')], unbranded: [entry('small')] }),
  ).toEqual(['small']);
  expect(listWarnings({ videos: [video('ann', 'small', 'small')] })).toEqual(['small']);
});

it('names the agents and shapes that a sentence is about, three at most', () => {
  const agents = ['ann', 'bob', 'cat', 'dan', 'eve'];
  const videos = [...agents.map((id) => video(id, 'no phone')), video('fay')];
  expect(listWarnings({ videos })).toEqual(['ann, bob, cat and 2 more: no phone']);
  expect(
    listWarnings({ videos: [video('ann')], also_ratio: [tall('ann', 'cut')], unbranded: [entry('cut')] }),
  ).toEqual(['ann 1080:1920, unbranded 1920:1080: cut']);
});

it('begins with what is about the whole task, and says it once', () => {
  expect(listWarnings({ warnings: ['slow disk', 'small'], videos: [video('ann', 'cut', 'small')] })).toEqual([
    'slow disk',
    'small',
    'cut',
  ]);
});

it('is empty without videos', () => {
  expect(listWarnings({})).toEqual([]);
});
