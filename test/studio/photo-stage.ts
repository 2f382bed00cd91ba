/** A stage whose frames are the photos of a folder: each photo is a scene. It plans at once, or when it is told to. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { AspectRatio } from '../../src/listing/listing.ts';
import type {
  StudioImage,
  StudioPhoto,
  StudioScene,
  StudioTemplate,
  StudioVideo,
} from '../../src/studio/editor/protocol.ts';
import type { Stage } from '../../src/video/stage/stage.ts';
import type { StageState } from '../../src/video/stage/stage-state.ts';

/** Frames of each scene, of each in the vertical shape, and of the transition into the next. */
export const SCENE_FRAMES = 60;
const VERTICAL_SCENE_FRAMES = 40;
const OVERLAP_FRAMES = 15;
const RATIOS: readonly AspectRatio[] = ['1920:1080', '1080:1920'];
/** Of the first altered photo without an original. */
export const LAW_WARNING =
  'California asks for a way to the originals (Business and Professions Code 10140.8): name them, or where they are';

interface StageAsset {
  readonly url: string;
  readonly caption?: string;
  readonly altered?: string | boolean;
  readonly original?: string;
}

/** Longest caption of this stage's template. */
export const MAX_CAPTION = 40;

/** Drawn once for all tests of a file, by file name and size. */
const drawn = new Map<string, Promise<Uint8Array>>();

export class PhotoStage implements Stage {
  readonly #folder: string;
  readonly #onChange: () => void;
  /** Addresses of frames that were asked for, as `plan/index`. */
  readonly asked: string[] = [];
  /** Reasons of photos that cannot be used, by their addresses. */
  readonly problems: Record<string, string>;
  state: StageState;
  #held: Promise<void> = Promise.resolve();

  constructor(folder: string, onChange: () => void, problems: Record<string, string> = {}) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.problems = problems;
    this.state = { ...EMPTY, templates: [CLASSIC], music: [EVENING] };
  }

  update(document: Record<string, unknown>, leftOut: readonly { readonly url: string }[]): void {
    const assets = (document.assets ?? []) as StageAsset[];
    const toImage = (url: string): StudioImage => {
      const problem = this.problems[url] ?? null;
      return { url, digest: problem === null ? Buffer.from(url).toString('hex') : null, problem };
    };
    const photos = assets.map(({ url, original }): StudioPhoto => {
      const image = toImage(url);
      return {
        ...image,
        width_px: 4000,
        height_px: 3000,
        state: image.problem === null ? 'usable' : 'dropped',
        original: original === undefined ? null : toImage(original),
        guess: {
          kind: url.includes('plan') ? 'floor_plan' : 'photo',
          focus: { x: 0.5, y: 0.5 },
          subject: null,
        },
      };
    });
    const bare = assets.findIndex(({ altered, original }) => altered && original === undefined);
    const agents = (document.agents ?? []) as Record<string, unknown>[];
    const scenesOf = (ratio: AspectRatio) =>
      toScenes(photos, assets, ratio === '1920:1080' ? SCENE_FRAMES : VERTICAL_SCENE_FRAMES);
    const hasScenes = scenesOf('1920:1080').length > 0;
    const plan = Buffer.from(JSON.stringify([assets, agents.map(({ id }) => id)]))
      .toString('base64url')
      .slice(-24);
    const videos = agents.flatMap((agent, index) =>
      RATIOS.map((ratio): StudioVideo => {
        const scenes = scenesOf(ratio);
        const [width_px, height_px] = ratio === '1920:1080' ? [1920, 1080] : [1080, 1920];
        return {
          agent_id: String(agent.id),
          agent_name: `${agent.first_name} ${agent.last_name}`,
          ratio,
          plan: `${plan}-${index}-${ratio === '1920:1080' ? 'wide' : 'tall'}`,
          fps: 30,
          frames: scenes.at(-1)?.to_frame ?? 1,
          width_px,
          height_px,
          template_id: 'classic',
          music: EVENING,
          own_files: { template: null, music: null },
          scenes,
          upload: toUpload(agent),
          safe_area: {
            top: height_px * 0.08,
            right: width_px * 0.06,
            bottom: height_px * 0.12,
            left: width_px * 0.06,
          },
        };
      }),
    );
    this.state = {
      ...this.state,
      photos,
      videos: hasScenes ? videos : this.state.videos,
      plan_problem: hasScenes ? null : 'No photo can be used.',
      warnings: [
        ...assets.flatMap(({ caption = '' }, index) =>
          caption.length <= 30
            ? []
            : [
                {
                  path: ['assets', index, 'caption'],
                  agent_id: String(agents[0]?.id),
                  ratio: '1080:1920' as const,
                  message: 'not shown in 9:16: its scene has no room for it (shorten it, or move the photo)',
                },
              ],
        ),
        ...(bare < 0
          ? []
          : [{ path: ['assets', bare, 'altered'], agent_id: null, ratio: null, message: LAW_WARNING }]),
      ],
      left_out: leftOut.map(({ url }) => ({ url, digest: Buffer.from(url).toString('hex'), problem: null })),
    };
    this.#onChange();
  }

  /** Answers no frame until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async thumbnail(digest: string): Promise<Uint8Array | null> {
    return this.#draw(Buffer.from(digest, 'hex').toString(), 320, 240);
  }

  async frame({ plan, index, widthPx }: { plan: string; index: number; widthPx: number | null }) {
    const video = this.state.videos.find((each) => each.plan === plan);
    if (video === undefined) return null;
    this.asked.push(`${plan}/${index}`);
    await this.#held;
    const scene = video.scenes.findLast(({ from_frame }) => from_frame <= index)!;
    const photo = this.state.photos[scene.photo_indexes[0] ?? 0]!;
    const width = widthPx ?? video.width_px;
    return this.#draw(photo.url, width, Math.round((width * video.height_px) / video.width_px));
  }

  async audio(): Promise<string> {
    const file = path.join(this.#folder, 'silence.wav');
    await writeFile(file, toWav((this.state.videos[0]?.frames ?? 0) / 30));
    return file;
  }

  music(): Promise<string> {
    return this.audio();
  }

  async settled(): Promise<void> {}

  async still(_templateId: string, ratio: AspectRatio): Promise<Uint8Array | null> {
    const photo = this.state.photos.find(({ state }) => state === 'usable');
    if (photo === undefined) return null;
    return ratio === '1920:1080' ? this.#draw(photo.url, 480, 270) : this.#draw(photo.url, 270, 480);
  }

  async close(): Promise<void> {}

  #draw(url: string, width: number, height: number): Promise<Uint8Array> {
    const key = `${url} ${width}x${height}`;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const made = readFile(path.resolve(this.#folder, url))
      .then((bytes) => sharp(bytes).resize(width, height, { fit: 'cover' }).jpeg({ quality: 70 }).toBuffer())
      .then((bytes) => new Uint8Array(bytes));
    drawn.set(key, made);
    return made;
  }
}

const EVENING = { id: 'evening', title: 'Evening', mood: 'slow piano', bpm: 66 };

/** Before the first plan, without templates and music. */
export const EMPTY: StageState = {
  photos: [],
  images: [],
  videos: [],
  planning: false,
  plan_problem: null,
  templates: [],
  music: [],
  warnings: [],
  left_out: [],
};

