/** Which frames a screen asks for, in which size. Pure but for the size of the canvas. */
import type { StudioVideo } from '../../editor/protocol.ts';

/** Frames that playing keeps ready. */
const AHEAD = 10;
/** How far back a frame can stand in for one that is late. */
const NEAR = 15;

interface Request {
  /** px; null: the full frame. */
  readonly width: number;
  /** While playing: every how many frames. */
  readonly stride: number;
  readonly isPlaying: boolean;
}

/** Addresses: of the exact frame, of those that stand in for it (best first), and of those to ask for while playing. */
export function planRequests(video: StudioVideo, frame: number, { width, stride, isPlaying }: Request) {
  const last = video.frames - 1;
  const address = (index: number) => frameUrl(video, Math.min(last, Math.max(0, index)), width);
  const first = Math.ceil((frame + 1) / stride) * stride;
  return {
    exact: address(frame),
    near: isPlaying ? Array.from({ length: NEAR }, (_, back) => address(frame - 1 - back)) : [],
    ahead: Array.from({ length: AHEAD }, (_, step) => first + step * stride)
      .filter((index) => index <= last)
      .map(address),
  };
}

export function frameUrl(video: StudioVideo, index: number, width: number): string {
  return `/api/frames/${encodeURIComponent(video.plan)}/${index}?width=${width}`;
}

/** Narrow while it moves; when it rests, as many pixels as the screen shows. */
export function widthOf(video: StudioVideo, canvas: HTMLCanvasElement, isAtRest: boolean): number {
  const moving = video.ratio === '1920:1080' ? 960 : 540;
  const shown = canvas.clientWidth * devicePixelRatio;
  return isAtRest && shown > moving * 1.1 ? video.width_px : moving;
}
