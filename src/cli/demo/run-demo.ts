/** The work of `demo`: copies the sample, and opens the studio on it. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAbsent, toOutputError } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { packageFile } from '../../platform/program-files.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun, GlobalOptions } from '../command-run.ts';
import { serveStudio } from '../studio/run-studio.ts';
import type { StudioFlags } from '../studio/studio-options.ts';
import { escapeText } from '../terminal/escape-text.ts';

interface DemoFlags extends StudioFlags {
  readonly out?: string;
}

/** What the sample listing consists of. The listing is the last: a folder that has it has the photos, too. */
const SAMPLE = ['logo.png', 'agents', 'photos', 'listing.json'];

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

async function copySample(folder: string, name: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown): string[] => {
    if (isAbsent(error)) return [];
    throw toOutputError(error, folder);
  });
  if (there.includes('listing.json')) return;
  if (there.length > 0)
    throw usageError(`--out: ${name} is not empty`, 'name a new folder: listing-video demo --out sample');
  try {
    await makeFolder(folder, false, 0o777);
    for (const part of SAMPLE)
      await cp(packageFile(`fixtures/${part}`), path.join(folder, part), { recursive: true, force: false });
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

async function isUntouched(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes('listing.json')) return true;
  const files = [path.join(folder, 'listing.json'), packageFile('fixtures/listing.json')];
  const [copy, sample] = await Promise.all(files.map((file) => readFile(file)));
  return names.length === SAMPLE.length && copy!.equals(sample!);
}
