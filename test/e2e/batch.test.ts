/**
 * The workflow of the guide to CI and the action that it uses, run as a runner would: first with a listing that fails,
 * then again after it is fixed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Desk, type Finished, SMALL_LISTING } from './program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const desk = new Desk();
afterAll(() => desk.close());

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const guide = await readFile(path.join(ROOT, 'src', 'cli', 'help', 'ci.md'), 'utf8');
const [[, workflowText = ''] = [], [, pullRequestText = ''] = [], ...otherWorkflows] =
  guide.matchAll(/```yaml\n([\s\S]*?)```/g);
const workflow = parse(workflowText);
const job: { strategy: AnyJson; steps: Step[] } = workflow.jobs.render;
const ACTION = '.github/actions/render';
const action: { inputs: Record<string, AnyJson>; runs: { using: string; steps: Step[] } } = parse(
  await readFile(path.join(ROOT, ACTION, 'action.yml'), 'utf8'),
);
const step = job.steps.at(-1)!;

const workspace = path.join(desk.root, 'repository');

/** The runner of one shard: what `${{ … }}` stands for there. */
function fillIn(text: string, shard: number, values: Readonly<Record<string, string>> = {}): string {
  const known: Record<string, string> = {
    'matrix.shard': String(shard),
    'github.workspace': workspace,
    'github.run_id': '1',
    'github.run_attempt': '1',
    ...values,
  };
  return String(text).replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    expect(known).toHaveProperty([name]);
    return known[name]!;
  });
}

/** Inputs of the action on the runner of a shard, with the given ones in place of those of the workflow. */
function inputsOf(shard: number, given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inputs = Object.entries(action.inputs).map(([name, { default: value }]) => {
    return [`inputs.${name}`, given[name] ?? fillIn(step.with?.[name] ?? value, shard)];
  });
  return Object.fromEntries(inputs);
}

async function writeListing(name: string, photo: (url: string) => string): Promise<void> {
  const listing = JSON.parse(await readFile(SMALL_LISTING, 'utf8'));
  listing.id = name;
  listing.agents[0].last_name = `Of ${name}`;
  // Else each listing has music and beats of its own, and shares no scene.
  listing.agents[0].video_options = { template_id: 'classic', template_data: { music: 'classic' } };
  for (const asset of listing.assets) asset.url = photo(asset.url);
  await writeFile(path.join(workspace, 'listings', `${name}.json`), JSON.stringify(listing));
}

