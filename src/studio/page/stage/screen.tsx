/** One video on the stage: its frame on a canvas, and its safe area over it. */
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ratioWords, timeWords } from '../../components/words.ts';
import type { StudioVideo } from '../../editor/protocol.ts';
import { connection } from '../state.ts';
import { FrameSource } from './frame-source.ts';
import { currentScene, frameOf, isPlaying, isScrubbing, toggle } from './player.ts';
import { showsSafeArea } from './stage-bar.tsx';
import { planRequests, widthOf } from './wanted-frames.ts';

/** A still picture becomes sharp after this rest, ms. */
const REST_MS = 250;

interface ScreenProps {
  readonly video: StudioVideo;
  /** Requests at once while it plays. */
  readonly limit: number;
}

export function Screen({ video, limit }: ScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ video, limit });
  latest.current = { video, limit };
  const redraw = useRef<() => void>(() => {});
  useEffect(() => {
    const view = showFrames(canvas.current!, () => latest.current);
    redraw.current = view.update;
    return view.close;
  }, []);
  useEffect(() => redraw.current(), [video.plan, limit]);
  const at = timeWords(frameOf(video) / video.fps);
  return (
    <div class="screen" data-ratio={video.ratio}>
      <canvas
        ref={canvas}
        width={video.ratio === '1920:1080' ? 960 : 540}
        height={video.ratio === '1920:1080' ? 540 : 960}
        role="img"
        aria-label={`${video.agent_name}, ${ratioWords(video.ratio)}, at ${at}${
          currentScene.value === null ? '' : `: ${currentScene.value.label}`
        }`}
        onClick={toggle}
      />
      {showsSafeArea.value && <SafeArea video={video} />}
    </div>
  );
}

function SafeArea({ video: { safe_area, width_px, height_px } }: { readonly video: StudioVideo }) {
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div
      class="safe-area"
      style={{
        top: percent(safe_area.top, height_px),
        bottom: percent(safe_area.bottom, height_px),
        left: percent(safe_area.left, width_px),
        right: percent(safe_area.right, width_px),
      }}
    />
  );
}

/** Draws the frame of the player as soon as it is there, and until then the latest that is. */
function showFrames(canvas: HTMLCanvasElement, read: () => ScreenProps) {
  const context = canvas.getContext('2d', { alpha: false });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSharp = false;
  const source = new FrameSource((url) => draw(url));

  const draw = (arrived?: string) => {
    const { video } = read();
    const moving = isPlaying.peek() || isScrubbing.peek();
    const { exact, near } = planRequests(video, frameOf(video), {
      width: widthOf(video, canvas, isSharp && !moving),
      stride: 1,
      isPlaying: isPlaying.peek(),
    });
    const url = source.get(exact) ? exact : (near.find((each) => source.get(each)) ?? arrived);
    const bitmap = url === undefined ? undefined : source.get(url);
    if (bitmap === undefined || url === canvas.dataset.url) return;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    context?.drawImage(bitmap, 0, 0);
    canvas.dataset.url = url;
    canvas.dataset.frame = /\/(\d+)\?/.exec(url ?? '')?.[1] ?? '';
  };

  const update = () => {
    clearTimeout(timer);
    const { video, limit } = read();
    const playing = isPlaying.peek();
    const stride = playing
      ? Math.min(3, Math.max(1, Math.ceil((source.intervalMs * video.fps) / 1000 - 0.1)))
      : 1;
    isSharp = false;
    const width = widthOf(video, canvas, false);
    const { exact, ahead } = planRequests(video, frameOf(video), { width, stride, isPlaying: playing });
    // While the thumb is held, each frame replaces the one before: more at once would only be late.
    source.want(playing ? ahead : [exact], playing ? limit : 2);
    draw();
    if (playing || isScrubbing.peek()) return;
    timer = setTimeout(() => {
      isSharp = true;
      const sharp = widthOf(video, canvas, true);
      if (sharp === width) return;
      source.want([planRequests(video, frameOf(video), { width: sharp, stride, isPlaying: false }).exact], 1);
      draw();
    }, REST_MS);
  };

  const stopRetry = effect(() => {
    if (connection.value === 'open') source.retry();
  });
  const stop = effect(() => {
    // What the picture depends on.
    void [frameOf(read().video), isPlaying.value, isScrubbing.value, connection.value];
    update();
  });
  return {
    update,
    close() {
      stop();
      stopRetry();
      clearTimeout(timer);
      source.close();
    },
  };
}
