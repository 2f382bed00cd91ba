/** `studio` as its own process, as it is installed: frames, an edit, a render, and Ctrl-C while another render runs. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import type { StudioState } from '../../src/studio/editor/protocol.ts';
import { Desk } from './program.ts';

const desk = new Desk();
afterAll(() => desk.close());

it('shows the videos of a listing, saves an edit, renders, and ends at Ctrl-C with nothing half-written', async () => {
  const file = await desk.writeListing('listing.json', () => undefined);
  const program = desk.start(['studio', file, '--no-open', '--quality', 'draft']);
  const [address, origin = ''] = await program.says(/^(http:\/\/127\.0\.0\.1:\d+)\/\?token=\S+$/m);
  const opened = await fetch(address, { redirect: 'manual' });
  const [cookie = ''] = opened.headers.get('set-cookie')!.split(';');
  const ask = (place: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${origin}${place}`, { ...init, headers: { cookie, origin, 'content-type': 'application/json' } });
  const post = (place: string, body: object): Promise<Response> =>
    ask(place, { method: 'POST', body: JSON.stringify(body) });

  const events = (await ask('/api/events')).body!.pipeThrough(new TextDecoderStream()).getReader();
  const state = (await (await ask('/api/state')).json()) as StudioState;
  let text = '';
  const until = async (isReached: (state: StudioState) => boolean): Promise<void> => {
    while (!isReached(state)) {
      const { value, done } = await events.read();
      if (done) throw new Error('the studio ended');
      text += value;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        if (part.startsWith('event: state\ndata: ')) Object.assign(state, JSON.parse(part.slice(19)));
      }
    }
  };

  await until(({ planning, videos }) => !planning && videos.length > 0);
  const [video] = state.videos;
  expect(state.videos.map(({ ratio }) => ratio).sort()).toEqual(['1080:1920', '1920:1080']);
  expect(await (await ask('/')).text()).toContain('<title>Studio');
  const frame = await ask(`/api/frames/${video!.plan}/10?width=480`);
  expect([frame.status, frame.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const thumbnail = await ask(`/api/thumbnails/${state.photos[0]!.digest}`);
  expect(thumbnail.status).toBe(200);

  const bedrooms = [{ op: 'add', path: '/bedrooms', value: 7 }];
  expect((await post('/api/edits', { revision: 0, label: 'Bedrooms', patch: bedrooms })).status).toBe(200);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ bedrooms: 7 });
  await until(({ planning, videos }) => !planning && videos[0]!.plan !== video!.plan);

  expect((await post('/api/renders', {})).status).toBe(200);
  await until(({ render }) => render !== null && render.state !== 'running');
  expect(state.render).toMatchObject({ state: 'done' });
  expect(state.results.videos).toMatchObject([{ agent_id: state.videos[0]!.agent_id, changes: [] }]);
  const { url, bytes } = state.results.videos[0]!;
  expect((await (await ask(url)).arrayBuffer()).byteLength).toBe(bytes);
  const names = await desk.names();

  await post('/api/renders', { ratios: ['1080:1920', '1920:1080'] });
  program.kill('SIGINT');
  expect(await program.finished).toMatchObject({ exitCode: 0 });
  expect(await desk.names()).toEqual(names);
  expect(await desk.workFolders()).toEqual([]);
}, 60_000);
