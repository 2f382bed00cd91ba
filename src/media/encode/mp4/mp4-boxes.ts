/**
 * Writes the head of an MP4 (`ftyp` and `moov`) for one H.264 and one AAC track whose packets are known. Pure.
 *
 * Not a library, because every run must give the same bytes (mediabunny writes the current time into three boxes), time
 * stamps must be whole numbers, and the head is written first, so that no media is kept in memory. Box layouts: ISO/IEC
 * 14496-12 (base), -14 (MP4), -15 (AVC).
 */

export interface Chunk {
  readonly packetCount: number;
  readonly bytes: number;
}

export interface VideoTrack {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  /** AVCDecoderConfigurationRecord. */
  readonly avcC: Uint8Array;
  /** In decoding order. */
  readonly sizes: readonly number[];
  /** The frame that each packet shows; a permutation of 0 to n-1. */
  readonly frames: readonly number[];
  readonly idrPackets: readonly number[];
  readonly chunks: readonly Chunk[];
}

export interface AudioTrack {
  readonly sampleRateHz: number;
  /** AudioSpecificConfig. */
  readonly config: Uint8Array;
  readonly sizes: readonly number[];
  /** Samples that the encoder put before the audio; an edit list makes players skip them. 0 without one. */
  readonly primingSamples: number;
  /** Samples that players play. */
  readonly soundSamples: number;
  readonly chunks: readonly Chunk[];
}

export interface MovieHead {
  readonly video: VideoTrack;
  readonly audio: AudioTrack;
  /** The track of each chunk, in file order. */
  readonly chunkOrder: readonly ('video' | 'audio')[];
  readonly title: string;
  readonly comment: string;
  /** False: pictures have signed offsets (`ctts` version 1) instead, which some old players read as unsigned. */
  readonly hasEditLists: boolean;
}

export const AAC_PACKET_SAMPLES = 1024;
/** Time scale of the movie: a frame and a sample are whole numbers at every allowed frame rate. */
const MOVIE_TIMESCALE = 48_000;
/** Units per frame in the video track. */
const FRAME_UNITS = 512;
const MDAT_HEADER_BYTES = 16;

/**
 * `ftyp`, `moov` and the header of `mdat`; the chunks follow in `chunkOrder`.
 *
 * Creation times are 0 ("unknown"). The video's edit list skips the delay of B-frames. The audio's skips the encoder's
 * priming and ends with the last sample that is played. So both tracks start at 0 and have the same length. Without
 * edit lists there is no such delay, and the caller has left the priming out.
 */
export function formatMovieHead(movie: MovieHead): Buffer {
  // Readers of the brand `iso4` know signed offsets (14496-12, 8.6.1.3); older brands do not.
  const ftyp = movie.hasEditLists
    ? box('ftyp', ascii('isom'), u32(512), ascii('isomiso2avc1mp41'))
    : box('ftyp', ascii('iso4'), u32(512), ascii('iso4isomiso2avc1mp41'));
  const mediaBytes = sum(movie.video.sizes) + sum(movie.audio.sizes);
  // Offsets always have 64 bits, so that the length of the head does not depend on them.
  const measure = formatMoov(movie, 0);
  const moov = formatMoov(movie, ftyp.length + measure.length + MDAT_HEADER_BYTES);
  const mdat = Buffer.concat([u32(1), ascii('mdat'), u64(MDAT_HEADER_BYTES + mediaBytes)]);
  return Buffer.concat([ftyp, moov, mdat]);
}

/** The delay that B-frames need, in frames: packets are presented later by it, and the edit list skips it. */
function reorderDelay(frames: readonly number[]): number {
  return frames.reduce((delay, frame, packet) => Math.max(delay, packet - frame), 0);
}

function formatMoov(movie: MovieHead, mediaOffset: number): Buffer {
  const { video, audio } = movie;
  const offsets = chunkOffsets(movie, mediaOffset);
  const videoDuration = (video.sizes.length * MOVIE_TIMESCALE) / video.fps;
  const audioDuration = (audio.soundSamples * MOVIE_TIMESCALE) / audio.sampleRateHz;
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    ...[u32(0), u32(0), u32(MOVIE_TIMESCALE), u32(Math.max(videoDuration, audioDuration))],
    ...[u32(0x00010000), u16(0x0100), zeros(10), IDENTITY_MATRIX, zeros(24), u32(3)],
  );
  return box(
    'moov',
    mvhd,
    formatVideoTrack(video, { duration: videoDuration, hasEdit: movie.hasEditLists }, offsets.video),
    formatAudioTrack(audio, { duration: audioDuration, hasEdit: movie.hasEditLists }, offsets.audio),
    formatMetadata(movie.title, movie.comment),
  );
}

