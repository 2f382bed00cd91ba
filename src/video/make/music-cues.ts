/** The moments of a video that its soundtrack follows. Pure. */
import type { Timeline } from '../../design/timeline/timeline.ts';
import type { MusicCues } from '../../media/encode/audio/music.ts';

/** An opening can have changes of its own, and a lift after this no longer belongs to the start. */
const EARLIEST_SEC = 3;
const LATEST_SEC = 8.5;
/** The music lifts at one of the first changes. */
const CHANGES = 2;

/** What a video's sound depends on. */
export type SoundedTimeline = Pick<Timeline, 'totalFrames' | 'sceneSpans'> & {
  readonly storyboard: Pick<Timeline['storyboard'], 'fps' | 'scenes'>;
};

export function musicCues({ storyboard: { scenes, fps }, sceneSpans }: SoundedTimeline): MusicCues {
  // A change is felt in the middle of its transition.
  const changes = scenes.slice(1).map(({ kind }, index) => {
    const { durationFrames } = scenes[index]!.transition;
    return { kind, frame: sceneSpans[index + 1]!.startFrame - Math.floor(durationFrames / 2) };
  });
  const frames = changes.map(({ frame }) => frame);
  return {
    changeFrames: frames
      .filter((frame) => frame >= EARLIEST_SEC * fps && frame <= LATEST_SEC * fps)
      .slice(0, CHANGES),
    factsFrame: changes.find(({ kind }) => kind === 'facts')?.frame ?? null,
  };
}
