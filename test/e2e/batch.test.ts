/** The workflow of README, its steps run as a runner would: first with a listing that fails, then again with it mended. */
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desk, type Finished, SMALL_LISTING } from './program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const desk = new Desk();
afterAll(() => desk.close());

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

/** The only workflow in README. */
async function readWorkflow(): Promise<string> {
  const found = [
    ...(await readFile(path.join(ROOT, 'README.md'), 'utf8')).matchAll(/```yaml\n([\s\S]*?)```/g),
  ];
  expect(found).toHaveLength(1);
  return found[0]![1]!;
}

/** Scripts of the steps that have one, in their order. */
function scriptsOf(workflow: string): string[] {
  const lines = workflow.split('\n');
  return lines.flatMap((line, index) => {
    const found = /^( *)(?:- )?run: (.*)$/.exec(line);
    if (!found) return [];
    if (found[2] !== '|') return [found[2]!];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((next) => !next.startsWith(`${found[1]}  `));
    return [rest.slice(0, end).join('\n')];
  });
}

/** What `${{ … }}` stands for on the runner of one shard. */
function fillIn(text: string, shard: number): string {
  const values: Record<string, string> = {
    'matrix.shard': String(shard),
    'github.workspace': workspace,
    'github.run_id': '1',
    'github.run_attempt': '1',
  };
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    expect(values).toHaveProperty([name]);
    return values[name]!;
  });
}

const workspace = path.join(desk.root, 'repository');

async function writeListing(name: string, photo: (url: string) => string): Promise<void> {
  const listing = JSON.parse(await readFile(SMALL_LISTING, 'utf8'));
  listing.id = name;
  listing.agents[0].last_name = `Of ${name}`;
  for (const asset of listing.assets) asset.url = photo(asset.url);
  await writeFile(path.join(workspace, 'listings', `${name}.json`), JSON.stringify(listing));
}

/** Runs the step that renders, as the runner does it: `bash -e`, from the workspace. */
async function render(shard: number): Promise<Finished> {
  const workflow = await readWorkflow();
  const home = /LISTING_VIDEO_HOME: (.*)/.exec(workflow)![1]!;
  const [install, script] = scriptsOf(workflow);
  expect(install).toBe('npm ci');
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', fillIn(script!, shard)], {
    cwd: workspace,
    env: {
      ...process.env,
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace },
      ...{ LISTING_VIDEO_HOME: fillIn(home, shard), LISTING_VIDEO_QUALITY: 'draft' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    texts.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    texts.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, ...texts }));
  });
}

async function manifest(shard: number): Promise<AnyJson> {
  return JSON.parse(await readFile(path.join(workspace, 'videos', `manifest-${shard}-of-2.json`), 'utf8'));
}

describe('the workflow of README', () => {
  let first: Finished;
  let second: Finished;
  beforeAll(async () => {
    const bin = path.join(workspace, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await mkdir(path.join(workspace, 'listings'));
    await cp(path.join(path.dirname(SMALL_LISTING), 'photos'), path.join(workspace, 'listings', 'photos'), {
      recursive: true,
    });
    // What `npm ci` would leave there.
    const launcher = path.join(ROOT, 'bin', 'listing-video.js');
    await writeFile(
      path.join(bin, 'listing-video'),
      `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`,
    );
    await chmod(path.join(bin, 'listing-video'), 0o755);
    await writeFile(path.join(workspace, 'package.json'), '{"private": true}');
    await writeListing('a', (url) => url);
    await writeListing('b', (url) => url);
    await writeListing('c', (url) => url.replace('photos/', 'gone/'));
    await writeListing('d', (url) => url);
    first = await render(1);
    // The other shard is another machine.
    await rm(path.join(workspace, '.listing-video'), { recursive: true });
    second = await render(2);
  });

  it('renders each shard, and fails the job whose listing failed, with an annotation', async () => {
    expect([first.exitCode, second.exitCode]).toEqual([1, 0]);
    expect(first.stderr).toMatch(
      /^::error file=listings\/c\.json,title=listing-video%3A failed::listings\/c\.json: no usable assets: 5 of 5 dropped/m,
    );
    expect((await manifest(1)).listings.map((each: AnyJson) => [each.listing_id, each.state])).toEqual([
      ['a', 'SUCCEEDED'],
      ['c', 'FAILED'],
    ]);
    expect(second.stdout.trim().split('\n').sort()).toEqual(
      ['b', 'd'].flatMap((id) => [`videos/${id}/a.mp4`, `videos/${id}/report.html`]).sort(),
    );
  });

  it('renders what two listings share once, though they were begun together', async () => {
    const reports = await Promise.all(
      ['b', 'd'].map(async (id) =>
        JSON.parse(await readFile(path.join(workspace, 'videos', id, 'report.json'), 'utf8')),
      ),
    );
    const rendered: number[] = reports.map(({ videos }) => videos[0].segments.rendered).sort((a, b) => a - b);
    // Whoever came second had only the card of its agent to render.
    expect(rendered[0]).toBe(1);
    expect(rendered[1]).toBeGreaterThan(2);
  });

  it('leaves the reports where they are uploaded from', async () => {
    const junit = await readFile(path.join(workspace, 'reports', 'junit-1.xml'), 'utf8');
    expect(junit).toContain('<testsuite name="listing-video" tests="2" failures="1" errors="0" skipped="0"');
    const events = (await readFile(path.join(workspace, 'reports', 'events-1.ndjson'), 'utf8'))
      .trim()
      .split('\n');
    expect(JSON.parse(events.at(-1)!)).toMatchObject({ type: 'run.completed', exit_code: 1 });
  });

  it('run again with the listing mended makes only that one', async () => {
    const before = await manifest(1);
    await writeListing('c', (url) => url);
    const again = await render(1);
    expect(again.exitCode).toBe(0);
    const after = await manifest(1);
    expect(after.listings.map((each: AnyJson) => [each.listing_id, each.is_unchanged])).toEqual([
      ['a', true],
      ['c', false],
    ]);
    expect(after.listings[0].videos).toEqual(before.listings[0].videos);
    expect(again.stderr).toMatch(/listings\/a\.json +SUCCEEDED +1 video, unchanged/);
  });
});