function chunkOffsets(movie: MovieHead, mediaOffset: number): { video: number[]; audio: number[] } {
  const offsets = { video: [] as number[], audio: [] as number[] };
  let offset = mediaOffset;
  for (const track of movie.chunkOrder) {
    const chunk = movie[track].chunks[offsets[track].length];
    if (chunk === undefined) throw new Error(`chunkOrder names more ${track} chunks than there are`);
    offsets[track].push(offset);
    offset += chunk.bytes;
  }
  return offsets;
}

/** A track's part of the movie. */
interface Placement {
  /** In `MOVIE_TIMESCALE`. */
  readonly duration: number;
  readonly hasEdit: boolean;
}

function formatVideoTrack(track: VideoTrack, place: Placement, chunkOffsets: readonly number[]): Buffer {
  const { widthPx, heightPx } = track;
  const timescale = track.fps * FRAME_UNITS;
  const delay = reorderDelay(track.frames);
  const shownDelay = place.hasEdit ? delay : 0;
  const shifts = track.frames.map((frame, packet) => (frame - packet + shownDelay) * FRAME_UNITS);
  const avc1 = box(
    'avc1',
    ...[zeros(6), u16(1), zeros(16), u16(widthPx), u16(heightPx), u32(0x00480000), u32(0x00480000), u32(0)],
    ...[u16(1), zeros(32), u16(24), u16(0xffff)],
    box('avcC', track.avcC),
    // Primaries, transfer and matrix BT.709 (1, 1, 1), limited range.
    box('colr', ascii('nclx'), u16(1), u16(1), u16(1), u8(0)),
    box('pasp', u32(1), u32(1)),
  );
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), avc1),
    fullBox('stts', 0, 0, u32(1), u32(track.sizes.length), u32(FRAME_UNITS)),
    fullBox('stss', 0, 0, u32(track.idrPackets.length), ...track.idrPackets.map((packet) => u32(packet + 1))),
    ...(delay === 0 ? [] : [fullBox('ctts', place.hasEdit ? 0 : 1, 0, runs(shifts))]),
    ...formatSampleTables(track.sizes, track.chunks, chunkOffsets),
  );
  return box(
    'trak',
    formatTrackHeader(1, place.duration, { volume: 0, widthPx, heightPx }),
    ...formatEdit(place, delay * FRAME_UNITS),
    box(
      'mdia',
      formatMediaHeader(timescale, track.sizes.length * FRAME_UNITS),
      formatHandler('vide', 'VideoHandler'),
      box('minf', fullBox('vmhd', 0, 1, zeros(8)), DATA_INFORMATION, stbl),
    ),
  );
}

function formatAudioTrack(track: AudioTrack, place: Placement, chunkOffsets: readonly number[]): Buffer {
  const { sampleRateHz } = track;
  const packets = track.sizes.length;
  const mediaDuration = track.primingSamples + track.soundSamples;
  const lastSamples = mediaDuration - (packets - 1) * AAC_PACKET_SAMPLES;
  const mp4a = box(
    'mp4a',
    ...[zeros(6), u16(1), zeros(8), u16(2), u16(16), zeros(4), u32(sampleRateHz * 0x10000)],
    formatEsds(track),
  );
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), mp4a),
    fullBox('stts', 0, 0, runs([...Array(packets - 1).fill(AAC_PACKET_SAMPLES), lastSamples])),
    ...formatSampleTables(track.sizes, track.chunks, chunkOffsets),
    // Each packet needs the one before it to decode correctly (14496-12, 10.1).
    fullBox('sgpd', 1, 0, ascii('roll'), u32(2), u32(1), u16(0xffff)),
    fullBox('sbgp', 0, 0, ascii('roll'), u32(1), u32(packets), u32(1)),
  );
  return box(
    'trak',
    formatTrackHeader(2, place.duration, { volume: 0x0100, widthPx: 0, heightPx: 0 }),
    ...formatEdit(place, track.primingSamples),
    box(
      'mdia',
      formatMediaHeader(sampleRateHz, mediaDuration),
      formatHandler('soun', 'SoundHandler'),
      box('minf', fullBox('smhd', 0, 0, zeros(4)), DATA_INFORMATION, stbl),
    ),
  );
}

