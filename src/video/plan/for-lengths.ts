/** The videos of an agent for the lengths of `--length`. */
import { parseVideoLength } from '../../platform/video-length.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import type { RequestedVideo } from './requested-videos.ts';

/** As long as without a length: its files need no word for it. */
const USUAL = 'normal';

type Data = Readonly<Record<string, string>>;

/** Options of a task for these lengths: one alone is the data layer of every video, unless the data say another one. */
export function toLengthOptions(
  lengths: readonly string[] = [],
  templateData?: Data,
): Pick<VideoTaskOptions, 'lengths' | 'templateData'> {
  const [length] = lengths;
  if (length === undefined || templateData?.length !== undefined) return { templateData };
  return lengths.length > 1 ? { lengths, templateData } : { templateData: { ...templateData, length } };
}

/**
 * One video for each of several lengths, whatever length the listing asks for; the video itself without them. Shorter ones
 * show scenes of the usual one, or without it of the longest.
 */
export function forLengths(
  video: RequestedVideo,
  { lengths = [] }: Pick<VideoTaskOptions, 'lengths'>,
): RequestedVideo[] {
  if (lengths.length === 0) return [video];
  const base = wholeOf(lengths);
  return lengths.map((length) => {
    const cut = base === null || length === base ? {} : { cutOf: base === USUAL ? '' : base };
    return { ...ofLength(video, length === USUAL ? '' : length), length, ...cut };
  });
}

/** The video as if its listing asked for this length; '' is the usual one. */
export function ofLength<Video extends Pick<RequestedVideo, 'options'>>(video: Video, length: string): Video {
  const { length: _, ...data } = video.options.templateData;
  const templateData: Data = length === '' ? data : { ...data, length };
  return { ...video, options: { ...video.options, templateData } };
}

/** The length of the video whose scenes the others show; null where it is not known which one is longest. */
function wholeOf(lengths: readonly string[]): string | null {
  if (lengths.includes(USUAL)) return USUAL;
  const seconds = lengths.map((length) => parseVideoLength(length));
  const longest = Math.max(...seconds.map((sec) => (typeof sec === 'number' ? sec : Number.NaN)));
  return lengths[seconds.indexOf(longest)] ?? null;
}

/** What a file is named for besides the agent: its places and its length, where others of the agent differ in them. */
export function wordsFor({ places, length }: FileMark, siblings: readonly FileMark[]): string | null {
  const differ = (markOf: (mark: FileMark) => string) => new Set(siblings.map(markOf)).size > 1;
  const words = [
    ...(differ(({ places }) => places.join()) ? places : []),
    ...(differ(({ length }) => length ?? USUAL) && length !== USUAL ? [length] : []),
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join('-');
}

interface FileMark {
  readonly places: readonly string[];
  /** Of several; null where the agent has one. */
  readonly length: string | null;
}
