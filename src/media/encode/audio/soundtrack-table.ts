/** The table of a soundtrack, `<name>.json` beside its two audio files, parsed and validated. Pure. */

/** Everything an arrangement needs. Offsets are samples at 48 kHz. */
export interface Soundtrack {
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** What it sounds like: `slow piano, airy pads, cello line, spacious`. Null where its table does not say. */
  readonly mood: string | null;
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
  };
  /** Bars of the body, from 1, at which the music lifts; the best first. Empty: it plays from its start. */
  readonly lifts: readonly number[];
  /** How the bars before a lift are played. */
  readonly lead: {
    /** The first of them; null: they are those right before the lift. */
    readonly startBar: number | null;
    readonly gainDb: number;
  };
  /** High shelves that brighten or soften the whole. */
  readonly master: readonly Shelf[];
  /** Level of the noise that rises into the facts. */
  readonly riserDb: number;
}

/** Gain above a frequency, reached over about an octave. */
export interface Shelf {
  readonly hz: number;
  readonly db: number;
}

/** A little softer than the music of a lead is, so that the lift is felt. */
const LEAD_DB = -3;
const RISER_DB = -30;

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
  const lead = object(table.lead ?? {}, 'lead');
  const barSamples = list(body.barSamples, 'body.barSamples').map((bar, index) =>
    samples(bar, `body.barSamples[${index}]`),
  );
  const soundtrack: Soundtrack = {
    name,
    title: text(table.title ?? name, 'title'),
    mood: table.mood === undefined ? null : text(table.mood, 'mood'),
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
    },
    lifts: list(table.lifts ?? [], 'lifts').map((bar, index) => whole(bar, `lifts[${index}]`, 'bars')),
    lead: {
      startBar: lead.startBar === undefined ? null : whole(lead.startBar, 'lead.startBar', 'bars'),
      gainDb: within(lead.gainDb ?? LEAD_DB, -24, 0, 'lead.gainDb'),
    },
    master: list(table.master ?? [], 'master').map((shelf, index) => shelfOf(shelf, `master[${index}]`)),
    riserDb: within(table.riserDb ?? RISER_DB, -90, -12, 'riserDb'),
  };
  checkOrder(soundtrack);
  return soundtrack;
}

/** Checks the values that the arrangement relies on. */
function checkOrder({ body, ending, lifts, lead }: Soundtrack): void {
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
  const lastBar = body.barSamples.indexOf(endSample) - 1;
  if (lifts.some((bar) => bar < 1 || bar > lastBar) || (lead.startBar ?? 0) > lastBar)
    throw new Error(`lifts must be bars from 1 to ${lastBar}, and lead.startBar one up to ${lastBar}`);
}

function shelfOf(value: unknown, place: string): Shelf {
  const shelf = object(value, place);
  return {
    hz: within(shelf.hz, 500, 16_000, `${place}.hz`),
    db: within(shelf.db, -18, 18, `${place}.db`),
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
  return whole(value, place, 'samples');
}

function whole(value: unknown, place: string, unit: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`${place} must be a whole number of ${unit}`);
}
