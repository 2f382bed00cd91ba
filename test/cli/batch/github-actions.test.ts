/** `create` as a step of GitHub Actions: what its runner takes for a command, and what it must not. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { folderOf, listing } from '../listing-files.ts';
import { type AnyJson, outcomeOf, run, type VideoHandler } from '../run-cli.ts';

interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const unescapeData = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
const unescapeProperty = (text: string): string =>
  unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));

/** The commands that the runner would find in a log, by its own two rules (actions/runner, ActionCommand.cs). */
function commandsIn(log: string): RunnerCommand[] {
  return log.split('\n').flatMap((line) => {
    const found = /^[\s\uFEFF]*::([^ :]+)(?: ((?:(?!::).)*))?::(.*)$/u.exec(line);
    if (found) {
      const pairs = (found[2] ?? '').split(',').map((pair) => pair.split(/=(.*)/s));
      const properties = Object.fromEntries(
        pairs.map(([key, value]) => [key, unescapeProperty(value ?? '')]),
      );
      return [{ name: found[1]!, properties, data: unescapeData(found[3]!) }];
    }
    const old = /##\[([^\]\s]+)[^\]]*\](.*)$/u.exec(line);
    return old ? [{ name: old[1]!, properties: {}, data: old[2]! }] : [];
  });
}

const env = (cwd: string) => ({ GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_WORKSPACE: path.dirname(cwd) });

describe('annotations', () => {
  it('point at the place in the file, relative to the repository', async () => {
    const bad = JSON.stringify({ ...listing('two'), bedrooms: -1 }, null, 2);
    const lines = `${JSON.stringify(listing('three'))}\n{"id": 1}\n`;
    const cwd = await folderOf({ '1.json': '{\n  oops', '2.json': bad, 'new.ndjson': lines });
    const { stderr } = await run(['create', '1.json', '2.json', 'new.ndjson'], { cwd, env: env(cwd) });
    const folder = path.basename(cwd);
    const lineOfBedrooms = bad.split('\n').findIndex((text) => text.includes('bedrooms')) + 1;
    expect(commandsIn(stderr)).toMatchObject([
      { name: 'error', properties: { file: `${folder}/1.json`, line: '2', col: '3' } },
      { name: 'error', properties: { file: `${folder}/2.json`, line: String(lineOfBedrooms), col: '15' } },
      ...['assets', 'agents', 'id'].map((key) => ({
        name: 'error',
        properties: { file: `${folder}/new.ndjson`, line: '2', col: key === 'id' ? '8' : '1' },
        data: expect.stringContaining(`new.ndjson:2: ${key}: `),
      })),
    ]);
    expect(commandsIn(stderr)[1]!.data).toBe('2.json: bedrooms: expected 0 or more, found -1');
    const validated = await run(['validate', '2.json'], { cwd, env: env(cwd) });
    expect(commandsIn(validated.stderr)).toEqual([commandsIn(stderr)[1]]);
  });

  it('tell of failures and of dropped assets, and are not there elsewhere', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two') });
    const handler: VideoHandler = async (task) => {
      const payload = task.payload;
      if (payload.listing.id === 'one')
        throw new ListingVideoError('encode_failed', 'broken', { hint: 'doctor' });
      return { ...outcomeOf(payload), dropped_assets: [{ url: 'a.jpg', reason: 'corrupt: x' }] };
    };
    const { stderr } = await run(['create', '.'], { cwd, handler, env: env(cwd) });
    expect(commandsIn(stderr).map(({ name, data }) => [name, data])).toEqual([
      ['error', '1.json: broken; try: doctor'],
      ['warning', '2.json: left out a.jpg: corrupt: x'],
    ]);
    expect(commandsIn((await run(['create', '.'], { cwd, handler })).stderr)).toEqual([]);
  });

  it('are at most ten of a kind, since GitHub shows no more; the tenth names the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.json`, '{']));
    const cwd = await folderOf({ ...files, 'z.json': listing() });
    const found = commandsIn((await run(['create', '.'], { cwd, env: env(cwd) })).stderr);
    expect(found).toHaveLength(10);
    expect(found[9]!.data).toBe('3 more errors in 9.json, 10.json, 11.json');
  });

  it('name no file outside the repository, and none for stdin', async () => {
    const cwd = await folderOf({ 'a.json': '{' });
    const outside = { ...env(cwd), GITHUB_WORKSPACE: path.join(cwd, 'repository') };
    const file = await run(['create', 'a.json'], { cwd, env: outside });
    expect(commandsIn(file.stderr)[0]!.properties).not.toHaveProperty('file');
    const stdin = await run(['create', '-'], { cwd, stdin: '{', env: env(cwd) });
    expect(commandsIn(stdin.stderr)[0]!.properties).not.toHaveProperty('file');
  });
});

describe('text from outside', () => {
  const names = [
    '::add-mask::x',
    '##[error]x',
    'a,line=9::b%0A::warning::c',
    ' ::stop-commands::t',
    '\n::error::y',
  ];
  const handler: VideoHandler = async (task) => {
    const { listing: given } = task.payload as AnyJson;
    const context = { dropped_assets: names.map((url) => ({ url, reason: `corrupt: ${url}` })) };
    throw new ListingVideoError('render_failed', `${given.id}`, { hint: names[1]!, context });
  };

  it('never becomes a command of its own', async () => {
    const files = Object.fromEntries(names.map((name) => [`in/${name}.json`, listing(name)]));
    const cwd = await folderOf({ ...files, 'in/::debug::bad.json': `{"id": "${names[1]}",\n::error::}` });
    // A glob finds no name with a line break in it; a person may still give one.
    const words = ['create', 'in/::debug::bad.json', 'in', 'in/\n::error::y.json'];
    const { stdout, stderr } = await run(words, { cwd, env: env(cwd), handler });
    const found = commandsIn(`${stdout}\n${stderr}`);
    expect(found.map(({ name }) => name)).toEqual(Array(names.length + 1).fill('error'));
    for (const { properties } of found) {
      expect(
        Object.keys(properties).filter((key) => !['file', 'line', 'col', 'title'].includes(key)),
      ).toEqual([]);
    }
    // What the annotation says is what was there, line breaks and controls made visible.
    expect(found.map(({ properties }) => properties.file)).toContain(
      `${path.basename(cwd)}/in/a,line=9::b%0A::warning::c.json`,
    );
  });

  it('in JSON keeps its value', async () => {
    const cwd = await folderOf({ 'a.json': listing('##[error]x', []) });
    const { stdout, json } = await run(['create', 'a.json', '--json'], { cwd, env: env(cwd) });
    expect(commandsIn(stdout)).toEqual([]);
    const made = await folderOf({ '##[error]x.json': listing() });
    const printed = await run(['create', '.', '--json'], { cwd: made, env: env(made) });
    expect(commandsIn(printed.stdout)).toEqual([]);
    expect(printed.json().data[0].listing_file).toBe('##[error]x.json');
    expect(json().error.code).toBe('invalid_listing');
  });

  it('at the start of a line of stdout and stderr is made visible', async () => {
    const cwd = await folderOf({ '::error::a.json': listing() });
    const { stderr } = await run(['create', '::error::a.json'], { cwd, env: env(cwd) });
    expect(stderr).toMatch(/^\\x3a:error::a\.json: 50 %/m);
    expect((await run(['create', '::error::a.json'], { cwd })).stderr).toMatch(/^::error::a\.json: 50 %/m);
  });
});
