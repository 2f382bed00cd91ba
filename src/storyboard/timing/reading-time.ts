/** How long a caption takes to be read, and how long its scene must last for that. Pure. */
import type { LayerDraft } from '../elements/scene-context.ts';
import type { Track } from '../storyboard.ts';

const WORDS_PER_SEC = 4;
const MIN_SEC = 0.9;

/** Seconds a text must stand still: four words a second (subtitles run at three to four), at least 0.9. */
export function readingSec(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  // Scripts without spaces are counted by letters.
  const letters = [...text].length;
  return Math.max(MIN_SEC, Math.max(words, letters / 12) / WORDS_PER_SEC);
}

/** Shortest length of a scene with a caption: entrance, reading, transition. 0 without a caption. */
export function captionSceneSec(layers: readonly LayerDraft[], transitionSec: number, fps: number): number {
  // A scene has one caption; its lines can be separate layers.
  const captions = layers.filter((layer) => layer.type === 'text' && layer.id.startsWith('caption'));
  if (captions.length === 0) return 0;
  // Words that an ellipsis stands for need no time.
  const text = captions
    .flatMap((layer) => (layer.type === 'text' ? layer.lines.map((line) => line.text) : []))
    .join(' ');
  return readableSec(captions, text, fps) + readingSec(text) + transitionSec;
}

/**
 * When people begin to read a text of several layers, seconds: when its first words are there, if the last ones come while
 * these are read. Those stand at least half as long as the whole takes to be read.
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
