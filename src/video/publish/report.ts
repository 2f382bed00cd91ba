/** The documented shape of report.json, and how reports write a listing and a timestamp. */

import {
  type Fields,
  type Flat,
  flag,
  integer,
  type Json,
  listOf,
  mapOf,
  number,
  oneOf,
  orNull,
  text,
  toJsonSchema,
  Value,
} from '../../design/template/format/value.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import { DESTINATION_NAMES } from '../destinations/destination-table.ts';
import { type Quality, STAGES, type Stage, type VideoResult, type VideoTaskPayload } from '../video-task.ts';

export const REPORT_NAME = 'report.json';
/** Raise it when a field changes its meaning; a new field needs no new version. */
export const REPORT_VERSION = 1;
/** JSON Schema of the report, relative to the package. The build writes it from {@link reportSchema}. */
export const REPORT_SCHEMA = 'listing-video/dist/video/report.schema.json';

/** An object with all these fields, except that the `optional` ones can be absent. More fields can follow one day. */
function object<F extends Fields, O extends keyof F & string = never>(
  properties: F,
  optional: readonly O[] = [],
) {
  const required = Object.keys(properties).filter((name) => !(optional as readonly string[]).includes(name));
  return new Value<
    Flat<{ readonly [K in Exclude<keyof F, O>]: F[K]['drawn'] } & { readonly [K in O]?: F[K]['drawn'] }>
  >({ type: 'object', required, properties });
}

const timestamp = text(undefined, {
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}[+-]\\d{2}:\\d{2}$',
}).named('timestamp');
const sha256 = text(undefined, { pattern: '^[0-9a-f]{64}$' });
const count = integer(undefined, { minimum: 0 });
const sec = number(undefined, { minimum: 0 });

const listing = object({
  id: text(),
  file: orNull(text()).about('Absolute path of the listing file; null for standard input.'),
  address: orNull(text()).about('The address on one line.'),
});
export type ReportListing = (typeof listing)['drawn'];

const file = object({
  file: text('Name beside the report.'),
  size_bytes: integer(undefined, { minimum: 1 }),
  sha256,
}).named('file');
export type ReportFile = (typeof file)['drawn'];

const scene = object({
  id: text(),
  kind: text(),
  start_sec: sec,
  end_sec: sec,
  texts: listOf(text()).about('Visible texts, in painting order.'),
  photos: listOf(text()).about('URLs as the listing has them.'),
  still: text('Key into `stills`.'),
}).named('scene');
/** A scene of a video. `transition` is the one out of the scene, such as `crossfade`. */
export type ReportScene = (typeof scene)['drawn'] & { readonly transition?: string };

const spans = listOf(object({ start_sec: sec, end_sec: sec })).about('Ascending, apart from each other.');

const alteredPhoto = object(
  {
    url: text('As the listing has it.'),
    label: text('What was changed, as viewers read it.', { examples: ['Virtually staged'] }),
    original_url: orNull(text()).about('As the listing has it; null without one.'),
    spans: spans.about('When the altered photo is visible.'),
    original_spans: spans.about('When the original is visible; empty without one that can be used.'),
    still: text('Key into `stills`: a frame that shows the altered photo. Absent where no frame was drawn.'),
    original_still: text('Likewise of the original.'),
  },
  ['still', 'original_still'],
).named('alteredPhoto');
/** An altered photo of a video, with the times at which it and its original are visible. */
export type ReportAlteredPhoto = (typeof alteredPhoto)['drawn'];

const sound = object(
  {
    music: text("`none`, a soundtrack's name, or a music file's without its folder.", {
      examples: ['classic', 'none', 'our-song.mp3'],
    }),
    title: orNull(text()).about('Title of a soundtrack; null for silence and files.'),
    bpm: orNull(number()).about(
      'Tempo of a music file, beats a minute; null where none was found, and for soundtracks. Absent in reports of ' +
        'earlier versions.',
    ),
    loudness_lufs: orNull(number()).about(
      'Integrated loudness as measured (ITU-R BS.1770), LUFS; null for silence.',
    ),
  },
  ['bpm'],
);

