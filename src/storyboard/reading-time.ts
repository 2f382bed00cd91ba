/** How long a text must stand to be read, and so how long its scene lasts at least. Pure. */
import type { LayerDraft } from './elements/scene-context.ts';

const WORDS_PER_SEC = 4;
const LEAST_SEC = 0.9;

/** Seconds a text must stand still: four words a second (subtitles run at three to four), never under 0.9. */
export function readingSec(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  // Scripts without spaces are counted by letters.
  const letters = [...text].length;
  return Math.max(LEAST_SEC, Math.max(words, letters / 12) / WORDS_PER_SEC);
}

/** Least seconds of a scene with a caption: its entrance, its reading, its way out. 0 without one. */
export function leastSceneSec(layers: readonly LayerDraft[], transitionSec: number, fps: number): number {
  const captions = layers.filter((layer) => layer.type === 'text' && layer.id.startsWith('caption'));
  return Math.max(
    0,
    ...captions.map((layer) => {
      const visible = (layer.tracks ?? []).filter((track) => track.property === 'opacity');
      const shownAt = Math.max(0, ...visible.map((track) => (track.startFrame + track.endFrame) / 2)) / fps;
      // What an ellipsis stands for needs no time.
      const shown = layer.type === 'text' ? layer.lines.map((line) => line.text).join(' ') : '';
      return shownAt + readingSec(shown) + transitionSec;
    }),
  );
}
