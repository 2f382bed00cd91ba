/** Videos of two shapes in one folder, through the launcher: made in one run, or in one after the other. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input, type InputVideoTrack } from 'mediabunny';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Destination,
  destinationOf,
  type Figure,
} from '../../src/video/destinations/destination-table.ts';
import { type FileFacts, type Fit, judgeFile } from '../../src/video/destinations/judge-file.ts';
import { reportSchema } from '../../src/video/publish/report.ts';
import { Desk, SMALL_LISTING } from './program.ts';

const desk = new Desk();
afterAll(() => desk.close());

const CREATE = ['create', SMALL_LISTING, '--quality', 'draft', '--template', 'social', '--music', 'none'];
const validate = new Ajv2020({ strict: false }).compile(reportSchema());

/** By the size in the header of the first track (ISO 14496-12, 8.3.2), whose last two numbers are width and height. */
function shapeOf(name: string): 'wide' | 'tall' {
  const bytes = readFileSync(path.join(desk.out, 'small', name));
  const start = bytes.indexOf('tkhd') - 4;
  const end = start + bytes.readUInt32BE(start);
  return bytes.readUInt32BE(end - 8) > bytes.readUInt32BE(end - 4) ? 'wide' : 'tall';
}

/** File, ratio, and whether the run found it up to date. */
async function entriesOf(list: 'videos' | 'also_ratio' | 'kept') {
  const report = await desk.report();
  validate(report);
  expect(validate.errors).toBeNull();
  return (report[list] ?? []).map((entry: Record<string, { file: string }>) => [
    entry.video?.file,
    entry.ratio,
    entry.is_unchanged,
  ]);
}

/** Of a finished file, as a parser reads it that shares no code with its writer. */
async function factsOf(file: string): Promise<FileFacts & { readonly startsSec: readonly number[] }> {
  const bytes = readFileSync(file);
  const moov = bytes.subarray(bytes.indexOf('moov'), bytes.indexOf('mdat'));
  const input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS });
  const [sound, pictures] = [(await input.getPrimaryAudioTrack())!, (await input.getPrimaryVideoTrack())!];
  const { averagePacketRate } = await pictures.computePacketStats();
  await checkPictures(pictures);
  const facts = {
    widthPx: await pictures.getDisplayWidth(),
    heightPx: await pictures.getDisplayHeight(),
    fps: Math.round(averagePacketRate * 1000) / 1000,
    durationSec: await input.computeDuration(),
    sizeBytes: bytes.length,
    audioBitRate: (await sound.computePacketStats()).averageBitrate,
    hasEditLists: moov.includes('elst'),
    isBranded: true,
    startsSec: [await sound.getFirstTimestamp(), await pictures.getFirstTimestamp()],
  };
  input.dispose();
  return facts;
}

/** H.264 High, and closed GOPs: after a key frame nothing is shown before it. */
async function checkPictures(pictures: InputVideoTrack): Promise<void> {
  expect((await pictures.getDecoderConfig())!.codec).toMatch(/^avc1\.64/);
  let keySec = Number.NaN;
  for await (const { type, timestamp } of new EncodedPacketSink(pictures).packets()) {
    if (type === 'key') keySec = timestamp;
    expect(timestamp).toBeGreaterThanOrEqual(keySec);
  }
}

/** Every figure of the table against the file, in the words of the report. */
async function checkAgainstTable(file: string, { name, reasons }: Fit): Promise<void> {
  const { startsSec, ...facts } = await factsOf(file);
  const place: Destination = destinationOf(name);
  const side = Math.min(facts.widthPx, facts.heightPx);
  const isWithin = (found: number, least?: Figure<number>, most?: Figure<number>) =>
    found >= (least?.value ?? 0) && found <= (most?.value ?? Number.POSITIVE_INFINITY);
  expect(isWithin(facts.durationSec, place.minSec, place.maxSec)).toBe(true);
  expect(isWithin(facts.sizeBytes, undefined, place.maxBytes)).toBe(true);
  expect(isWithin((facts.sizeBytes * 8) / facts.durationSec, undefined, place.maxBitRate)).toBe(true);
  expect(isWithin(facts.audioBitRate, undefined, place.maxAudioBitRate)).toBe(true);
  expect(isWithin(side, place.minSidePx)).toBe(true);
  expect(isWithin(facts.fps, place.minFps, place.maxFps)).toBe(
    reasons.every((reason) => !reason.includes('fps')),
  );
  expect(facts.hasEditLists).toBe(place.refusesEditLists === undefined);
  expect(startsSec[1]).toBe(0);
  expect(startsSec[0]).toBeCloseTo(place.refusesEditLists === undefined ? -1024 / 48_000 : 0, 6);
  expect(judgeFile(facts, name)).toEqual(reasons);
}

