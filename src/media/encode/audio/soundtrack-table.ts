/** The table of a soundtrack, `<name>.json` beside its two audio files, parsed and validated. Pure. */

/** Everything an arrangement needs. Offsets are samples at 48 kHz. */
export interface Soundtrack {
  readonly name: string;
  /** Display name. */
  readonly title: string;
  readonly bpm: number;
  readonly beatsPerBar: number;
  readonly body: {
    readonly file: string;
    /** Bar lines, ascending from 0, the end of the last bar included. */
    readonly barSamples: readonly number[];
    /** The music before both points is the same, so the body can jump from `endSample` back to `startSample`. */
    readonly loop: {
      readonly startSample: number;
      readonly endSample: number;
      readonly crossfadeSamples: number;
    };
  };
  readonly ending: {
    readonly file: string;
    readonly samples: number;
    /** Overlaps the body; the ending's downbeat follows it. */
    readonly leadInSamples: number;
    /** From the downbeat to the last chord. */
    readonly resolvedSamples: number;
    /** From the downbeat to silence. */
    readonly longestSamples: number;
  };
  /** Loudness of the arranged music at some lengths, ascending. */
  readonly loudness: readonly LoudnessAt[];
}

export interface LoudnessAt {
  readonly seconds: number;
  /** LUFS. */
  readonly integrated: number;
  /** dBTP. */
  readonly truePeak: number;
}

type Json = { readonly [key: string]: unknown };

/**
 * @param value - The parsed JSON; nothing in it is trusted.
 * @throws Error that names the first missing or invalid key.
 */
export function parseSoundtrack(value: unknown, name: string): Soundtrack {
  const table = object(value, 'the table');
  const body = object(table.body, 'body');
  const loop = object(body.loop, 'body.loop');
  const ending = object(table.ending, 'ending');
  const barSamples = list(body.barSamples, 'body.barSamples').map((bar, index) =>
    samples(bar, `body.barSamples[${index}]`),
  );
  const soundtrack: Soundtrack = {
    name,
    title: text(table.title ?? name, 'title'),
    bpm: within(table.bpm, 30, 300, 'bpm'),
    beatsPerBar: within(table.beatsPerBar, 1, 16, 'beatsPerBar'),
    body: {
      file: fileName(body.file, 'body.file'),
      barSamples,
      loop: {
        startSample: samples(loop.startSample, 'body.loop.startSample'),
        endSample: samples(loop.endSample, 'body.loop.endSample'),
        crossfadeSamples: samples(loop.crossfadeSamples, 'body.loop.crossfadeSamples'),
      },
    },
    ending: {
      file: fileName(ending.file, 'ending.file'),
      samples: samples(ending.samples, 'ending.samples'),
      leadInSamples: samples(ending.leadInSamples, 'ending.leadInSamples'),
      resolvedSamples: samples(ending.resolvedSamples, 'ending.resolvedSamples'),
      longestSamples: samples(ending.longestSamples, 'ending.longestSamples'),
    },
    loudness: list(table.assembled, 'assembled').map((row, index) => loudnessAt(row, `assembled[${index}]`)),
  };
  checkOrder(soundtrack);
  return soundtrack;
}

/** Checks the values that the arrangement relies on. */
function checkOrder({ body, ending, loudness }: Soundtrack): void {
  const isAscending = body.barSamples.every((bar, i) =>
    i === 0 ? bar === 0 : bar > body.barSamples[i - 1]!,
  );
  if (!isAscending || body.barSamples.length < 2) throw new Error('body.barSamples must ascend from 0');
  const { startSample, endSample, crossfadeSamples } = body.loop;
  const isLoop = body.barSamples.includes(startSample) && body.barSamples.includes(endSample);
  // At least two seconds: a loop of a few samples would need a million inputs.
  if (!isLoop || endSample - startSample < 96_000 || crossfadeSamples > startSample || crossfadeSamples < 1)
    throw new Error('body.loop must lie on bar lines, two seconds apart, after a crossfade’s length');
  if (ending.leadInSamples < 1 || ending.leadInSamples > body.barSamples[1]!)
    throw new Error('ending.leadInSamples must be at most a bar');
  if (ending.resolvedSamples > ending.longestSamples)
    throw new Error('ending.longestSamples must not be less than resolvedSamples');
  if (loudness.length === 0 || loudness.some((row, i) => i > 0 && row.seconds <= loudness[i - 1]!.seconds))
    throw new Error('assembled must have rows of ascending seconds');
}

function loudnessAt(value: unknown, place: string): LoudnessAt {
  const row = object(value, place);
  return {
    seconds: within(row.seconds, 1, 3600, `${place}.seconds`),
    integrated: within(row.integrated, -60, 0, `${place}.integrated`),
    truePeak: within(row.truePeak, -60, 6, `${place}.truePeak`),
  };
}

function object(value: unknown, place: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`${place} must be an object`);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= 10_000) return value;
  throw new Error(`${place} must be a list`);
}

function text(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  throw new Error(`${place} must be a text`);
}

/** A file name beside the table: it cannot leave the folder. */
function fileName(value: unknown, place: string): string {
  const name = text(value, place);
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new Error(`${place} must be a file's name`);
}

function within(value: unknown, min: number, max: number, place: string): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new Error(`${place} must be a number from ${min} to ${max}`);
}

function samples(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`${place} must be a whole number of samples`);
}
