/**
 * The stage of the studio, from a document to its pixels and audio, with the real renderer and ffmpeg of this machine.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRenderPool } from '../../../src/media/render/render-pool.ts';
import { openRun } from '../../../src/video/open-run.ts';
import { openStage } from '../../../src/video/stage/open-stage.ts';
import type { Stage } from '../../../src/video/stage/stage.ts';
import type { StageState, StageVideo } from '../../../src/video/stage/stage-state.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { renderDepsIn } from '../render-deps.ts';

const SMALL = fileURLToPath(new URL('../../../fixtures/small/photos', import.meta.url));
const CLASSIC = fileURLToPath(new URL('../../../templates/classic', import.meta.url));

const agent = { id: 'ada', first_name: 'Ada', last_name: 'Byron', video_options: { template_id: 'classic' } };
const asset = (name: string, caption?: string) => ({
  url: `${name}.jpg`,
  ...(caption === undefined ? {} : { caption }),
});
const DOCUMENT = {
  id: 'small',
  assets: [asset('front'), asset('kitchen', 'The kitchen'), asset('pool'), asset('bedroom')],
  agents: [agent],
};

const folder = temporaryFolder();
let stage: Stage;
/** Called at each change of the state. */
let onState: (state: StageState) => void = () => {};

beforeAll(async () => {
  for (const name of ['front', 'kitchen', 'pool', 'bedroom'])
    copyFileSync(path.join(SMALL, `${name}.jpg`), path.join(folder, `${name}.jpg`));
  writeFileSync(path.join(folder, 'broken.jpg'), 'no photo');
  mkdirSync(path.join(folder, 'templates'));
  const deps = {
    ...renderDepsIn(path.join(folder, 'home')),
    templatesDirs: [path.join(folder, 'templates')],
  };
  stage = await openStage({ deps, baseDir: folder, onChange: () => onState(stage.state) });
});

afterAll(async () => {
  await stage.close();
});

async function show(document: Readonly<Record<string, unknown>>): Promise<StageState> {
  stage.update(document);
  await stage.settled();
  return stage.state;
}

function reached(holds: (state: StageState) => boolean): Promise<StageState> {
  return new Promise((resolve) => {
    onState = (state) => {
      if (holds(state)) resolve(state);
    };
  });
}

const png = async (video: StageVideo, index: number) => {
  const bytes = await stage.frame({ plan: video.plan, index, widthPx: null, format: 'png' });
  return sharp(bytes!).ensureAlpha().raw().toBuffer();
};