describe('create', () => {
  it('a second time with another --ratio keeps the video of the first', async () => {
    expect(await desk.run(CREATE)).toMatchObject({ exitCode: 0 });
    const first = desk.digest('a.mp4');
    const second = await desk.run([...CREATE, '--ratio', '1080:1920']);
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('a-1080x1920.mp4') });
    expect(second.stderr).toContain(
      'kept from earlier runs, without later changes: a.mp4 (1920:1080, draft)',
    );
    expect(desk.digest('a.mp4')).toBe(first);
    expect(shapeOf('a.mp4')).toBe('wide');
    expect(shapeOf('a-1080x1920.mp4')).toBe('tall');
    expect(await entriesOf('videos')).toEqual([['a-1080x1920.mp4', '1080:1920', false]]);
    expect(await entriesOf('kept')).toEqual([['a.mp4', '1920:1080', true]]);
    expect(readFileSync(path.join(desk.out, 'small', 'report.html'), 'utf8')).toContain('src="./a.mp4"');
  });

  it('--also-ratio makes both shapes in one run, and finds what earlier runs made', async () => {
    const both = await desk.run([...CREATE, '--also-ratio', '1080:1920']);
    expect(both).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing has changed') });
    expect(await entriesOf('videos')).toEqual([['a.mp4', '1920:1080', true]]);
    expect(await entriesOf('also_ratio')).toEqual([['a-1080x1920.mp4', '1080:1920', true]]);
    expect(await entriesOf('kept')).toEqual([]);
    // The fixture's photos are 480 pixels wide.
    const small = '5 of 5 photos are narrower than 960 pixels: larger ones fill the screen';
    expect(both.stderr.split(small)).toHaveLength(2);
    expect(both.stderr).toContain(`warning: ${small}`);
    expect((await desk.report()).warnings).toContain(small);
    const edited = await desk.writeListing('phone.json', ({ agents }) => {
      agents[0]!.phones = [{ number: '(503) 555-0123' }];
    });
    const again = [CREATE[0]!, edited, ...CREATE.slice(2), '--also-ratio', '1080:1920'];
    expect(await desk.run(again)).toMatchObject({ exitCode: 0 });
    const { videos, also_ratio: other } = await desk.report();
    for (const { segments } of [...videos, ...other]) expect(segments).toMatchObject({ rendered: 1 });
    expect(await desk.names()).toEqual([
      ...['a-1080x1920.jpg', 'a-1080x1920.mp4', 'a-1080x1920.txt', 'a-1080x1920.vtt'],
      ...['a.jpg', 'a.mp4', 'a.txt', 'a.vtt', 'report.html', 'report.json'],
    ]);
  });

  it('--for makes a file for each place from the scenes that it has, and says whether it fits', async () => {
    const textOf = (name: string) => path.join(desk.out, 'small', name);
    writeFileSync(textOf('a-web.txt'), 'my own words');
    const made = await desk.run([...CREATE, '--for', 'youtube,instagram-reels', '--for', 'web']);
    expect(made).toMatchObject({ exitCode: 0 });
    expect(made.stderr).toContain('changed by hand, and kept so: a-web.txt');
    expect(readFileSync(textOf('a-web.txt'), 'utf8')).toBe('my own words');
    expect(readFileSync(textOf('a-instagram-reels.txt'), 'utf8')).toMatch(/\n0:00 Opening\n/);
    // Too short for three chapters of 10 s, without which YouTube shows none.
    expect(readFileSync(textOf('a-youtube.txt'), 'utf8')).not.toMatch(/\n0:00 /);
    expect(readFileSync(textOf('a-youtube.vtt'), 'utf8')).toMatch(/^WEBVTT\n\n00:00:\d\d\.\d{3} --> /);
    const { videos, also_for: further } = await desk.report();
    expect(validate(await desk.report())).toBe(true);
    const files = [...videos, ...further];
    expect(files.map(({ video, segments }) => [video.file, segments.rendered])).toEqual([
      ['a-youtube.mp4', 0],
      ['a-instagram-reels.mp4', 0],
      ['a-web.mp4', 0],
    ]);
    expect(files.map(({ destinations }) => destinations)).toEqual([
      [{ name: 'youtube', fits: true, reasons: [] }],
      [
        {
          name: 'instagram-reels',
          fits: false,
          reasons: ['15 fps, at least 23 fps'],
        },
      ],
      [{ name: 'web', fits: true, reasons: [] }],
    ]);
    expect(made.stderr).toContain('places: a-youtube.mp4 fits YouTube\n');
    expect(made.stderr).toContain('a-instagram-reels.mp4 not Instagram Reels: 15 fps');
    expect(made.stdout).toContain('a-instagram-reels.mp4');
    for (const { video, destinations } of files)
      await checkAgainstTable(path.join(desk.out, 'small', video.file), destinations[0]);
    expect(shapeOf('a-youtube.mp4')).toBe('wide');
    expect(shapeOf('a-instagram-reels.mp4')).toBe('tall');
    const page = readFileSync(path.join(desk.out, 'small', 'report.html'), 'utf8');
    expect(page).toContain('<dt>Instagram Reels</dt><dd>does not fit: 15 fps');
    expect(page.match(/class="code">WEBVTT/g)).toHaveLength(3 + (await desk.report()).kept.length);
    expect(files.map(({ small_video: small }) => small)).toEqual([undefined, undefined, undefined]);
  });

  it('refuses the folder of another house with the same id before it renders, unless forced', async () => {
    const before = desk.digest('a.mp4');
    const other = await desk.writeListing('other.json', (listing) => {
      Object.assign(listing, { address: { street: '9 Oak Lane', city: 'Salem', state: 'OR' } });
      for (const asset of listing.assets) asset.url = asset.url.replace(/\/([^/]+)$/, '/./other-$1');
    });
    for (const dry of [[], ['--dry-run']]) {
      const refused = await desk.run([CREATE[0]!, other, ...CREATE.slice(2), ...dry]);
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringContaining('has the videos of another listing with the id "small"'),
      ]);
      expect(refused.stderr).toContain('--force');
    }
    expect(desk.digest('a.mp4')).toBe(before);
  });
});
