/** Uses an installed program once in each way: help, doctor, a video from the command line, a video from the API. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { decodeVideo } from '../e2e/decode-video.ts';
import { ROOT } from './programs.ts';

const LISTING = path.join(ROOT, 'fixtures', 'small', 'listing.json');
/** Of `doctor` and `create` when something must be installed first. */
const NOT_READY = 3;

export interface Installed {
  /** The program, and its first words. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Empty, for what is made. */
  readonly folder: string;
}

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws Error when a step does not do what it should. */
export async function tryComplete(installed: Installed): Promise<void> {
  await tryHelp(installed);
  const doctor = await run(installed, ['doctor', '--json']);
  check(doctor.exitCode === 0 && JSON.parse(doctor.stdout).ok === true, 'doctor', doctor);
  const create = await run(installed, ['create', LISTING, '--quality', 'draft', '--json']);
  check(create.exitCode === 0, 'create', create);
  await checkVideos(path.join(installed.folder, 'videos', 'small'), 'create');
  await tryServer(installed);
}

/** The program starts, and names what is missing. @throws Error when it does not. */
export async function tryIncomplete(installed: Installed): Promise<void> {
  for (const words of [['doctor'], ['create', LISTING, '--quality', 'draft']]) {
    const ended = await run(installed, words);
    check(ended.exitCode === NOT_READY && /npm /.test(ended.stdout + ended.stderr), words.join(' '), ended);
  }
}

async function tryHelp(installed: Installed): Promise<void> {
  const help = await run(installed, ['--help']);
  check(help.exitCode === 0 && help.stdout.includes('create'), '--help', help);
}

async function tryServer(installed: Installed): Promise<void> {
  const server = start(installed, ['serve', '--port', '0', '--quality', 'draft']);
  try {
    await renderThrough(await server.says(/listening on (http:\S+)/), installed.folder);
  } finally {
    server.child.kill('SIGTERM');
    await server.finished;
  }
  const { exitCode, stderr } = await server.finished;
  if (exitCode !== 0) throw new Error(`serve: exit code ${exitCode} after SIGTERM\n${stderr}`);
}

/** Sends a listing to the API at `url` and checks the video. @throws Error when it is not as it should be. */
export async function renderThrough(url: string, folder: string): Promise<void> {
  const photos = createServer(async ({ url = '' }, response) => {
    const photo = path.join(path.dirname(LISTING), 'photos', path.basename(url));
    response.end(await readFile(photo));
  });
  await once(photos.listen(0, '127.0.0.1'), 'listening');
  try {
    const listing = JSON.parse(await readFile(LISTING, 'utf8'));
    const { port } = photos.address() as AddressInfo;
    for (const asset of listing.assets) asset.url = `http://127.0.0.1:${port}/${path.basename(asset.url)}`;
    const accepted = await fetch(`${url}/v1/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(listing),
    });
    const { id } = (await accepted.json()) as { id: string };
    const task = await ended(`${url}/v1/tasks/${id}`);
    if (task.state !== 'SUCCEEDED') throw new Error(`serve: the task ended as ${JSON.stringify(task)}`);
    const video = path.join(folder, 'served.mp4');
    const answer = await fetch(task.results[0]?.url ?? '');
    await writeFile(video, Buffer.from(await answer.arrayBuffer()));
    await checkVideo(video, 'serve');
  } finally {
    photos.close();
  }
}

interface TaskAnswer {
  readonly state: string;
  readonly results: readonly { url: string }[];
}

/** The task once it has ended. @throws Error after five minutes. */
async function ended(url: string): Promise<TaskAnswer> {
  const signal = AbortSignal.timeout(5 * 60_000);
  for (;;) {
    const task = (await (await fetch(url, { signal })).json()) as TaskAnswer;
    if (task.state !== 'PENDING' && task.state !== 'RUNNING') return task;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function checkVideos(folder: string, step: string): Promise<void> {
  const videos = (await readdir(folder)).filter((name) => name.endsWith('.mp4'));
  if (videos.length !== 1) throw new Error(`${step}: ${videos.length} videos`);
  for (const name of videos) await checkVideo(path.join(folder, name), step);
}

export async function checkVideo(file: string, step: string): Promise<void> {
  const { frames, hasAudio } = await decodeVideo(file);
  if (frames < 100 || !hasAudio) throw new Error(`${step}: ${frames} frames, audio: ${hasAudio}`);
}

export function check(isRight: boolean, step: string, { exitCode, stdout, stderr }: Ended): void {
  if (!isRight)
    throw new Error(`${step}: exit code ${exitCode}\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
}

export function run(installed: Installed, words: readonly string[]): Promise<Ended> {
  return start(installed, words).finished;
}

/** Starts the program with a data folder of its own. */
export function start({ command: [program, ...first], env, folder }: Installed, words: readonly string[]) {
  const child = spawn(program!, [...first, ...words, '--home', path.join(folder, 'home')], {
    cwd: folder,
    env: { ...env, CI: '1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const finished = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  /** The first group of the pattern, once stdout has it, which can be before this is called. */
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(stdout)?.[1];
        if (found !== undefined) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      finished.then(() => reject(new Error(`${words[0]} ended early:\n${stderr}`)), reject);
    });
  return { child, finished, says };
}
