/** `create --server` with photos of this machine: they are uploaded once, and keep the names that the user gave. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { agent, folderOf, listing } from '../../cli/listing-files.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { texture } from '../../media/assets/sample-pictures.ts';
import { runRemote } from './run-remote.ts';
import { type ServedFilms, serveFilms } from './served-videos.ts';
import { sendJson, startStub } from './stub-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

const photos: Buffer[] = [];
/** Each photo is decoded once, for the first server that gets it. */
let cacheDir: string;

beforeAll(async () => {
  cacheDir = temporaryFolder();
  for (let seed = 1; seed <= 6; seed += 1) photos.push(await texture(seed).jpeg().toBuffer());
});

/** A folder with a listing of five local photos, a portrait and a logo, which is the first photo again. */
async function localListing(change: (value: AnyJson) => void = () => undefined): Promise<string> {
  const value: AnyJson = { ...listing('L-1', [agent('ann')]) };
  value.assets = [1, 2, 3, 4, 5].map((number) => ({ url: `${number}.jpg` }));
  value.agents[0].picture = './6.jpg';
  value.agents[0].video_options = { template_id: 'classic', template_data: { logo: '1.jpg' } };
  change(value);
  const cwd = await folderOf({ 'listing.json': value });
  for (const [index, bytes] of photos.entries()) await writeFile(path.join(cwd, `${index + 1}.jpg`), bytes);
  return cwd;
}

function create(cwd: string, { url, key }: Pick<ServedFilms, 'url' | 'key'>, ...words: string[]) {
  return runRemote(['create', 'listing.json', ...words], { cwd, server: url, key });
}

/** Uploads that the server has answered, by status. */
function uploadsOf({ log }: Pick<ServedFilms, 'log'>): number[] {
  return log.filter((line) => line.path === '/v1/assets').map(({ status }) => status);
}

