/** How music is cut to a length: the arithmetic on every built-in soundtrack, and the joins sample by sample. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barOffset, laySoundtrack } from '../../../../src/media/encode/audio/lay-soundtrack.ts';
import {
  listSoundtracks,
  listVariants,
  loadSoundtrack,
} from '../../../../src/media/encode/audio/load-soundtrack.ts';
import { soundtrackGraph } from '../../../../src/media/encode/audio/soundtrack-graph.ts';
import type { Soundtrack } from '../../../../src/media/encode/audio/soundtrack-table.ts';
import { runFfmpegJob } from '../../../../src/media/encode/ffmpeg/run-ffmpeg.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';
import { availableFfmpegs } from '../workbench.ts';
import { RATE, readPcm, writeWav } from './sound-bench.ts';

/** A scene change, in samples. */
const CHANGE = fc.integer({ min: 3 * RATE, max: 8 * RATE });
const names = await listSoundtracks();
const builtIn = await Promise.all(names.map(async (name) => (await loadSoundtrack(name))!.soundtrack));

describe('the built-in soundtracks', () => {
  it('are three of each mood, with tempos and titles of their own, and all have a lift', async () => {
    for (const mood of ['classic', 'luxury', 'modern', 'neutral', 'social']) {
      expect(await listVariants(mood)).toEqual([mood, `${mood}-2`, `${mood}-3`]);
      const bpms = builtIn.filter(({ name }) => name.startsWith(mood)).map(({ bpm }) => bpm);
      expect(new Set(bpms).size).toBe(3);
    }
    expect(new Set(builtIn.map(({ title }) => title)).size).toBe(15);
    for (const { lifts } of builtIn) expect(lifts).not.toEqual([]);
  });

  it.each(builtIn)('$name comes home right before the last frame, whatever the length', (soundtrack) => {
    const { ending, body } = soundtrack;
    const bar = body.barSamples[1]!;
    const least = barOffset(soundtrack, 1) + ending.resolvedSamples;
    fc.assert(
      fc.property(fc.integer({ min: Math.ceil(least / 1600), max: 9000 }), CHANGE, (frames, change) => {
        const total = frames * 1600;
        const laying = laySoundtrack(soundtrack, {
          totalSamples: total,
          changeSamples: [change],
        });
        const rest = total - laying.cutSample - ending.resolvedSamples;
        expect(rest).toBeGreaterThanOrEqual(-0.25 * bar);
        // Later the chord has decayed, and a video would end in silence.
        expect(rest).toBeLessThanOrEqual(0.75 * bar + 2);
        const laid = laying.stretches.map(({ startSample, endSample }) => endSample - startSample);
        const overlaps = (laid.length - 1) * body.loop.crossfadeSamples;
        expect(laid.reduce((sum, length) => sum + length, -overlaps)).toBe(laying.cutSample);
        for (const { endSample } of laying.stretches)
          expect(endSample).toBeLessThanOrEqual(body.loop.endSample);
      }),
      { numRuns: 200 },
    );
  });

  it.each(builtIn)('$name lifts on the bar line nearest to a scene change', (soundtrack) => {
    const { body, lifts, lead } = soundtrack;
    const bar = body.barSamples[1]!;
    fc.assert(
      fc.property(CHANGE, (change) => {
        const laying = laySoundtrack(soundtrack, { totalSamples: 30 * RATE, changeSamples: [change] });
        const { liftSample, stretches } = laying;
        expect(Math.abs(liftSample! - change)).toBeLessThanOrEqual(bar / 2 + 2);
        const [led, lifted] = stretches;
        expect(led!.endSample - led!.startSample).toBe(liftSample);
        expect(lifts.map((lift) => body.barSamples[lift]! - body.loop.crossfadeSamples)).toContain(
          lifted!.startSample,
        );
        if (lead.startBar !== null) expect(led!.startSample).toBe(body.barSamples[lead.startBar]);
      }),
    );
  });

  it('take the change that is nearest to a bar line, and no lift without a change or after the end', () => {
    const classic = builtIn.find(({ name }) => name === 'classic')!;
    const bar = classic.body.barSamples[1]!;
    const changeSamples = [1.5 * bar, 2.02 * bar];
    const lay = (totalSamples: number, changes: readonly number[]) =>
      laySoundtrack(classic, { totalSamples, changeSamples: changes }).liftSample;
    expect(lay(30 * RATE, changeSamples)).toBe(classic.body.barSamples[2]);
    expect(lay(30 * RATE, [])).toBeNull();
    expect(lay(4 * RATE, changeSamples)).toBeNull();
  });

  it('play their start where a video is too short for an ending', () => {
    const luxury = builtIn.find(({ name }) => name === 'luxury')!;
    expect(laySoundtrack(luxury, { totalSamples: 6 * RATE })).toMatchObject({
      stretches: [{ startSample: 0, endSample: 6 * RATE }],
      endingSamples: 0,
      cutSample: 6 * RATE,
    });
  });
});