/** Runs a script as the runner does: `bash -e -o pipefail`, from the workspace. */
function runScript(script: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
    cwd: workspace,
    env: {
      ...process.env,
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, RUNNER_TEMP: desk.root },
      ...{ LISTING_VIDEO_QUALITY: 'draft', ...env },
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

interface ActionRun extends Finished {
  /** What the expressions of the steps stand for. */
  readonly values: Readonly<Record<string, string>>;
}

/** Runs the scripts of the action; the first script chooses names, the second renders. */
async function render(shard: number, given: Readonly<Record<string, string>> = {}): Promise<ActionRun> {
  const values: Record<string, string> = inputsOf(shard, given);
  const ended: Finished[] = [];
  for (const { id, run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const output = path.join(desk.root, `output-${shard}`);
    await writeFile(output, '');
    const filled = Object.entries(env).map(([name, value]) => [name, fillIn(value, shard, values)]);
    // A script takes its inputs from the environment: inside the text they could be commands.
    expect(run).not.toContain('${{');
    ended.push(await runScript(run, { ...Object.fromEntries(filled), GITHUB_OUTPUT: output }));
    for (const line of (await readFile(output, 'utf8')).trim().split('\n')) {
      const [name = '', value = ''] = line.split('=');
      if (id !== undefined) values[`steps.${id}.outputs.${name}`] = value;
    }
  }
  expect(ended).toHaveLength(2);
  expect(ended[0]).toMatchObject({ exitCode: 0, stderr: '' });
  return { ...ended[1]!, values };
}

/** What the steps after it keep and upload is there. */
async function expectKept({ values }: ActionRun): Promise<void> {
  const paths = action.runs.steps.flatMap(({ with: options }) => options?.path?.trim().split('\n') ?? []);
  expect(paths).toHaveLength(6);
  for (const each of paths)
    expect(existsSync(path.join(workspace, fillIn(each, 1, values).trim())), each).toBe(true);
}

async function manifest(shard: number): Promise<AnyJson> {
  return JSON.parse(await readFile(path.join(workspace, 'videos', `manifest-${shard}-of-2.json`), 'utf8'));
}

describe('the workflow', () => {
  it('installs the package and then calls the action that the package brings', async () => {
    expect(otherWorkflows).toEqual([]);
    expect(job.steps.map(({ uses, run }) => uses ?? run)).toEqual([
      'actions/checkout@v4',
      'actions/setup-node@v4',
      'sha256sum --check listing-video.sha256 && npm ci',
      `./node_modules/listing-video/${ACTION}`,
    ]);
    const { files } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    expect(files).toContain(path.dirname(ACTION));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    // Every shard that the matrix starts is a part of the same number of parts.
    expect(step.with?.shard).toBe(`\${{ matrix.shard }}/${job.strategy.matrix.shard.length}`);
  });

  it('for pull requests runs nothing of theirs, and gives them nothing', () => {
    const { on, permissions, jobs } = parse(pullRequestText);
    // Not pull_request_target, which has the secrets of the repository.
    expect(Object.keys(on)).toEqual(['pull_request']);
    expect(permissions).toEqual({ contents: 'read' });
    const steps: (Step & { with: AnyJson })[] = jobs.render.steps;
    const [own, theirs, , install, render] = steps;
    expect(own!.with.ref).toContain('github.event.pull_request.base.sha');
    expect([own!.with, theirs!.with].map((each) => each['persist-credentials'])).toEqual([false, false]);
    expect(install!.run).toBe('sha256sum --check listing-video.sha256 && npm ci');
    expect(render!.with).toEqual({ listings: `${theirs!.with.path}/listings/`, untrusted: true });
  });

  it('has every input of the action in the guide, with its default', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (?:`([^`]*)`|none) \|/gm)];
    expect(Object.fromEntries(rows.map(([, name, value = '']) => [name, value]))).toEqual(
      Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])),
    );
  });
});

describe('the action', () => {
  let first: ActionRun;
  let second: ActionRun;
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
    await expectKept(first);
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

  it('is composed of known actions, and saves and uploads also after a failure', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps.map(({ uses, run, shell }) => uses ?? (run && shell))).toEqual([
      'bash',
      'actions/cache/restore@v4',
      'bash',
      'actions/cache/save@v4',
      'actions/upload-artifact@v4',
    ]);
    const [, restore, , save, upload] = action.runs.steps;
    expect([restore!.with!.path, restore!.with!.key]).toEqual([save!.with!.path, save!.with!.key]);
    expect(save!.with!.key!.startsWith(restore!.with!['restore-keys']!)).toBe(true);
    expect([restore!.if, save!.if, upload!.if]).toEqual([
      "inputs.cache == 'true'",
      "always() && inputs.cache == 'true'",
      "always() && inputs.upload == 'true'",
    ]);
  });

  it('names what it keeps and uploads by its shard', () => {
    const [, , , save, upload] = action.runs.steps;
    expect(fillIn(upload!.with!.name!, 1, first.values)).toBe('videos-1-of-2');
    expect(fillIn(save!.with!.key!, 2, second.values)).toBe('listing-video-videos-2-of-2-1-1');
  });

  it('leaves the reports where they are uploaded from', async () => {
    const junit = await readFile(path.join(workspace, 'reports', 'junit-1-of-2.xml'), 'utf8');
    expect(junit).toContain('<testsuite name="listing-video" tests="2" failures="1" errors="0" skipped="0"');
    const events = (await readFile(path.join(workspace, 'reports', 'events-1-of-2.ndjson'), 'utf8'))
      .trim()
      .split('\n');
    expect(JSON.parse(events.at(-1)!)).toMatchObject({ type: 'run.completed', exit_code: 1 });
  });

  it('run again with the listing fixed makes only that one', async () => {
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

  it('shows where a listing of a stranger names a file outside its folder', async () => {
    await writeListing('e', (url) => url.replace('photos/', '../photos/'));
    const made = await render(1, { listings: 'listings/e.json', shard: '', untrusted: 'true' });
    expect(made.exitCode).toBe(2);
    expect(made.stderr).toMatch(
      /^::error file=listings\/e\.json,line=\d+.*outside the folder of the listing/m,
    );
  });

  it('takes options with quotes and spaces as they are, and runs nothing that stands in them', async () => {
    const made = await render(1, {
      listings: 'listings/a.json "listings/b.json"',
      shard: '',
      args: `--no-preview --data headline="Open house; touch ${workspace}/pwned $(touch ${workspace}/pwned)"`,
    });
    expect(made).toMatchObject({ exitCode: 0 });
    expect(made.values['steps.names.outputs.artifact']).toBe('videos');
    const report = await readFile(path.join(workspace, 'videos', 'b', 'report.json'), 'utf8');
    expect(report).toContain(`Open house; touch ${workspace}/pwned $(touch`);
    expect(existsSync(path.join(workspace, 'pwned'))).toBe(false);
  });
});