describe('a frame', () => {
  it('equals the frame of the rendered video before encoding, pixel for pixel', async () => {
    const { videos } = await show(DOCUMENT);
    const run = await openRun(
      {
        listing: DOCUMENT,
        baseDir: folder,
        options: { quality: 'standard', minAssets: 1, force: false, alsoRatio: '1080:1920' },
      },
      renderDepsIn(path.join(folder, 'home')),
      { signal: new AbortController().signal, onAssets: () => {} },
    );
    const pool = createRenderPool();
    try {
      const plans = await run.plan({ fingerprint: () => 'test' });
      expect(plans.map(({ timeline }) => timeline.storyboard.ratio)).toEqual(
        videos.map(({ ratio }) => ratio),
      );
      for (const [at, { timeline }] of plans.entries()) {
        const video = videos[at]!;
        const [opening, second] = video.scenes;
        const card = video.scenes.at(-1)!;
        const frames = [
          Math.floor(opening!.to_frame / 2),
          Math.floor((second!.from_frame + opening!.to_frame) / 2),
          Math.floor((card.from_frame + card.to_frame) / 2),
        ];
        const size = { widthPx: video.width_px, heightPx: video.height_px };
        const rendered = new Map<number, Uint8Array>();
        for await (const { release } of pool.renderSpans({
          ...{ timeline, photos: run.photos, graphics: run.graphics },
          spans: frames.map((index) => ({ startFrame: index, endFrame: index + 1 })),
          stills: frames.map((index) => ({ index, ...size })),
          onStill: ({ index }, rgba) => rendered.set(index, rgba),
        }))
          release();
        for (const index of frames)
          expect((await png(video, index)).equals(rendered.get(index)!), `${video.ratio} ${index}`).toBe(
            true,
          );
      }
    } finally {
      await pool.close();
      await run.close();
    }
  });

  it('shows dim photos lifted, as stills of templates do, unless the listing wants them as they are', async () => {
    await sharp(path.join(SMALL, 'bedroom.jpg')).linear(0.6).toFile(path.join(folder, 'dim.jpg'));
    const lumasOf = async (grade: string) => {
      const agents = [{ ...agent, video_options: { template_id: 'classic', template_data: { grade } } }];
      const { videos } = await show({ ...DOCUMENT, assets: [asset('dim')], agents });
      const meanOf = async (image: Uint8Array) =>
        (await sharp(image).greyscale().raw().toBuffer()).reduce(
          (sum, luma, _, { length }) => sum + luma / length,
          0,
        );
      const frame = await stage.frame({ plan: videos[0]!.plan, index: 0, widthPx: null, format: 'png' });
      const still = await stage.still('classic', '1920:1080');
      return [await meanOf(frame!), await meanOf(still!)] as const;
    };
    const [lifted, plain] = [await lumasOf(''), await lumasOf('none')];
    expect(lifted[0]).toBeGreaterThan(plain[0] + 3);
    expect(lifted[1]).toBeGreaterThan(plain[1] + 3);
  });

  it('has the width that was asked for, and none outside the video', async () => {
    const [video] = (await show(DOCUMENT)).videos;
    const ask = (over: object) =>
      stage.frame({ plan: video!.plan, index: 3, widthPx: 960, format: 'jpeg', ...over });
    expect(await sharp((await ask({}))!).metadata()).toMatchObject({
      format: 'jpeg',
      width: 960,
      height: 540,
    });
    expect(await sharp((await ask({ widthPx: 9999 }))!).metadata()).toMatchObject({ width: 1920 });
    expect(await ask({ index: video!.frames })).toBeNull();
    expect(await ask({ index: -1 })).toBeNull();
    expect(await ask({ index: 1.5 })).toBeNull();
    expect(await ask({ plan: 'gone' })).toBeNull();
    expect(await ask({ index: 9, signal: AbortSignal.abort() })).toBeNull();
  });
});

