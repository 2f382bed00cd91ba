/** How long a text must stand to be read, and so how long its scene lasts at least. Pure. */
import type { LayerDraft } from '../elements/scene-context.ts';
import type { Track } from '../storyboard.ts';

const WORDS_PER_SEC = 4;
const MIN_SEC = 0.9;

/** Seconds a text must stand still: four words a second (subtitles run at three to four), never under 0.9. */
export function readingSec(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  // Scripts without spaces are counted by letters.
  const letters = [...text].length;
  return Math.max(MIN_SEC, Math.max(words, letters / 12) / WORDS_PER_SEC);
}

/** Least seconds of a scene with a caption: its entrance, its reading, its way out. 0 without one. */
export function captionSceneSec(layers: readonly LayerDraft[], transitionSec: number, fps: number): number {
  // A scene has one caption; its lines may be layers of their own.
  const captions = layers.filter((layer) => layer.type === 'text' && layer.id.startsWith('caption'));
  if (captions.length === 0) return 0;
  // What an ellipsis stands for needs no time.
  const text = captions
    .flatMap((layer) => (layer.type === 'text' ? layer.lines.map((line) => line.text) : []))
    .join(' ');
  const shownAt = Math.max(0, ...captions.map((layer) => shownFrame(layer.tracks))) / fps;
  return shownAt + readingSec(text) + transitionSec;
}

/** The frame from which a text can be read: the middle of its last entrance. */
export function shownFrame(tracks: readonly Track[] | undefined): number {
  const entrances = (tracks ?? []).filter(({ property, to }) =>
    property === 'opacity' ? to === 1 : property === 'dx' || property === 'dy' ? to === 0 : to <= 0,
  );
  return Math.max(0, ...entrances.map((track) => (track.startFrame + track.endFrame) / 2));
}
