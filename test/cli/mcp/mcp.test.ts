/** The tools of an assistant program: what they do, how they are followed, and that they stay in their folders. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listing } from '../listing-files.ts';
import { type Answer, connect, makeFolders } from './connect.ts';

const folders = makeFolders();
const { root, outside } = folders;
const house = {
  photos: 'photos',
  price: 749000,
  open_house: 'Saturday',
  ratio: '1080:1920',
  quality: 'draft',
  length: ['10s'],
  music: 'none',
};
const agent = { name: 'June Takemori', phone: '(503) 555-0128' };
let assistant: Awaited<ReturnType<typeof connect>>;
let unknownAgent: Answer;
let created: Answer;
const percents: number[] = [];

beforeAll(async () => {
  assistant = await connect(folders);
  unknownAgent = await assistant.call('plan_video', house);
  created = await assistant.call(
    'create_videos',
    { ...house, agent, wait_sec: 600 },
    { onprogress: ({ progress }) => percents.push(progress) },
  );
});
afterAll(() => assistant.close());

describe('the tools', () => {
  it('have schemas that every assistant program can read, and say what they change', () => {
    const hints = assistant.tools.map(({ name, annotations }) => [
      name,
      annotations!.readOnlyHint,
      annotations!.destructiveHint,
    ]);
    expect(hints).toEqual([
      ['validate_listing', true, false],
      ['plan_video', true, false],
      ['create_videos', false, true],
      ['preview_frame', true, false],
      ['import_listings', false, true],
      ['list_templates', true, false],
      ['show_template', true, false],
      ['list_tasks', true, false],
      ['get_task', true, false],
      ['cancel_task', false, true],
    ]);
    for (const { inputSchema, outputSchema } of assistant.tools)
      for (const schema of [inputSchema, outputSchema!]) {
        expect(Object.keys(schema)).toEqual(expect.not.arrayContaining(['oneOf', 'anyOf', 'allOf', '$id']));
        const names = JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g);
        for (const [, name] of names) expect(schema.$defs).toHaveProperty(name!);
      }
    // An assistant reads all of it before its first word.
    expect(JSON.stringify(assistant.tools).length).toBeLessThan(50_000);
  });

  it('say what is wrong with their arguments', async () => {
    const wrong = await assistant.call('show_template', { templat: 'classic' });
    expect(wrong).toMatchObject({
      isError: true,
      text: 'usage: there is no argument "templat"\ndid you mean template?',
    });
    expect((await assistant.call('preview_frame', { ...house, at_sec: 'two' })).text).toMatch(
      /at_sec must be number/,
    );
    expect((await assistant.call('plan_video', {})).text).toMatch(/^usage: there is no listing\n.*photos/);
    await expect(assistant.call('delete_all', {})).rejects.toThrow(/there is no tool "delete_all"/);
  });
});

describe('a video of the photos in a folder', () => {
  it('needs an agent, whom the assistant can ask for', () => {
    expect(unknownAgent.isError).toBe(true);
    expect(unknownAgent.text).toMatch(/the agent is not known.*\nask for the name of the agent/);
  });

  it('is rendered with its poster, and links lead to the files', () => {
    expect(created.document).toMatchObject({ data: [{ state: 'SUCCEEDED', dropped_assets: [] }] });
    expect(created.files.map((file) => path.basename(file))).toEqual([
      'june-takemori.mp4',
      'june-takemori.jpg',
      'report.html',
    ]);
    for (const file of created.files) {
      expect(existsSync(file)).toBe(true);
      expect(file.startsWith(path.join(root, 'videos'))).toBe(true);
    }
    expect(created.images).toHaveLength(1);
    expect(percents.length).toBeGreaterThan(5);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  });

  it('is planned with one image of all scenes, for the agent of the video before', async () => {
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    const plan = await assistant.call('plan_video', house, { onprogress });
    expect(steps.length).toBeGreaterThan(2);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(plan.document).toMatchObject({
      videos: [{ agent_name: 'June Takemori', ratio: '1080:1920', duration_sec: expect.any(Number) }],
      notes: ['the agent of the newest video was used: June Takemori'],
      listing_document: { assets: { length: 5 }, agents: [{ phones: [{ number: '(503) 555-0128' }] }] },
    });
    const texts = plan.document.videos[0].scenes.flatMap((scene: { texts: string[] }) => scene.texts);
    expect(texts.join(' ')).toMatch(/749,000.*Saturday/);
    const { width, height } = await sharp(plan.images[0]).metadata();
    expect(width).toBeGreaterThan(800);
    expect(height).toBeGreaterThan(500);
    // The assistant can change the listing, and go on with that.
    const changed = { ...plan.document.listing_document, bedrooms: 4 };
    const frame = await assistant.call('preview_frame', { listing: changed, ratio: '1080:1920', at_sec: 2 });
    expect(frame.document).toMatchObject({ template_id: 'classic', width_px: 1080, shown_sec: [2, 61 / 30] });
    expect(await sharp(frame.images[0]).metadata()).toMatchObject({ width: 1080, height: 1920 });
  });

  it('is followed and cancelled as a task', async () => {
    const { id } = created.document.data[0];
    expect(await assistant.call('get_task', { id })).toMatchObject({
      document: { id, state: 'SUCCEEDED' },
      files: created.files,
      images: created.images,
    });
    const waiting = await assistant.call('create_videos', {
      ...house,
      id: 'long',
      length: ['90s'],
      wait_sec: 0,
    });
    const [task] = waiting.document.data;
    expect(task).toMatchObject({ state: expect.stringMatching(/^(PENDING|RUNNING)$/), progress: {} });
    await assistant.call('cancel_task', { id: task.id });
    const cancelled = await assistant.call('get_task', { id: task.id, wait_sec: 60 });
    expect(cancelled.document).toMatchObject({
      state: 'FAILED',
      failure_message: expect.stringMatching(/cancel/),
    });
    const list = await assistant.call('list_tasks', { state: 'FAILED', limit: 1 });
    expect(list.document).toMatchObject({ data: [{ id: task.id }] });
  });

  it('ends when the assistant no longer waits for it', async () => {
    const stopper = new AbortController();
    const answer = assistant.call(
      'create_videos',
      { ...house, id: 'unwanted', length: ['90s'] },
      { signal: stopper.signal, onprogress: () => stopper.abort('unwanted') },
    );
    await expect(answer).rejects.toThrow(/unwanted/);
    const ofIt = async () => (await assistant.call('list_tasks', { limit: 1 })).document.data[0];
    await expect
      .poll(ofIt)
      .toMatchObject({ state: 'FAILED', failure_message: expect.stringMatching(/cancel/) });
    expect(readdirSync(path.join(root, 'videos'))).not.toContain('unwanted');
  });
});

describe('other tools', () => {
  it('validate a listing, whole or in a file', async () => {
    const whole = await assistant.call('validate_listing', { listing: { ...listing(), bedrooms: -1 } });
    expect(whole.document).toMatchObject({
      valid: false,
      files: [{ file: 'listing', detail: [{ loc: ['body', 'bedrooms'], message: expect.any(String) }] }],
    });
    const refused = await assistant.call('create_videos', { listing: { id: 'x', assets: [] } });
    expect(refused.text).toMatch(/^invalid_listing: it is not a valid listing.*\n.*agents.*\n.*assets/s);
    writeFileSync(path.join(root, 'good.json'), JSON.stringify(listing()));
    const file = await assistant.call('validate_listing', { listing_file: 'good.json' });
    expect(file.document).toMatchObject({ valid: true, files: [{ file: 'good.json' }] });
  });

  it('list and show templates', async () => {
    const { document } = await assistant.call('list_templates', {});
    expect(document.data.map(({ id }: { id: string }) => id)).toContain('luxury');
    const shown = await assistant.call('show_template', { template: 'luxury' });
    expect(shown.document).toMatchObject({ id: 'luxury', data_layers: expect.any(Array) });
    expect(shown.images).toHaveLength(1);
  });

  it('import listings', async () => {
    writeFileSync(
      path.join(root, 'homes.csv'),
      'ListingId,StreetNumber,StreetName,List Agent\nM-1,12,Elm Street,June Takemori\n',
    );
    const files = Array.from({ length: 5 }, (_, index) => `M-1-${index}.jpg`);
    mkdirSync(path.join(root, 'mls'));
    for (const [index, name] of readdirSync(path.join(root, 'photos')).slice(0, 5).entries())
      copyFileSync(path.join(root, 'photos', name), path.join(root, 'mls', files[index]!));
    const { document } = await assistant.call('import_listings', {
      format: 'csv',
      files: ['homes.csv'],
      photos: 'mls/{ListingId}-*.jpg',
      map: { 'List Agent': 'ListAgentFullName' },
    });
    expect(document).toMatchObject({
      counts: { written: 1 },
      listings: [{ file: path.join('listings', 'M-1', 'listing.json'), photos: 5 }],
    });
    expect(existsSync(path.join(root, 'listings', 'M-1', 'listing.json'))).toBe(true);
  });

  it('answer thirty requests at once, and nothing else is printed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0
          ? assistant.call('list_tasks', {})
          : assistant.call('validate_listing', { listing: { ...listing(`L-${index}`) } }),
      ),
    );
    for (const [index, { document }] of answers.entries())
      if (index % 3 !== 0) expect(document).toMatchObject({ valid: true });
    expect(assistant.stdout.text).toBe('');
  });
});

describe('files outside of the folders', () => {
  const secret = path.join(outside, 'photos', readdirSync(path.join(outside, 'photos'))[0]!);
  const withPhoto = (url: string) => ({ ...listing(), assets: [...listing().assets, { url }] });
  const ofAgent = (fields: object) => ({ ...listing(), agents: [{ ...listing().agents[0], ...fields }] });
  const withData = (data: object) =>
    ofAgent({ video_options: { template_id: 'classic', template_data: data } });

  beforeAll(() => {
    symlinkSync(secret, path.join(root, 'link.jpg'));
    symlinkSync(outside, path.join(root, 'linked'));
    writeFileSync(path.join(outside, 'listing.json'), JSON.stringify(listing()));
    mkdirSync(path.join(root, 'feed'));
    writeFileSync(path.join(root, 'feed', 'property.json'), JSON.stringify({ ListingId: 'M-2' }));
    symlinkSync(path.join(outside, 'listing.json'), path.join(root, 'feed', 'media.json'));
    mkdirSync(path.join(root, 'into'));
    symlinkSync(outside, path.join(root, 'into', 'M-2'));
  });

  it.each<[what: string, tool: string, args: object]>([
    ['a listing', 'validate_listing', { listing_file: path.join(outside, 'listing.json') }],
    ['a listing behind a link', 'validate_listing', { listing_file: 'linked/listing.json' }],
    ['listings by a pattern', 'validate_listing', { listing_file: '../outside/*.json' }],
    ['photos', 'plan_video', { ...house, photos: '../outside/photos' }],
    ['photos behind a link', 'plan_video', { ...house, photos: 'linked/photos' }],
    ['a portrait', 'plan_video', { ...house, agent: { ...agent, picture: secret } }],
    ['the results', 'create_videos', { ...house, agent, out: '../outside' }],
    ['the results behind a link', 'create_videos', { ...house, agent, out: 'linked/videos' }],
    ['music', 'create_videos', { ...house, agent, music: '../outside/song.mp3' }],
    ['a photo of a listing', 'plan_video', { listing: withPhoto(secret) }],
    ['a linked photo of a listing', 'plan_video', { listing: withPhoto('link.jpg') }],
    ['a portrait of a listing', 'plan_video', { listing: ofAgent({ picture: `file://${secret}` }) }],
    ['a logo of a listing', 'plan_video', { listing: withData({ logo: 'linked/logo.png' }) }],
    ['music of a listing', 'plan_video', { listing: withData({ music: '../outside/song.mp3' }) }],
    ['a template', 'show_template', { template: '../outside/mine' }],
    ['MLS data', 'import_listings', { format: 'csv', files: ['../outside/homes.csv'] }],
    ['MLS data beside it', 'import_listings', { format: 'reso', files: ['feed/property.json'] }],
    ['imported listings', 'import_listings', { format: 'csv', files: ['homes.csv'], out: 'linked' }],
    [
      'photos of MLS data',
      'import_listings',
      { format: 'csv', files: ['homes.csv'], photos: '/{ListingId}/*' },
    ],
  ])('are not used: %s', async (_what, tool, args) => {
    const before = readdirSync(outside, { recursive: true });
    const { isError, text, document } = await assistant.call(tool, args);
    expect(isError || document.valid === false).toBe(true);
    expect(text).toMatch(/outside of the folders that can be used here/);
    expect(readdirSync(outside, { recursive: true })).toEqual(before);
  });

  it('are left out where a data layer names them', async () => {
    const { music: _, ...heard } = house;
    const { document } = await assistant.call('plan_video', {
      ...heard,
      data: { logo: secret, music: secret },
    });
    const reason = 'blocked_address: the file is outside the folder of the listing';
    expect(document.dropped_assets).toEqual([{ url: secret, reason }]);
    expect(document.videos[0].warnings.join()).toMatch(/outside the folder of the listing/);
  });

  it.each(['listing-video.config.json', 'templates/mine'])('are not used for %s', async (name) => {
    mkdirSync(path.join(root, 'templates'), { recursive: true });
    symlinkSync(path.join(outside, 'listing.json'), path.join(root, name));
    const config = path.join(root, 'listing-video.config.json');
    if (!existsSync(config)) writeFileSync(config, JSON.stringify({ 'templates-dir': 'templates' }));
    const { text } = await assistant.call('list_templates', {});
    rmSync(config);
    expect(text).toMatch(/outside of the folders that can be used here/);
  });

  it('are skipped in a folder of photos, and named', async () => {
    mkdirSync(path.join(root, 'mixed'));
    for (const name of readdirSync(path.join(root, 'photos')))
      symlinkSync(path.join(root, 'photos', name), path.join(root, 'mixed', name));
    symlinkSync(secret, path.join(root, 'mixed', 'secret.jpg'));
    const { document } = await assistant.call('plan_video', { ...house, photos: 'mixed' });
    expect(document.notes).toContain('skipped: secret.jpg: a link out of the folders that can be used here');
    expect(document.assets.given).toBe(5);
  });
});
