/** The scenes in their order, with times. A click or the arrow keys go to one. */
import { useEffect, useRef } from 'preact/hooks';
import { timeWords } from '../../components/words.ts';
import type { StudioScene, StudioVideo } from '../../editor/protocol.ts';
import { currentScene, frame, goTo, lead } from './player.ts';
import { loadThumbnails, thumbnails } from './scene-thumbnails.ts';

export function Strip() {
  const video = lead.value;
  useEffect(() => {
    if (video !== null) return loadThumbnails(video);
  }, [video?.plan]);
  if (video === null) return null;
  return (
    <nav class="strip" aria-label="Scenes">
      <ol data-ratio={video.ratio}>
        {video.scenes.map((scene, index) => (
          <Scene key={scene.id} scene={scene} index={index} video={video} />
        ))}
      </ol>
    </nav>
  );
}

interface SceneProps {
  readonly scene: StudioScene;
  readonly index: number;
  readonly video: StudioVideo;
}

function Scene({ scene, index, video }: SceneProps) {
  const isCurrent = currentScene.value?.id === scene.id;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const strip = button.current?.closest('.strip');
    if (!isCurrent || !strip || !button.current) return;
    // Only the strip: `scrollIntoView` would also move the page.
    const { offsetLeft, offsetWidth } = button.current;
    const isSeen =
      offsetLeft >= strip.scrollLeft && offsetLeft + offsetWidth <= strip.scrollLeft + strip.clientWidth;
    if (!isSeen) strip.scrollLeft = offsetLeft - (strip.clientWidth - offsetWidth) / 2;
  }, [isCurrent]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: video.scenes.length - 1 }[
      event.key
    ];
    const next = to === undefined ? undefined : video.scenes[to];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(next);
    const list = button.current?.closest('ol');
    list?.querySelectorAll('button')[video.scenes.indexOf(next)]?.focus();
  };
  const thumbnail = thumbnails.value.get(`${video.agent_id} ${video.ratio} ${scene.id}`);
  const share = isCurrent
    ? Math.min(1, (frame.value - scene.from_frame) / Math.max(1, scene.to_frame - scene.from_frame))
    : 0;
  return (
    <li>
      <button
        ref={button}
        type="button"
        class="scene"
        aria-current={isCurrent}
        tabIndex={isCurrent ? 0 : -1}
        onClick={() => goTo(scene)}
        onKeyDown={onKeyDown}
      >
        <span class="scene-frame">
          {thumbnail !== undefined && <img src={thumbnail} alt="" />}
          {isCurrent && <span class="scene-done" style={{ width: `${share * 100}%` }} />}
        </span>
        <span class="scene-label">{scene.label}</span>
        <span class="scene-time">{timeWords(scene.from_frame / video.fps)}</span>
      </button>
    </li>
  );
}