function formatTrackHeader(
  id: number,
  duration: number,
  shape: { volume: number; widthPx: number; heightPx: number },
): Buffer {
  // Flags: enabled, in movie.
  return fullBox(
    'tkhd',
    0,
    3,
    ...[
      u32(0),
      u32(0),
      u32(id),
      u32(0),
      u32(duration),
      zeros(8),
      u16(0),
      u16(id - 1),
      u16(shape.volume),
      u16(0),
    ],
    ...[IDENTITY_MATRIX, u32(shape.widthPx * 0x10000), u32(shape.heightPx * 0x10000)],
  );
}

function formatEdit({ duration, hasEdit }: Placement, mediaTime: number): readonly Buffer[] {
  if (!hasEdit) return [];
  return [box('edts', fullBox('elst', 0, 0, u32(1), u32(duration), u32(mediaTime), u32(0x00010000)))];
}

function formatMediaHeader(timescale: number, duration: number): Buffer {
  // Language "und", five bits per letter.
  return fullBox('mdhd', 0, 0, u32(0), u32(0), u32(timescale), u32(duration), u16(0x55c4), u16(0));
}

function formatHandler(type: string, name: string): Buffer {
  return fullBox('hdlr', 0, 0, u32(0), ascii(type), zeros(12), ascii(name), u8(0));
}

function formatSampleTables(
  sizes: readonly number[],
  chunks: readonly Chunk[],
  offsets: readonly number[],
): readonly Buffer[] {
  const groups: Buffer[] = [];
  let last = 0;
  for (const [index, { packetCount }] of chunks.entries()) {
    if (packetCount === last) continue;
    groups.push(u32(index + 1), u32(packetCount), u32(1));
    last = packetCount;
  }
  return [
    fullBox('stsc', 0, 0, u32(groups.length / 3), ...groups),
    fullBox('stsz', 0, 0, u32(0), u32(sizes.length), ...sizes.map(u32)),
    fullBox('co64', 0, 0, u32(offsets.length), ...offsets.map(u64)),
  ];
}

/** MPEG-4 elementary stream descriptor (14496-1, 7.2.6): AAC, with its mean bit rate. */
function formatEsds(track: AudioTrack): Buffer {
  const seconds = (track.sizes.length * AAC_PACKET_SAMPLES) / track.sampleRateHz;
  const meanBitrate = Math.round((sum(track.sizes) * 8) / seconds);
  const specific = descriptor(0x05, track.config);
  const decoder = descriptor(
    0x04,
    u8(0x40),
    u8(0x15),
    zeros(3),
    u32(meanBitrate),
    u32(meanBitrate),
    specific,
  );
  return fullBox('esds', 0, 0, descriptor(0x03, u16(2), u8(0), decoder, descriptor(0x06, u8(2))));
}

function descriptor(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, 0x80, 0x80, 0x80, body.length]), body]);
}

/** iTunes tags, which players and file managers show. */
function formatMetadata(title: string, comment: string): Buffer {
  const tag = (name: string, text: string) =>
    box(name, box('data', u32(1), u32(0), Buffer.from(text, 'utf8')));
  const handler = fullBox('hdlr', 0, 0, u32(0), ascii('mdirappl'), zeros(9));
  const items = box('ilst', tag('\u00a9nam', title), tag('\u00a9cmt', comment));
  return box('udta', fullBox('meta', 0, 0, handler, items));
}

/** Run-length table of `stts` and `ctts`: entry count, then (count, value) pairs. */
function runs(values: readonly number[]): Buffer {
  const pairs: [count: number, value: number][] = [];
  for (const value of values) {
    const last = pairs.at(-1);
    if (last?.[1] === value) last[0]++;
    else pairs.push([1, value]);
  }
  return Buffer.concat([u32(pairs.length), ...pairs.flatMap(([count, value]) => [u32(count), i32(value)])]);
}

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const bytes = content.reduce((total, part) => total + part.length, 8);
  return Buffer.concat([u32(bytes), Buffer.from(type, 'latin1'), ...content], bytes);
}

function fullBox(type: string, version: number, flags: number, ...content: readonly Uint8Array[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...content);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function zeros(bytes: number): Buffer {
  return Buffer.alloc(bytes);
}

function u8(value: number): Buffer {
  return Buffer.from([value]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Of a value from 0 to 2^31-1 the same bytes as {@link u32}. */
function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

const IDENTITY_MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32));
const DATA_INFORMATION = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