const destination = object({
  name: oneOf(...DESTINATION_NAMES),
  fits: flag('The file is as the place asks.'),
  reasons: listOf(text(undefined, { examples: ['44 s, at most 30 s'] })).about('What does not fit.'),
}).named('destination');

const madeVideo = object(
  {
    template_id: text(),
    ratio: oneOf('1920:1080', '1080:1920'),
    width_px: integer('Half of the usual size in a draft. Absent when a server made the video.', {
      minimum: 2,
    }),
    height_px: integer(undefined, { minimum: 2 }),
    fps: integer('Frames per second: 30, or 15 in a draft.', { minimum: 1 }),
    quality: new Value<Quality | null>({ enum: ['draft', 'standard', 'high', null] }).about(
      'Null when a server chose it; absent in reports of earlier versions.',
    ),
    key: text('Hash of all inputs of the video; equal keys mean equal videos.'),
    video: file,
    poster: orNull(file).about('Null when a server provided none.'),
    preview: orNull(file),
    small_video: file.about(
      'The same video for web pages: 720p, under 8 MB. Absent where the video is not larger, or not made for the web.',
    ),
    captions: file.about('WebVTT: what is on screen, a cue a scene. Absent when a server made the video.'),
    description: file.about('Text for an upload: title, description, chapters, contact. Absent likewise.'),
    frames: integer(undefined, { minimum: 1 }),
    duration_sec: number(undefined, { exclusiveMinimum: 0 }),
    sound: orNull(sound).about('Null when a server made the video.'),
    segments: object({ rendered: count, reused: count }),
    is_unchanged: flag('The files of an earlier run were up to date.'),
    created_at: timestamp,
    scenes: listOf<ReportScene>(scene),
    altered_photos: listOf(alteredPhoto).about(
      'Altered photos that the video shows, in the order of the listing. Absent when a server made the video, and in ' +
        'reports of earlier versions.',
    ),
    made_of: mapOf(text()).about(
      'Short hashes of what the video was made of, by part, such as `price`, `photos` or `agent_phones`: another hash of ' +
        'the same part means that it has changed since. Absent in reports of earlier versions.',
    ),
    destinations: listOf(destination).about('Places that the file was made for; absent without `--for`.'),
    length: text('The length that was asked for, as `--length` has it; absent without several.'),
    named_for: text(
      'The words for places and length in the file name; absent where the agent has one file only.',
    ),
    warnings: listOf(text()),
  },
  [
    'small_video',
    'captions',
    'description',
    'destinations',
    'length',
    'named_for',
    'width_px',
    'height_px',
    'fps',
    'quality',
    'altered_photos',
    'made_of',
  ],
).named('madeVideo');
export type ReportEntry = (typeof madeVideo)['drawn'];

/** The fields of a video that name its files. The video comes last: without it nothing finds the others. */
export const FILE_FIELDS = ['poster', 'preview', 'captions', 'description', 'small_video', 'video'] as const;
export type ReportFiles = Pick<ReportEntry, (typeof FILE_FIELDS)[number]>;

/** All files of a video. Reports are edited by hand. */
export function filesOf(entry: ReportFiles): ReportFile[] {
  return FILE_FIELDS.map((field) => entry[field]).filter(isFile);
}

export function isFile(file: Partial<ReportFile> | null | undefined): file is ReportFile {
  return typeof file?.file === 'string' && typeof file.size_bytes === 'number';
}

/** The entry with each of its files as `change` has it. */
export async function withFiles<E extends ReportFiles>(
  entry: E,
  change: (file: ReportFile) => Promise<ReportFile>,
): Promise<E> {
  const changed: Partial<Record<keyof ReportFiles, ReportFile>> = {};
  for (const field of FILE_FIELDS.toReversed()) {
    const described = entry[field];
    if (isFile(described)) changed[field] = await change(described);
  }
  return { ...entry, ...changed };
}

const ofAgent = object({ agent_id: text(), agent_name: text(), metadata: mapOf(text()) });
export type ReportVideo = Flat<ReportEntry & (typeof ofAgent)['drawn']>;
const video = new Value<ReportVideo>({ ...ofAgent.schema, allOf: [madeVideo] })
  .about('The video of an agent.')
  .named('video');