/** Bars of a second and a loop of two; the body's values say where in the file a sample is from. */
const TINY: Soundtrack = {
  name: 'tiny',
  title: 'Tiny',
  mood: null,
  bpm: 60,
  beatsPerBar: 1,
  body: {
    file: 'body.wav',
    barSamples: [0, RATE, 2 * RATE, 3 * RATE],
    loop: { startSample: RATE, endSample: 3 * RATE, crossfadeSamples: 480 },
  },
  ending: {
    file: 'ending.wav',
    samples: 4800 + 2 * RATE,
    leadInSamples: 4800,
    resolvedSamples: 2 * RATE,
  },
  lifts: [2],
  lead: { startBar: null, gainDb: -6 },
  master: [],
  riserDb: -30,
};

describe.each(await availableFfmpegs())('a laying by ffmpeg $version', ({ path: ffmpeg }) => {
  it('joins on the sample: body, loop, ending, silence', async () => {
    const folder = temporaryFolder();
    const bodyAt = (sample: number) => sample / (8 * RATE);
    const body = await writeWav(join(folder, 'body.wav'), 3 * RATE + 4096, bodyAt);
    const ending = await writeWav(join(folder, 'ending.wav'), TINY.ending.samples, () => 0.5);
    const total = 7 * RATE + 800;
    const laying = laySoundtrack(TINY, { totalSamples: total });
    expect(laying.cutSample).toBe(5 * RATE);
    const out = join(folder, 'laid.pcm');
    await runFfmpegJob(
      ffmpeg,
      (command) => {
        for (const input of [body, body, ending]) command.input(input);
        const graph = `${soundtrackGraph(TINY, laying, { totalSamples: total, riserSample: null })},aformat=sample_fmts=flt[out]`;
        command.complexFilter(graph, 'out').format('f32le').output(out);
      },
      { timeoutMs: 30_000 },
    );
    const heard = await readPcm(out);
    expect(heard).toHaveLength(total);
    const near = (sample: number, value: number) => expect(heard[sample]).toBeCloseTo(value, 4);
    // In a fade, where a gain may be that of the sample before.
    const about = (sample: number, value: number) => expect(heard[sample]).toBeCloseTo(value, 2);
    // After the rise, as the file has it.
    near(14_400, bodyAt(14_400));
    near(3 * RATE - 481, bodyAt(3 * RATE - 481));
    // The loop: half of either in the middle of the join, then the body from the loop's start, to the sample.
    about(3 * RATE - 240, (bodyAt(3 * RATE - 240) + bodyAt(RATE - 240)) / 2);
    near(3 * RATE, bodyAt(RATE));
    near(5 * RATE - 4801, bodyAt(3 * RATE - 4801));
    // The ending's lead-in at equal power, its downbeat on the bar line.
    about(5 * RATE - 2400, (bodyAt(3 * RATE - 2400) + 0.5) * Math.SQRT1_2);
    near(5 * RATE, 0.5);
    near(total - 38_400, 0.5);
    // Half-way through the fall, and silence behind the last sample of the ending.
    about(total - 19_200, 0.25);
    near(total - 800, 0);
    near(total - 1, 0);
    expect(heard[0]).toBe(0);
  });

  it('plays a lead softer up to its lift, and a riser up to its cut', async () => {
    const folder = temporaryFolder();
    const body = await writeWav(join(folder, 'body.wav'), 3 * RATE + 4096, () => 0.4);
    const ending = await writeWav(join(folder, 'ending.wav'), TINY.ending.samples, () => 0.5);
    const riser = await writeWav(join(folder, 'riser.wav'), RATE, () => 0.1);
    const total = 5 * RATE;
    const laying = laySoundtrack(TINY, { totalSamples: total, changeSamples: [1.1 * RATE] });
    const out = join(folder, 'laid.pcm');
    await runFfmpegJob(
      ffmpeg,
      (command) => {
        for (const input of [body, body, body, ending, riser].slice(-laying.stretches.length - 2))
          command.input(input);
        const request = { totalSamples: total, riserSample: 1.5 * RATE };
        const graph = `${soundtrackGraph(TINY, laying, request)},aformat=sample_fmts=flt[out]`;
        command.complexFilter(graph, 'out').format('f32le').output(out);
      },
      { timeoutMs: 30_000 },
    );
    const heard = await readPcm(out);
    expect(heard).toHaveLength(total);
    expect(laying.liftSample).toBe(RATE);
    expect(heard[RATE - 1000]).toBeCloseTo(0.4 * 10 ** (-6 / 20), 3);
    expect(heard[RATE]).toBeCloseTo(0.4, 3);
    expect(heard[1.5 * RATE - 1]).toBeCloseTo(0.4, 3);
    expect(heard[1.5 * RATE]).toBeCloseTo(0.5, 3);
    expect(heard[2.5 * RATE]).toBeCloseTo(0.4, 3);
  });
});
