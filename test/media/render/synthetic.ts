/** Photos computed from formulas, storyboards of a few layers, and masks without fonts, for the rendering tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Graphic, Photo } from '../../../src/design/photo.ts';
import type { Layer, Scene, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../../src/design/text/text.ts';
import type { Timeline } from '../../../src/design/timeline/timeline.ts';
import type { FrameSources } from '../../../src/media/render/frame-renderer.ts';
import { FrameRenderer } from '../../../src/media/render/frame-renderer.ts';
import { type Kernel, loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { PhotoPlaneStore } from '../../../src/media/render/photos/photo-planes.ts';

/** A plane's value at a point in luma px from the photo's top left corner. */
export type Field = (x: number, y: number) => number;

export interface Painted {
  readonly digest: string;
  readonly w: number;
  readonly h: number;
  readonly y: Field;
  readonly u?: Field;
  readonly v?: Field;
}

const byte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** I420 of the fields, sampled at the pixel centres and at the left-sited chroma positions. */
export function paintI420({ w, h, y, u = () => 128, v = () => 128 }: Painted): Buffer {
  const luma = Array.from({ length: w * h }, (_, i) => byte(y((i % w) + 0.5, Math.floor(i / w) + 0.5)));
  const chroma = (field: Field): number[] =>
    Array.from({ length: (w * h) / 4 }, (_, i) =>
      byte(field(2 * (i % (w / 2)) + 0.5, 2 * Math.floor(i / (w / 2)) + 1)),
    );
  return Buffer.from([...luma, ...chroma(u), ...chroma(v)]);
}

export class Workbench {
  readonly dir: string;
  readonly photos = new Map<string, Photo>();
  readonly graphics = new Map<string, Graphic>();

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async open(): Promise<Workbench> {
    return new Workbench(await mkdtemp(path.join(os.tmpdir(), 'listing-video-render-')));
  }

  async addPhoto(painted: Painted): Promise<void> {
    const masterPath = path.join(this.dir, `${painted.digest}.yuv`);
    await writeFile(masterPath, paintI420(painted));
    this.photos.set(painted.digest, {
      digest: painted.digest,
      url: `https://example.com/${painted.digest}.jpg`,
      masterPath,
      widthPx: painted.w,
      heightPx: painted.h,
      sourceWidthPx: painted.w,
      sourceHeightPx: painted.h,
      focus: { x: 0.5, y: 0.5 },
    });
  }

  async addGraphic(
    digest: string,
    w: number,
    h: number,
    rgba: (x: number, y: number) => number[],
  ): Promise<void> {
    const masterPath = path.join(this.dir, `${digest}.rgba`);
    const pixels = Array.from({ length: w * h }, (_, i) => rgba(i % w, Math.floor(i / w))).flat();
    await writeFile(masterPath, Buffer.from(pixels));
    this.graphics.set(digest, {
      digest,
      url: `https://example.com/${digest}.png`,
      masterPath,
      widthPx: w,
      heightPx: h,
    });
  }

  close(): Promise<void> {
    return rm(this.dir, { recursive: true });
  }
}

export function scene(layers: readonly Layer[], more: Partial<Scene> = {}): Scene {
  return {
    id: 'scene-01-photo',
    kind: 'photo',
    durationFrames: 30,
    background: '#808080',
    layers,
    transition: { kind: 'cut', durationFrames: 0 },
    ...more,
  };
}

export function storyboard(scenes: readonly Scene[], widthPx = 96, heightPx = 64): Storyboard {
  return {
    templateId: 'test',
    ratio: '1920:1080',
    widthPx,
    heightPx,
    fps: 30,
    scenes,
    title: '',
    comment: '',
    highlights: [],
    altered: [],
    warnings: [],
  };
}

/** A timeline without segments: the renderer does not read them. */
export function timeline(board: Storyboard): Timeline {
  const totalFrames = board.scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
  return { storyboard: board, sceneSpans: [], segments: [], totalFrames };
}

/** The whole photo, still. */
export function stillCamera(view = { cx: 0.5, cy: 0.5, span: 1 }) {
  return { from: view, to: view, startFrame: 0, endFrame: 0 };
}

/** A frame with its planes by name. */
export interface Frame {
  readonly w: number;
  readonly h: number;
  y(x: number, y: number): number;
  u(x: number, y: number): number;
  v(x: number, y: number): number;
  readonly bytes: Buffer;
}

export function toFrame(bytes: Buffer, w: number, h: number): Frame {
  const read = (offset: number, stride: number) => (x: number, y: number) =>
    bytes[offset + y * stride + x] as number;
  return { w, h, bytes, y: read(0, w), u: read(w * h, w / 2), v: read((w * h * 5) / 4, w / 2) };
}

let kernels: Promise<Kernel> | undefined;

/** Renders single frames in this thread. */
export async function renderFrames(
  board: Storyboard,
  frames: readonly number[],
  sources: Partial<FrameSources> = {},
  kernel?: Kernel,
): Promise<Frame[]> {
  kernels ??= loadKernel();
  const used = kernel ?? (await kernels);
  const { photos = new Map(), graphics = new Map(), texts = new Map<string, AlphaMask>() } = sources;
  const planes = new PhotoPlaneStore(used);
  const renderer = new FrameRenderer(used, planes, board, { photos, graphics, texts });
  const address = used.memory.allocate(renderer.frameBytes);
  const rendered: Frame[] = [];
  for (const index of frames) {
    await renderer.prepare(index);
    renderer.render(index, address);
    rendered.push(
      toFrame(Buffer.from(used.memory.view(address, renderer.frameBytes)), board.widthPx, board.heightPx),
    );
  }
  used.memory.free(address);
  renderer.dispose();
  planes.retain({}, []);
  return rendered;
}

export async function renderOne(
  board: Storyboard,
  frame: number,
  sources?: Partial<FrameSources>,
): Promise<Frame> {
  return (await renderFrames(board, [frame], sources))[0] as Frame;
}
