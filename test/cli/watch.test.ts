/** `create --watch`: what makes it render again, and what ends it. Time stands still but for the looks it takes. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agent, folderOf, listing } from './listing-files.ts';
import { type CliRun, outcomeOf, run } from './run-cli.ts';

type Step = (cwd: string) => Promise<unknown> | unknown;

/** Runs the command; each wait of its own for a change is the next step's turn, after the last comes Ctrl-C. */
async function watch(
  files: Record<string, unknown>,
  steps: readonly Step[],
  words: readonly string[] = [],
): Promise<CliRun & { streets: (string | undefined)[] }> {
  const cwd = await folderOf(files);
  const interrupt = new AbortController();
  const streets: (string | undefined)[] = [];
  const rest = [...steps];
  const result = await run(['create', 'a.json', '--watch', ...words], {
    cwd,
    interrupted: interrupt.signal,
    handler: async (task) => {
      const payload = task.payload;
      streets.push(payload.listing.address?.street);
      return outcomeOf(payload);
    },
    delay: async (durationMs, signal) => {
      // Only while it waits: while a change settles, nothing happens.
      if (durationMs < 500) return;
      const step = rest.shift();
      if (step) await step(cwd);
      else interrupt.abort();
      signal.throwIfAborted();
    },
  });
  return { ...result, streets };
}

const at = (street: string) => ({ ...listing('L', [agent('ann')]), address: { street } });
const put = (name: string, content: unknown) => (cwd: string) =>
  writeFile(path.join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('create --watch', () => {
  it('renders again after a change of the listing, and ends with 0 on Ctrl-C', async () => {
    const { exitCode, streets, stderr, isBackendClosed } = await watch({ 'a.json': at('1 Old Road') }, [
      () => undefined,
      put('a.json', at('22 New Street')),
      put('other.txt', 'no file of ours'),
    ]);
    expect([exitCode, streets, isBackendClosed]).toEqual([0, ['1 Old Road', '22 New Street'], true]);
    expect(stderr).toContain('changed: a.json\n');
  });

  it('tells a broken edit and goes on', async () => {
    const { exitCode, streets, stderr } = await watch({ 'a.json': at('1 Old Road') }, [
      put('a.json', '{ "id": '),
      (cwd) => rm(path.join(cwd, 'a.json')),
      put('a.json', { id: 'L' }),
      put('a.json', at('22 New Street')),
    ]);
    expect([exitCode, streets]).toEqual([0, ['1 Old Road', '22 New Street']]);
    expect(stderr.match(/^error: /gm)).toHaveLength(3);
    expect(stderr).toContain('not JSON');
    expect(stderr).toContain('no such file');
    expect(stderr).toContain('required, but missing');
  });

  it.each([
    ['a photo on this machine, also one that was not there', 'photos/0.jpg'],
    ['the original of an altered photo', 'empty.jpg'],
    ['a portrait', 'ann.jpg'],
    ['a picture in a data layer', 'logo.png'],
    ['the template of an agent', 'mine/plain/template.json'],
  ])('renders again after a change of %s', async (_, changed) => {
    const ann = {
      ...agent('ann', { template_id: 'modern', template_data: { logo: 'logo.png', cta: 'Call' } }),
      picture: 'ann.jpg',
    };
    const bob = agent('bob', { template_id: 'plain' });
    const { assets } = listing();
    const staged = { url: 'photos/0.jpg', altered: true, original: 'empty.jpg' };
    const files = {
      'a.json': { ...listing('L', [ann, bob]), assets: [staged, ...assets.slice(1)] },
      'photos/1.jpg': 'x',
      'logo.png': 'x',
      'mine/plain/template.json': '{}',
    };
    const { streets, stderr } = await watch(files, [put(changed, 'changed')], ['--templates-dir', 'mine']);
    // The program's double knows modern and classic only: what counts is that it tried again.
    expect(stderr).toContain(`changed: ${changed}`);
    expect(streets).toEqual([]);
  });

  it('waits until a file that is being written has settled', async () => {
    const cwd = await folderOf({ 'a.json': at('1 Old Road') });
    const interrupt = new AbortController();
    const seen: string[] = [];
    const writes = ['{', '{ "id": ', JSON.stringify(at('22 New Street'))];
    await run('create a.json --watch', {
      cwd,
      interrupted: interrupt.signal,
      handler: async (task) => {
        const payload = task.payload;
        seen.push(payload.listing.address?.street ?? '');
        return outcomeOf(payload);
      },
      delay: async (_, signal) => {
        const text = writes.shift();
        if (text !== undefined) await put('a.json', text)(cwd);
        else if (seen.length === 2) interrupt.abort();
        signal.throwIfAborted();
      },
    });
    expect(seen).toEqual(['1 Old Road', '22 New Street']);
  });

  it('ends with 130 when it is interrupted while rendering', async () => {
    const cwd = await folderOf({ 'a.json': at('1 Old Road') });
    const interrupt = new AbortController();
    const { exitCode } = await run('create a.json --watch', {
      cwd,
      interrupted: interrupt.signal,
      handler: async (_, { signal }) => {
        interrupt.abort();
        signal.throwIfAborted();
        throw new Error('was not interrupted');
      },
    });
    expect(exitCode).toBe(130);
  });

  it.each([
    [['create', '-', '--watch'], '--watch cannot read stdin'],
    [['create', 'a.json', '--watch', '--json'], '--watch cannot be combined with --json'],
    [['create', 'none.json', '--watch'], 'nothing to watch: none.json: no such file'],
  ])('refuses %j', async (words, message) => {
    const { exitCode, stderr, stdout } = await run(words, { files: { 'a.json': at('x') } });
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain(message);
  });
});