describe('an edit', () => {
  it('gives another plan to the videos that it changes, and earlier frames stay for a while', async () => {
    const before = await show(DOCUMENT);
    const [, kitchen] = DOCUMENT.assets;
    const assets = DOCUMENT.assets.map((item) =>
      item === kitchen ? asset('kitchen', 'Oak and stone') : item,
    );
    const after = await show({ ...DOCUMENT, assets });
    expect(after.videos[0]!.plan).not.toBe(before.videos[0]!.plan);
    expect(
      await stage.frame({ plan: before.videos[0]!.plan, index: 0, widthPx: 320, format: 'jpeg' }),
    ).not.toBeNull();
    expect((await show(DOCUMENT)).videos).toEqual(before.videos);
    const { photo_indexes } = before.videos[0]!.scenes.find(({ kind }) => kind === 'photo')!;
    expect(photo_indexes[0]).toBe(1);
  });

  it('shows the original of an altered photo, and why it cannot be used', async () => {
    const [front, kitchen, pool] = DOCUMENT.assets;
    const { photos, videos } = await show({
      ...DOCUMENT,
      assets: [
        front,
        { ...kitchen, altered: 'Virtually staged', original: 'bedroom.jpg' },
        { ...pool, altered: true, original: 'broken.jpg' },
      ],
    });
    expect(photos.map(({ state, original }) => [state, original])).toEqual([
      ['usable', null],
      ['usable', { url: 'bedroom.jpg', digest: expect.any(String), problem: null }],
      ['usable', { url: 'broken.jpg', digest: null, problem: expect.stringMatching(/^not_an_image/) }],
    ]);
    expect(await stage.thumbnail(photos[1]!.original!.digest!)).not.toBeNull();
    // Scenes that show it lead to the altered photo.
    const indexes = videos.flatMap(({ scenes }) => scenes.map(({ photo_indexes: [first = null] }) => first));
    expect(indexes.every((index) => index === null || index < 3)).toBe(true);
  });

  it('shows what a video leaves out at its field', async () => {
    const own = {
      ...agent,
      video_options: { template_id: 'social', template_data: { acent: 'red', length: '12s' } },
    };
    const { warnings } = await show({
      ...DOCUMENT,
      assets: DOCUMENT.assets.map((item) => ({
        ...item,
        caption:
          'A caption of many words that takes its time to be read, more than twelve seconds have for all of them',
      })),
      agents: [own],
    });
    expect(warnings).toContainEqual({
      path: ['assets', expect.any(Number), 'caption'],
      agent_id: 'ada',
      ratio: '1080:1920',
      message: 'not shown in 9:16: the video has no time for more words (shorten captions)',
    });
    const data = warnings.find(({ path: at }) => at?.at(-1) === 'acent');
    expect(data).toMatchObject({ path: ['agents', 0, 'video_options', 'template_data', 'acent'] });
    expect(warnings.filter(({ path: at }) => at === null)).toEqual([]);
  });

  it('shows what a listing should not say at its field, once for all videos', async () => {
    const own = {
      ...agent,
      licenses: [{ number: '1', state: 'Oregn' }],
      video_options: { template_id: 'classic', template_data: { status: 'Coming soon' } },
    };
    const [first, ...others] = DOCUMENT.assets;
    const { warnings } = await show({
      ...DOCUMENT,
      assets: [{ url: '' }, { ...first, caption: 'No kids', altered: true }, ...others],
      agents: [{ ...agent, id: 7 }, own],
    });
    // The page has no field `originals_url`.
    const ofOriginals = warnings.filter(({ message }) => message.includes('10140.8'));
    expect(ofOriginals.map(({ path }) => path)).toContainEqual(['assets', 1, 'altered']);
    for (const { message } of ofOriginals)
      expect(message).toMatch(/fill in “Web address of the originals”, or name the original of photo \d/);
    const ofListing = warnings.filter(({ message }) => /says "|did you mean/.test(message));
    expect(
      new Set(ofListing.map(({ path, agent_id, ratio }) => JSON.stringify([path, agent_id, ratio]))),
    ).toEqual(
      new Set([
        '[["assets",1,"caption"],null,null]',
        '[["agents",1,"video_options","template_data","status"],null,null]',
        '[["agents",1,"licenses",0,"state"],null,null]',
      ]),
    );
  });

  it('of an unfinished listing leaves out only what is wrong', async () => {
    const wrong = { ...agent, emails: [{ address: 'ada@' }], video_options: { ratio: '4:3' } };
    const state = await show({ ...DOCUMENT, agents: [wrong, { ...agent, id: 'bob' }] });
    expect(state.plan_problem).toBeNull();
    expect(state.videos.map(({ agent_id, ratio }) => [agent_id, ratio])).toEqual([
      ['ada', '1920:1080'],
      ['ada', '1080:1920'],
      ['bob', '1920:1080'],
      ['bob', '1080:1920'],
    ]);
  });

  it('that leaves no photo or names no template keeps the last good plans, and says why', async () => {
    const good = await show(DOCUMENT);
    for (const [change, problem] of [
      [{ assets: [] }, /photos are needed, there are none/],
      [{ assets: [{ url: 'broken.jpg' }] }, /no usable assets: 1 of 1 dropped/],
      [{ assets: 'none' }, /./],
      [
        { agents: [{ ...agent, video_options: { template_id: 'clasic' } }] },
        /"ada": no template is called "clasic"/,
      ],
    ] as const) {
      const state = await show({ ...DOCUMENT, ...change });
      expect(state.plan_problem).toMatch(problem);
      expect(state.videos).toEqual(good.videos);
    }
    expect((await show(DOCUMENT)).plan_problem).toBeNull();
  });
});

describe('photos', () => {
  it('are usable or dropped with a reason, at the index of the document, and have thumbnails', async () => {
    const assets = [
      asset('broken'),
      { caption: 'no address' },
      asset('front'),
      asset('front'),
      asset('none'),
    ];
    stage.update({ ...DOCUMENT, assets }, [{ url: 'pool.jpg' }]);
    await stage.settled();
    const { photos, videos, left_out: leftOut } = stage.state;
    expect(photos.map(({ state }) => state)).toEqual(['dropped', 'dropped', 'usable', 'dropped', 'dropped']);
    expect(photos.map(({ problem }) => problem?.split(':')[0])).toEqual([
      'not_an_image',
      undefined,
      undefined,
      'duplicate',
      'unreachable',
    ]);
    expect(videos[0]!.scenes[0]!.photo_indexes[0]).toBe(2);
    for (const { digest } of [photos[2]!, leftOut[0]!]) {
      const thumbnail = await sharp((await stage.thumbnail(digest!))!).metadata();
      expect(Math.max(thumbnail.width, thumbnail.height)).toBe(320);
    }
    expect(await stage.thumbnail('0'.repeat(64))).toBeNull();
  });

  it('are read again when their file changes', async () => {
    const assets = [asset('front'), asset('new')];
    const withMusic = { template_id: 'classic', template_data: { music: './song.mp3' } };
    const agents = [{ ...agent, video_options: withMusic }];
    const song = (name: string) => writeFileSync(path.join(folder, 'song.mp3'), `ID3 ${name}`);
    song('one');
    copyFileSync(path.join(folder, 'pool.jpg'), path.join(folder, 'new.jpg'));
    const first = await show({ ...DOCUMENT, assets, agents });
    writeFileSync(path.join(folder, 'new.jpg'), readFileSync(path.join(folder, 'bedroom.jpg')));
    song('another');
    await expect.poll(() => stage.state.photos[1]!.digest).not.toBe(first.photos[1]!.digest);
    expect(stage.state.photos[1]!.state).toBe('usable');
    const musicOf = ({ videos }: StageState) => videos[0]!.own_files.music;
    expect(musicOf(first)).toMatch(/^[0-9a-f]{64}$/);
    await expect.poll(() => musicOf(stage.state)).not.toBe(musicOf(first));
  });
});

describe('templates', () => {
  it('are listed with their data layers, and stills show this listing in each', async () => {
    const { templates, music } = await show(DOCUMENT);
    expect(templates.map(({ id }) => id)).toEqual(['classic', 'luxury', 'modern', 'social', 'unbranded']);
    expect(templates[0]!.layers.find(({ name }) => name === 'accent')).toMatchObject({
      label: 'Accent',
      type: 'color',
    });
    expect(music.find(({ id }) => id === 'luxury')).toEqual({
      id: 'luxury',
      title: 'Long Light',
      mood: 'slow piano, airy pads, cello line, spacious',
      bpm: 66,
    });
    const still = await sharp((await stage.still('modern', '1080:1920'))!).metadata();
    expect([still.width, still.height]).toEqual([270, 480]);
    await expect(stage.still('../classic', '1080:1920')).rejects.toMatchObject({
      code: 'template_not_found',
    });
  });

  it('of the user are read again when a file changes', async () => {
    const own = path.join(folder, 'templates', 'mine');
    cpSync(CLASSIC, own, { recursive: true });
    const file = path.join(own, 'template.json');
    const text = readFileSync(file, 'utf8').replace('"id": "classic"', '"id": "mine"');
    writeFileSync(file, text);
    const document = { ...DOCUMENT, agents: [{ ...agent, video_options: { template_id: 'mine' } }] };
    const { videos } = await show(document);
    expect(videos[0]!.template_id).toBe('mine');
    const changed = reached((state) => state.videos[0]!.plan !== videos[0]!.plan);
    writeFileSync(file, text.replaceAll('#F4EFE4', '#EFF4E4'));
    const { template } = (await changed).videos[0]!.own_files;
    expect(template).not.toBe(videos[0]!.own_files.template);
    const broken = reached(({ plan_problem: problem }) => problem !== null);
    writeFileSync(file, text.replace('"#F4EFE4"', '"ivory"'));
    const state = await broken;
    expect(state.videos).toHaveLength(2);
    const line = text.slice(0, text.indexOf('"#F4EFE4"')).split('\n').length;
    const fault = `template.json:${line}:14: $.palette.paper is not a color such as #F4EFE4`;
    expect(state.plan_problem).toBe(path.join(own, fault));
    expect(state.templates.find(({ id }) => id === 'mine')!.problem).toBe(fault);
  });
});

describe('audio', () => {
  it('has the length of the video to the sample, as WAV', async () => {
    const [video] = (await show(DOCUMENT)).videos;
    const wave = readFileSync((await stage.audio(video!.plan))!);
    expect(wave.toString('latin1', 0, 4) + wave.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    const data = wave.indexOf('data');
    expect(wave.readUInt32LE(data + 4)).toBe((video!.frames / video!.fps) * 48_000 * 4);
    expect(await stage.audio('gone')).toBeNull();
    expect(await stage.music('../classic')).toBeNull();
  });
});