describe('photos of this machine', () => {
  it('are uploaded, each once, and named as in the listing afterwards', async () => {
    const server = await serveFilms({ cacheDir });
    const cwd = await localListing();
    const { exitCode, stderr } = await create(cwd, server);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('dropped: listing.json: 1.jpg: too_small'),
    ]);
    expect(uploadsOf(server)).toEqual(Array(6).fill(201));
    const [made] = server.made;
    const { assets, agents } = made!;
    const upload = new RegExp(`^${server.url}/v1/assets/upload_[0-9a-f]{32}$`);
    for (const { url } of assets) expect(url).toMatch(upload);
    expect(agents[0]!.picture).toMatch(upload);
    expect(agents[0]!.video_options!.template_data!.logo).toBe(assets[0]!.url);
    expect(new Set(assets.map(({ url }) => url)).size).toBe(5);
    const report: AnyJson = JSON.parse(
      await readFile(path.join(cwd, 'videos', 'L-1', 'report.json'), 'utf8'),
    );
    expect(JSON.stringify(report.assets)).not.toContain('upload_');

    // The same photos make the same request, another photo another one.
    expect((await create(cwd, server)).exitCode).toBe(0);
    expect([server.made.length, uploadsOf(server).length]).toEqual([1, 6]);
    await writeFile(path.join(cwd, '2.jpg'), await texture(7).jpeg().toBuffer());
    expect((await create(cwd, server)).exitCode).toBe(0);
    expect(server.made).toHaveLength(2);
  });

  it('are uploaded as originals of altered photos too, and the server is asked to label these', async () => {
    const server = await serveFilms({ cacheDir });
    const cwd = await localListing((value) => {
      value.assets[1] = { url: '2.jpg', altered: 'Virtually staged', original: './6.jpg' };
      value.assets[2].kind = 'floor_plan';
      Object.assign(value.assets[3], { focus: { x: 0.25, y: 0.6 }, emphasis: 'high' });
    });
    expect((await create(cwd, server)).exitCode).toBe(0);
    const { assets, agents } = server.made[0]!;
    expect(assets[1]).toMatchObject({ altered: 'Virtually staged', original: agents[0]!.picture });
    expect(assets[2]).toMatchObject({ kind: 'floor_plan' });
    expect(assets[3]).toMatchObject({ focus: { x: 0.25, y: 0.6 }, emphasis: 'high' });
    const gone = await localListing((value) => {
      value.assets[1] = { url: '2.jpg', altered: true, original: 'gone.jpg' };
    });
    const { exitCode, stderr } = await create(gone, server);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('assets[1].original')]);
  });

  it('that are altered are not sent to a server that would show them without their labels', async () => {
    const stub = await startStub((_, response) =>
      sendJson(response, 200, { id: 'org', balance: 0 }, { 'service-beta': 'uploads' }),
    );
    const cwd = await localListing((value) => {
      value.assets[1].altered = 'Virtually staged';
    });
    const { exitCode, stderr } = await runRemote(['create', 'listing.json'], { cwd, server: stub.url });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/assets\[1\]\.altered.* without its label/),
    ]);
    expect(stub.asked.map(({ method }) => method)).not.toContain('POST');
  });

  it('are counted on a terminal while they are sent; a log, events and --json have no word of it', async () => {
    const server = await serveFilms({ cacheDir });
    const { uploads } = server;
    const { add } = uploads;
    let shows = () => {};
    const shown = new Promise<void>((resolve) => {
      shows = resolve;
    });
    Object.assign(uploads, {
      add: async (...upload: Parameters<typeof add>) => {
        await shown;
        return add(...upload);
      },
    });
    const seen: string[] = [];
    const onWrite = (stream: string, text: string): void => {
      if (stream === 'stderr') seen.push(text);
      if (text.includes('0 %, sending photos')) shows();
    };
    const words = ['create', 'listing.json'];
    const context = { server: server.url, key: server.key };
    const watched = await runRemote(words, { ...context, cwd: await localListing(), isTty: true, onWrite });
    expect([watched.exitCode, seen.join('')]).toEqual([
      0,
      expect.stringContaining('listing.json: 0 %, sending'),
    ]);

    const cwd = await localListing((value) => {
      value.id = 'L-2';
    });
    const logged = await runRemote([...words, '--json', '--events-file', 'events'], { ...context, cwd });
    expect([logged.exitCode, logged.json().data]).toEqual([
      0,
      [expect.objectContaining({ state: 'SUCCEEDED' })],
    ]);
    expect(logged.stderr).not.toContain('sending');
    const events: AnyJson[] = (await readFile(path.join(cwd, 'events'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const progress = events.filter(({ type }) => type === 'progress');
    expect(progress.map(({ stage }) => stage)).not.toContain('upload');
    // The task begins where the upload ended.
    expect(progress[0].percent).toBeGreaterThanOrEqual(10);
    expect(progress.at(-1).percent).toBeGreaterThan(95);
  });

  it('that an interrupted command has uploaded are not sent again', async () => {
    const server = await serveFilms({ cacheDir });
    const cwd = await localListing();
    const { uploads } = server;
    const { add } = uploads;
    let left = 4;
    Object.assign(uploads, {
      add: async (...asked: Parameters<typeof add>) => {
        left -= 1;
        if (left < 0) throw new Error('a fault');
        return add(...asked);
      },
    });
    expect((await create(cwd, server)).exitCode).not.toBe(0);
    expect(server.made).toEqual([]);
    const before = uploadsOf(server).filter((status) => status === 201).length;
    expect(before).toBeGreaterThan(0);
    Object.assign(uploads, { add });
    expect((await create(cwd, server)).exitCode).toBe(0);
    expect(uploadsOf(server).filter((status) => status === 201)).toHaveLength(6);
    expect(server.made).toHaveLength(1);
  });

  it('are not sent again after a request that was refused for other reasons', async () => {
    const server = await serveFilms({ cacheDir });
    await server.accounts.grant('org_default', 1);
    const cwd = await localListing((value) => value.agents.push(agent('bob')));
    expect(await create(cwd, server)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('credits'),
    });
    await server.accounts.grant('org_default', 1);
    expect((await create(cwd, server)).exitCode).toBe(0);
    expect(uploadsOf(server)).toHaveLength(6);
  });

  it('that are none are named with their places, and no task is made', async () => {
    const server = await serveFilms({ cacheDir });
    const cwd = await localListing((value) => {
      value.assets[1].url = 'gone.jpg';
      value.assets[3].url = 'listing.json';
    });
    const local = await create(cwd, server, '--json');
    const detailOf = ({ json }: typeof local) =>
      json().error.context.files[0].detail.map(({ loc, msg }: AnyJson) => [loc.slice(1).join('.'), msg]);
    expect([local.exitCode, detailOf(local)]).toEqual([
      2,
      [
        ['assets.1.url', 'Value error, gone.jpg cannot be used: unreachable: file not found'],
        ['assets.3.url', expect.stringContaining('listing.json cannot be used: not_an_image')],
      ],
    ]);
    expect(uploadsOf(server)).toEqual([]);
    // What only decoding shows.
    const other = await localListing();
    await writeFile(path.join(other, '3.jpg'), photos[2]!.subarray(0, 2_000));
    const refused = await create(other, server, '--json');
    expect([refused.exitCode, detailOf(refused)]).toEqual([
      2,
      [['assets.2.url', expect.stringMatching(/3\.jpg cannot be used: corrupt: /)]],
    ]);
    expect(server.made).toEqual([]);
  });

  it('are refused where the server takes none, before anything is sent', async () => {
    const stub = await startStub((_, response) => sendJson(response, 200, { id: 'org', balance: 0 }));
    const cwd = await localListing();
    const { exitCode, stderr } = await runRemote(['create', 'listing.json'], { cwd, server: stub.url });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('1.jpg is a file of this machine')]);
    expect(stub.asked.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      'GET /v1/organization',
    ]);
  });

  it('beyond the quota are refused with the reason', async () => {
    const server = await serveFilms({ cacheDir });
    const quota = { maxFiles: 3, maxBytes: 1e9 };
    Object.assign(server.uploads, {
      add: async () => ({ kind: 'full', usage: { files: 3, bytes: 1 }, quota }),
    });
    const { exitCode, stderr } = await create(await localListing(), server);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('too many uploads')]);
  });

  it('are sent three at a time, and less and less often while the server is busy; one that came too late is sent again', async () => {
    let atOnce = 0;
    let most = 0;
    let answers = 0;
    const stub = await startStub(({ path: asked }, response) => {
      if (asked !== '/v1/assets') {
        response.setHeader('service-beta', 'uploads');
        return sendJson(response, 200, { id: 'org', name: 'x', is_metered: false, balance: 0 });
      }
      atOnce += 1;
      most = Math.max(most, atOnce);
      answers += 1;
      const status = answers === 1 ? 408 : 503;
      response.once('close', () => {
        atOnce -= 1;
      });
      if (status === 503) response.setHeader('retry-after', '1');
      return sendJson(response, status, { code: 'x', message: 'x', context: null });
    });
    const waits: number[] = [];
    const cwd = await localListing();
    const { exitCode, stderr } = await runRemote(['create', 'listing.json'], {
      ...{ cwd, server: stub.url },
      onWait: (ms) => waits.push(ms),
    });
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('is busy')]);
    expect(exitCode).not.toBe(0);
    expect(most).toBeLessThanOrEqual(3);
    expect(Math.max(...waits)).toBeGreaterThan(5_000);
    expect(answers).toBeLessThan(100);
  });

  it('are valid for a server that takes them', async () => {
    const { url, key } = await serveFilms({ cacheDir });
    const cwd = await localListing();
    const { exitCode } = await runRemote(['validate', 'listing.json'], { cwd, server: url, key });
    expect(exitCode).toBe(0);
    const away = await runRemote(['validate', 'listing.json'], { cwd, server: 'http://127.0.0.1:9' });
    expect([away.exitCode, away.stdout]).toEqual([2, expect.stringContaining('is a file of this machine')]);
  });
});
