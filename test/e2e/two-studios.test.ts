/**
 * Two studios on one listing, and a third program that writes its file: nothing that was saved is lost, and each
 * conflict is shown. STUDIO_EDITS sets how many edits each studio makes.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { StudioState } from '../../src/studio/editor/protocol.ts';
import { Desk } from './program.ts';

const EDITS = Number(process.env.STUDIO_EDITS ?? 25);

const desk = new Desk();
afterAll(() => desk.close());

async function aListing(name: string): Promise<string> {
  const folder = path.join(desk.root, name);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'listing.json');
  await writeFile(file, `${JSON.stringify({ id: name, assets: [], agents: [] }, null, 2)}\n`);
  return file;
}

const open = (file: string) => desk.start(['studio', file, '--no-open']);
const addressOf = async (program: ReturnType<typeof open>) =>
  (await program.says(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+$/m))[0];
const namesBeside = async (file: string) => (await readdir(path.dirname(file))).sort();

/** As a browser that opened the address. */
async function aPage(address: string) {
  const { origin } = new URL(address);
  const opened = await fetch(address, { redirect: 'manual' });
  const [cookie = ''] = opened.headers.get('set-cookie')!.split(';');
  const post = async (place: string, body: object): Promise<StudioState> => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}${place}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as StudioState;
  };
  const state = async () =>
    (await (await fetch(`${origin}/api/state`, { headers: { cookie } })).json()) as StudioState;
  const edit = (field: string) =>
    post('/api/edits', { revision: 0, label: field, patch: [{ op: 'add', path: `/${field}`, value: 1 }] });
  return { origin, post, state, edit };
}

it(
  'a second studio opens the page of the first, and no edit of both is lost beside a program that writes',
  async () => {
    const file = await aListing('both');
    const programs = [open(file), open(file)];
    const addresses = await Promise.all(programs.map(addressOf));
    const ended = await Promise.race(programs.map(({ finished }) => finished));
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('the listing is open already'),
    });
    const pages = await Promise.all(addresses.map(aPage));
    expect(pages[0]!.origin).toBe(pages[1]!.origin);

    const shown = { conflicts: 0, reloads: new Set<string>() };
    const work = async ({ edit, post }: Awaited<ReturnType<typeof aPage>>, name: string) => {
      for (let index = 0; index < EDITS; index += 1) {
        const { conflict, reloaded } = await edit(`x-${name}-${index}`);
        if (reloaded !== null) shown.reloads.add(reloaded);
        if (!conflict) continue;
        shown.conflicts += 1;
        await post('/api/conflict', { keep: index % 2 === 0 ? 'mine' : 'theirs' });
      }
    };
    let isWorking = true;
    let written = 0;
    /** It reads, waits a little, and writes in place, as an editor does. What was saved meanwhile is not in its text. */
    const interfere = async () => {
      while (isWorking) {
        const text = await readFile(file, 'utf8').catch(() => '');
        const listing = text === '' ? null : JSON.parse(text);
        await pages[0]!.state();
        if (listing === null) continue;
        await writeFile(file, JSON.stringify({ ...listing, [`x-other-${written}`]: 1 }));
        written += 1;
        for (let wait = 0; wait < 20; wait += 1) await pages[0]!.state();
      }
    };
    const interfering = interfere();
    await Promise.all([work(pages[0]!, 'first'), work(pages[1]!, 'second')]);
    isWorking = false;
    await interfering;

    await expect
      .poll(async () => {
        const { conflict, save, listing } = await pages[0]!.state();
        if (conflict) await pages[0]!.post('/api/conflict', { keep: 'theirs' });
        return [
          save.state,
          JSON.stringify(listing) === JSON.stringify(JSON.parse(await readFile(file, 'utf8'))),
        ];
      })
      .toEqual(['saved', true]);
    const { kept } = await pages[0]!.state();
    const names = await namesBeside(file);
    const versions = names.filter((name) => name.startsWith('listing.json.kept-'));
    expect([...kept].sort()).toEqual(versions);
    const texts = await Promise.all(
      ['listing.json', ...versions].map((name) => readFile(path.join(path.dirname(file), name), 'utf8')),
    );
    const has = (field: string) => texts.some((text) => text.includes(`"${field}"`));
    const made = ['first', 'second'].flatMap((name) =>
      Array.from({ length: EDITS }, (_, index) => `x-${name}-${index}`),
    );
    const others = Array.from({ length: written }, (_, index) => `x-other-${index}`);
    expect([...made, ...others].filter((field) => !has(field))).toEqual([]);
    if (process.env.STUDIO_EDITS !== undefined)
      console.log(
        `${made.length} edits, ${written} writes: ${shown.conflicts} questions, ${shown.reloads.size} reloads, ${kept.length} kept`,
      );
    for (const program of programs) program.kill('SIGINT');
    for (const program of programs) expect(await program.finished).toMatchObject({ exitCode: 0 });
    expect((await namesBeside(file)).filter((name) => !versions.includes(name))).toEqual(['listing.json']);
  },
  60_000 + EDITS * 4_000,
);

it('a studio that was killed leaves its listing free, and nothing beside it after the next start', async () => {
  const file = await aListing('killed');
  const precious = ['.listing.json.abc.tmp', '.listing.json.studio-lock-mine', 'listing.json.kept-1'];
  for (const name of precious) await writeFile(path.join(path.dirname(file), name), 'of the user');
  const killed = open(file);
  const page = await aPage(await addressOf(killed));
  expect((await page.edit('x-a')).save.state).toBe('saved');
  const copy = path.join(desk.root, 'copied');
  await cp(path.dirname(file), copy, { recursive: true });
  const saving = page.edit('x-b').catch(() => null);
  killed.kill('SIGKILL');
  await Promise.all([killed.finished, saving]);
  expect(await namesBeside(file)).toContain('.listing.json.studio-lock');

  const next = open(file);
  const { listing } = await (await aPage(await addressOf(next))).state();
  expect(listing).toMatchObject({ id: 'killed', 'x-a': 1 });
  // The folder was copied with the lock of a process that lives.
  await cp(path.dirname(file), path.join(desk.root, 'copied-alive'), { recursive: true });
  for (const folder of [copy, path.join(desk.root, 'copied-alive')]) {
    const other = open(path.join(folder, 'listing.json'));
    const { file: opened } = await (await aPage(await addressOf(other))).state();
    expect(path.basename(opened.folder)).toBe(path.basename(folder));
    other.kill('SIGINT');
    await other.finished;
    expect((await readdir(folder)).sort()).toEqual(['listing.json', ...precious].sort());
  }
  next.kill('SIGINT');
  await next.finished;
  expect(await namesBeside(file)).toEqual(['listing.json', ...precious].sort());
}, 120_000);