const CLASSIC: StudioTemplate = {
  id: 'classic',
  name: 'Classic',
  description: 'A calm design.',
  from: 'built-in',
  problem: null,
  layers: Array.from({ length: 20 }, (_, index) => ({
    name: `caption_${String(index + 1).padStart(2, '0')}`,
    label: `Caption of photo ${index + 1}`,
    description: '',
    type: 'text',
    default: '',
    example: '',
    min: null,
    max: null,
    options: null,
    max_length: MAX_CAPTION,
  })),
};

/** What the listing gives, else a title with the agent's name. */
function toUpload({
  first_name: name,
  video_options: options,
}: Record<string, unknown>): StudioVideo['upload'] {
  const { template_data: data = {} } = (options ?? {}) as { template_data?: Record<string, string> };
  return {
    title: data.video_title ?? `128 Harbor Pine Lane — ${name}`,
    description: data.video_description ?? '4 bedrooms',
    rest: '0:00 Opening',
  };
}

function toScenes(
  photos: readonly StudioPhoto[],
  assets: readonly { url: string }[],
  sceneFrames: number,
): StudioScene[] {
  const usable = photos.flatMap(({ state }, index) => (state === 'usable' ? [index] : []));
  return usable.map((photo_index, place) => {
    const from_frame = place * (sceneFrames - OVERLAP_FRAMES);
    const { url } = assets[photo_index]!;
    return {
      id: url,
      kind: place === 0 ? 'hero' : place === usable.length - 1 ? 'card' : 'photo',
      label:
        place === 0
          ? 'Opening'
          : path.basename(url, path.extname(url)).replace(/^\d+-/, '').replaceAll('-', ' '),
      from_frame,
      to_frame: from_frame + sceneFrames,
      rest_frame: from_frame + sceneFrames / 2,
      photo_indexes: [photo_index],
      texts: [],
    };
  });
}

/** Silence: 8 kHz, 8 bits, mono. */
function toWav(seconds: number): Uint8Array {
  const size = Math.ceil(seconds * 8_000);
  const bytes = Buffer.alloc(44 + size, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + size, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(8_000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(size, 40);
  return bytes;
}
