/** Thumbnails of scenes, one after the other and only while the stage rests: the stage goes first at the renderer. */
import { signal } from '@preact/signals';
import type { StudioVideo } from '../../editor/protocol.ts';
import { isPlaying, isScrubbing } from './player.ts';
import { frameUrl } from './wanted-frames.ts';

/** Addresses by agent, ratio and scene. Those of the plan before stay until the new ones are there. */
export const thumbnails = signal<ReadonlyMap<string, string>>(new Map());

/** After a change, ms. */
const REST_MS = 700;

/** @returns Stops the loading. */
export function loadThumbnails(video: StudioVideo): () => void {
  let isStopped = false;
  const key = ({ id }: { readonly id: string }) => `${video.agent_id} ${video.ratio} ${id}`;
  const isFirst = !video.scenes.some((scene) => thumbnails.peek().has(key(scene)));
  const load = async () => {
    for (const scene of video.scenes) {
      while (!isStopped && (isPlaying.peek() || isScrubbing.peek())) await rest(REST_MS);
      if (isStopped) return;
      const url = frameUrl(video, scene.rest_frame, video.ratio === '1920:1080' ? 240 : 120);
      if (!(await isLoaded(url)) || isStopped) continue;
      thumbnails.value = new Map(thumbnails.peek()).set(key(scene), url);
    }
  };
  const timer = setTimeout(load, isFirst ? 0 : REST_MS);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

async function isLoaded(url: string): Promise<boolean> {
  const image = new Image();
  image.src = url;
  return image.decode().then(
    () => true,
    () => false,
  );
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
