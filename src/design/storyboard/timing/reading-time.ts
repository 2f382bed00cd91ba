/** How long texts take to be read, and how long their scene must last for that. Pure. */
import type { LayerDraft } from '../elements/scene-context.ts';
import type { Track } from '../storyboard.ts';

const WORDS_PER_SEC = 4;
const MIN_SEC = 0.9;
/**
 * The fastest subtitles that studies tried: most words are read, less is kept of them (Kruger, Wisniewska and Liao, "Why
 * subtitle speed matters", 2022). The least time is that of a subtitle by the Timed Text Style Guide of Netflix.
 */
const MOST_LETTERS_PER_SEC = 28;
const LEAST_SEC = 5 / 6;
/** A caption is seen beside a photo, not watched for. */
const MIN_CAPTION_SEC = 1.6;
/** The label of an altered photo, which is there from the first frame to the last. */
export const MIN_LABEL_SEC = 1.5;
/** How much less numbers, labels and names need: they are read at a glance. */
export const GLANCE_SEC = 0.25;

/** Seconds a text must stand still: four words a second (subtitles run at three to four), at least 0.9. */
export function readingSec(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  // Scripts without spaces are counted by letters.
  const letters = [...text].length;
  return Math.max(MIN_SEC, Math.max(words, letters / 12) / WORDS_PER_SEC);
}

/** Where many captions share a short video: 34 letters stand 1.2 s. */
export function leastReadingSec(text: string): number {
  return Math.min(readingSec(text), Math.max(LEAST_SEC, [...text].length / MOST_LETTERS_PER_SEC));
}

/** How fast people read: at their ease, or as fast as they can; then they also read while words come and go. */
export type ReadingPace = 'easy' | 'fast';

const SECONDS: Readonly<Record<ReadingPace, (text: string) => number>> = {
  easy: readingSec,
  fast: leastReadingSec,
};

/** The eye is on its way to words that come. */
const GLIMPSE_SEC = 0.2;

/** Eight words: a tag on a photo holds them in two lines. */
const SHORT_CAPTION_SEC = 2;

/** Whether a caption needs no page or panel of its own. */
export function isShortCaption(caption: string): boolean {
  return caption !== '' && readingSec(caption) <= SHORT_CAPTION_SEC;
}

/** Seconds of a scene in which words are not read. @param entranceSec - Until they can be read. */
export function unreadSec(entranceSec: number, transitionSec: number, pace: ReadingPace): number {
  if (pace === 'easy') return entranceSec + transitionSec;
  return Math.max(0, entranceSec - GLIMPSE_SEC) + transitionSec / 2;
}

/** Longer than this a picture of the body stands for its words only: then they are read faster. */
const LONGEST_SEC = 4;

/** What transitions and beats round off. */
const ROUNDED_SEC = 0.3;

/**
 * Seconds of a scene with words that would be read at ease in `easySec`, and can be read in `fastSec`.
 *
 * @param areSaidOnce - Other words are read fast in any case.
 */
export function withoutLinger(easySec: number, fastSec: number, areSaidOnce = true): number {
  const sec = Math.min(easySec, fastSec + ROUNDED_SEC);
  return areSaidOnce ? Math.max(Math.min(easySec, LONGEST_SEC), sec) : sec;
}

/** By how many seconds a scene stands longer than pictures should. */
export function lingerSec(sec: number): number {
  return Math.max(0, sec - LONGEST_SEC);
}

/** Seconds to read captions one after the other; those of one scene are glanced over together. */
export function captionsSec(captions: readonly string[], pace: ReadingPace): number {
  const words = captions.filter((caption) => caption !== '');
  if (words.length === 0) return 0;
  if (pace === 'fast') return Math.max(MIN_CAPTION_SEC, leastReadingSec(words.join(' ')));
  return Math.max(
    MIN_CAPTION_SEC,
    words.reduce((total, caption) => total + readingSec(caption), 0),
  );
}

/**
 * Shortest length of a scene in which its texts can be read: entrance, reading, transition. 0 without texts. Captions
 * are read one after the other. Of all other texts the slowest counts: people skim an opening.
 */
export function readingSceneSec(
  layers: readonly LayerDraft[],
  transitionSec: number,
  fps: number,
  pace: ReadingPace = 'easy',
): number {
  // Notices come again with every photo.
  const texts = layers.filter(
    (layer): layer is LayerDraft & { type: 'text' } =>
      layer.type === 'text' && !layer.id.startsWith('notice-'),
  );
  const captions = texts.filter(({ id }) => id.startsWith('caption'));
  const needSec = (parts: readonly (typeof texts)[number][], leastSec: number) => {
    const text = linesOf(parts);
    const toRead = Math.max(leastSec, SECONDS[pace](text));
    return toRead + unreadSec(readableSec(parts, text, fps), transitionSec, pace);
  };
  const needs = captions.length === 0 ? [] : [needSec(captions, MIN_CAPTION_SEC)];
  for (const parts of textsInParts(texts)) needs.push(needSec(parts, 0) - GLANCE_SEC);
  return Math.max(0, ...needs);
}

/** The words that are shown. Words that an ellipsis stands for need no time. */
export function linesOf(layers: readonly { readonly lines: readonly { readonly text: string }[] }[]): string {
  return layers.flatMap(({ lines }) => lines.map((line) => line.text)).join(' ');
}

/** A part of a text that came apart: `address-word-2`, `address-line-3`. */
const PART = /-(?:word|line)-\d+$/;

/** Captions have times of their own; the number of a photo is there to be seen. */
const UNREAD = /^(caption|index)/;

/** The layers of each text but captions and numbers of photos; the first one has its id. */
export function textsInParts<T extends { readonly id: string }>(texts: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const text of texts) {
    if (UNREAD.test(text.id)) continue;
    const id = text.id.replace(PART, '');
    groups.set(id, [...(groups.get(id) ?? []), text]);
  }
  return [...groups.values()];
}

/**
 * When people begin to read a text of several layers, seconds: when its first words are there, if the last ones come
 * while these are read. Those stand at least half as long as the whole takes to be read.
 */
export function readableSec(
  layers: readonly { readonly tracks?: readonly Track[] }[],
  text: string,
  fps: number,
): number {
  const shown = layers.map(({ tracks }) => shownFrame(tracks) / fps);
  return Math.max(0, Math.min(...shown), Math.max(...shown) - readingSec(text) / 2);
}

/** The frame from which a layer can be read: the middle of its last entrance. */
function shownFrame(tracks: readonly Track[] | undefined): number {
  const entrances = (tracks ?? []).filter(({ property, to }) =>
    property === 'opacity' ? to === 1 : property === 'dx' || property === 'dy' ? to === 0 : to <= 0,
  );
  return Math.max(0, ...entrances.map((track) => (track.startFrame + track.endFrame) / 2));
}
