/** What the store keeps of a video task is validated both ways: its files can be edited by hand. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/task/task.ts';
import { readDroppedAssets, VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';

const sound = () => ({
  listing: {
    id: 'L',
    assets: Array.from({ length: 5 }, (_, index) => ({ url: `photos/${index}.jpg` })),
    agents: [{ id: 'a', first_name: 'Ann', last_name: 'Lee' }],
  },
  listingFile: '/in/a.json',
  baseDir: '/in',
  outputDir: '/out/L',
  options: { quality: 'standard', minAssets: 1, force: false },
});

function problemsOf(value: unknown): unknown {
  const decoded = VIDEO_TASK_CODEC.payload.decode(value as JsonValue);
  return 'problems' in decoded ? decoded.problems : [];
}

describe('a stored payload', () => {
  it('that is sound is returned as it is', () => {
    const payload = sound();
    expect(VIDEO_TASK_CODEC.payload.decode(payload)).toEqual({ value: payload });
    expect(
      problemsOf({
        ...payload,
        options: {
          ...payload.options,
          ratio: '1080:1920',
          preview: true,
          alsoUnbranded: true,
          unbrandedKeep: ['link'],
        },
      }),
    ).toEqual([]);
  });

  it.each([
    [{ outputDir: undefined }, ['outputDir']],
    [{ outputDir: 'relative' }, ['outputDir']],
    [{ listingFile: 7 }, ['listingFile']],
    [{ nameSecret: 7 }, ['nameSecret']],
    [{ options: null }, ['options.quality', 'options.minAssets', 'options.force']],
    [
      { options: { ...sound().options, music: 7, ratio: '1:1', templateData: { a: 1 } } },
      ['options.music', 'options.ratio', 'options.templateData'],
    ],
    [
      { listing: { ...sound().listing, agents: [{ id: 'a' }] } },
      ['listing.agents.0.first_name', 'listing.agents.0.last_name'],
    ],
    [{ baseDir: null }, Array.from({ length: 5 }, (_, index) => `listing.assets.${index}.url`)],
  ])('with %j names what is damaged', (change, problems) => {
    expect(problemsOf({ ...sound(), ...change })).toEqual(problems);
  });

  it.each([[null], [7], [[]], ['x']])('that is %j is damaged, not a crash', (value) => {
    expect(problemsOf(value)).toContain('outputDir');
  });
});

describe('an outcome', () => {
  const decode = (json: JsonValue) => VIDEO_TASK_CODEC.outcome.decode(json);
  const result = { agent_id: 'a', url: 'file:///out/a.mp4', created_at: 'x', metadata: {} };

  it('comes back as it was stored, with what later versions add', () => {
    const outcome = { results: [{ ...result, more: 1 }], dropped_assets: [], report: '/r', more: 2 };
    expect(decode(outcome)).toEqual({ value: outcome });
  });

  it('loses only the entries that are damaged', () => {
    const stored = {
      results: [null, { agent_id: 'x' }, result],
      unbranded: [{ ratio: '1920:1080', url: 7 }],
      also_ratio: [
        { ratio: '1080:1920', url: 'a.mp4' },
        { ...result, ratio: '1080:1920' },
      ],
      dropped_assets: [{ url: 'a.jpg' }, { url: 'b.jpg', reason: 'corrupt: x' }],
      warnings: ['small', 7],
      report: 3,
    };
    const value = {
      results: [result],
      also_ratio: [{ ...result, ratio: '1080:1920' }],
      unbranded: [],
      warnings: ['small'],
      dropped_assets: [{ url: 'b.jpg', reason: 'corrupt: x' }],
      report: null,
    };
    expect(decode(stored)).toEqual({ value });
    expect(readDroppedAssets(stored.dropped_assets)).toEqual(value.dropped_assets);
  });

  it.each([[7], ['x'], [[]], [{ results: 'no list', unbranded: { 0: 1 } }]])('bears %j', (json) => {
    expect(decode(json as JsonValue)).toMatchObject({
      value: { results: [], dropped_assets: [], report: null },
    });
  });
});