export type KeptVideo = ReportEntry &
  Partial<Pick<ReportVideo, 'agent_id' | 'agent_name' | 'metadata'>> & {
    readonly task_id?: string;
    readonly has_agent_left?: boolean;
  };
const keptVideo = new Value<KeptVideo>({
  type: 'object',
  properties: {
    ...(ofAgent.schema.properties as Json),
    task_id: text('Id of the task that made it.'),
    has_agent_left: flag('The agent is no longer in the listing; `create --clean` removes the video.'),
  },
  allOf: [madeVideo],
})
  .about(
    'A video that an earlier run made; without `agent_id` it has no branding. Its scenes are not listed.',
  )
  .named('keptVideo');

const droppedAsset = object({
  url: text('Exactly as the listing has it.'),
  reason: text('`<code>: <detail>`', { pattern: '^[a-z_]+: ' }),
});

const result = object(
  {
    agent_id: text(),
    url: text('`file:` URL of the video.', { format: 'uri' }),
    created_at: timestamp,
    preview_url: text('Exactly when a preview was requested.', { format: 'uri' }),
    metadata: mapOf(text()),
  },
  ['preview_url'],
);

const report = object(
  {
    $schema: text(),
    schema_version: new Value<typeof REPORT_VERSION>({ const: REPORT_VERSION }),
    generator: text('Name and version of the program.', { examples: ['listing-video 0.1.0'] }),
    task_id: text('Id of the task.'),
    created_at: timestamp,
    listing,
    quality: new Value<Quality | null>({ enum: ['draft', 'standard', 'high', null] }).about(
      'Null when a server chose it.',
    ),
    server: object({
      url: text(),
      request_sha256: sha256.about('SHA-256 of server and request, hex: equal hashes, equal requests.'),
    }).about('Server that made the videos; absent for this machine. Scenes and segments are then unknown.'),
    results: listOf<VideoResult>(result).about('As the API shows them; `videos` has the details.'),
    videos: listOf(video).about("In the order of the listing's agents."),
    also_ratio: listOf(video).about("The agents' videos in the other ratio; absent unless requested."),
    also_for: listOf(video).about(
      "The agents' further files for places of `--for` and lengths of `--length`; absent without any.",
    ),
    unbranded: listOf(madeVideo).about('Videos without branding, one per ratio; absent unless requested.'),
    kept: listOf(keptVideo).about(
      'Videos of earlier runs that this run did not make and that are still in the folder; absent if there are none.',
    ),
    removed: listOf(text()).about('Files that `--clean` removed; absent without any.'),
    assets: object({ given: count, used: count }),
    dropped_assets: listOf(droppedAsset),
    warnings: listOf(text()),
    notes: listOf(text()).about(
      'Sentences about what needs no attention, such as videos that are up to date.',
    ),
    // Per stage and in total, without waiting for other listings of a batch.
    timings: new Value<Readonly<Record<Stage | 'total', number>>>({
      type: 'object',
      required: [...STAGES, 'total'],
      additionalProperties: sec,
    }).about('Wall-clock seconds.'),
    stills: mapOf(text(undefined, { pattern: '^data:image/jpeg;base64,' })).about(
      'JPEG data URLs by key; a scene that several videos share appears once.',
    ),
  },
  ['server', 'also_ratio', 'also_for', 'unbranded', 'kept', 'removed'],
);
export type Report = (typeof report)['drawn'];

/** The JSON Schema (draft 2020-12) of report.json. */
export function reportSchema(): Json {
  return toJsonSchema(
    new Value({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'listing-video report',
      description:
        'report.json: what one run made, from what, and how long it took. New fields may appear; a changed meaning raises `schema_version`.',
      ...report.schema,
    }),
  );
}

/** ISO 8601 with milliseconds and a numeric offset, never `Z`: `2026-11-20T14:03:07.123+00:00`. */
export function formatTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

export function toReportListing({ listing, listingFile }: VideoTaskPayload): ReportListing {
  const address = listing.address ? addressWords(listing.address).full : null;
  return { id: listing.id, file: listingFile, address };
}
