/** The work of `demo`: copies the sample, and opens the studio on it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageFile } from '../../platform/program-files.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun, GlobalOptions } from '../command-run.ts';
import { serveStudio } from '../studio/run-studio.ts';
import type { StudioFlags } from '../studio/studio-options.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { copySample, SAMPLE } from './copy-sample.ts';

interface DemoFlags extends StudioFlags {
  readonly out?: string;
}

export async function runDemo(run: CommandRun<DemoFlags>): Promise<number> {
  const { out } = run.options;
  if (out === '')
    throw usageError('--out: the name of the folder is empty', 'listing-video demo --out sample');
  if (out !== undefined) {
    const { cwd } = await run.host.machine();
    return openSample(run, path.resolve(cwd, out), out);
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-demo-'));
  try {
    return await openSample(run, folder, folder);
  } finally {
    // What was changed or rendered in it stays.
    if (await isUntouched(folder)) await rm(folder, { recursive: true, force: true });
    else run.info(`your work is in ${escapeText(folder)}`);
  }
}

/** @param name - Of the folder, as the person knows it. */
async function openSample(run: CommandRun<DemoFlags>, folder: string, name: string): Promise<number> {
  await copySample(folder, name);
  run.info(`the sample is in ${escapeText(folder)}`);
  const options = { ...run.options, out: path.join(folder, 'videos') } as StudioFlags & GlobalOptions;
  return serveStudio(run.follow<StudioFlags>([], options), { listing: path.join(folder, 'listing.json') });
}

async function isUntouched(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes('listing.json')) return true;
  const files = [path.join(folder, 'listing.json'), packageFile('fixtures/listing.json')];
  const [copy, sample] = await Promise.all(files.map((file) => readFile(file)));
  return names.length === SAMPLE.length && copy!.equals(sample!);
}
