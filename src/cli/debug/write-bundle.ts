/**
 * The zip file that `--debug` writes when a command fails, to reproduce the failure elsewhere: command, settings with
 * sources, facts of the machine, listings with local photos, tasks and output, without secrets.
 */
import { mkdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { SETTING_NAMES, SETTINGS, shownValue } from '../../platform/settings/setting-table.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { stacksOf, toErrorDocument, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { BundledFiles, packListing } from './pack-listing.ts';
import { isSecretName, redactText, redactWords, secretsOf } from './redact.ts';

interface PackedText {
  readonly name: string;
  readonly text: string;
}

export interface FailedRun {
  readonly argv: readonly string[];
  readonly exitCode: number;
  /** What was thrown; undefined when the command returned its exit code. */
  readonly error: unknown;
  readonly startedMs: number;
  readonly lines: readonly string[];
}

/** Photos beyond this are listed, not packed: most trackers refuse larger files. */
const MAX_PHOTO_BYTES = 100_000_000;
const MAX_LISTING_BYTES = 4_194_304;
/** Variables that change the program's behavior. */
const REPORTED_ENV =
  /^(LISTING_VIDEO_|FFMPEG_BIN$|PATH$|TERM|COLORTERM$|NO_COLOR$|FORCE_|CI$|GITHUB_ACTIONS$|LANG$|LC_|NODE_|https?_proxy$|no_proxy$|TMPDIR$|UV_)/i;

/** @returns The path of the bundle, in `<home>/debug`, or in the temporary folder when that cannot be written. */
export async function writeBundle(run: CommandRun, failed: FailedRun): Promise<string> {
  const secrets = [...secretsOf(run.host.env), ...(await secretSettings(run))];
  const settings = await run.settings().catch(() => null);
  const bundled = new BundledFiles(MAX_PHOTO_BYTES, settings?.untrusted !== false);
  const texts = [
    ...(await packInputs(run, bundled)),
    ...(await packTasks(run, failed.startedMs, bundled)),
    { name: 'output.txt', text: `${failed.lines.join('\n')}\n` },
    { name: 'machine.json', text: toJson(await describeMachine(run)) },
  ];
  const about = {
    format: 1,
    created_at: new Date(run.host.nowMs()).toISOString(),
    version: run.host.version,
    command: ['listing-video', ...redactWords(failed.argv, secrets)],
    exit_code: failed.exitCode,
    error: failed.error === undefined ? null : toErrorDocument(toListingVideoError(failed.error)).error,
    stack: failed.error === undefined ? null : stacksOf(failed.error),
    settings: await describeSettings(run),
    env: describeEnvironment(run.host.env),
    pictures_left_out: bundled.leftOut,
  };
  const entries: Zippable = {};
  for (const { name, text } of [{ name: 'bundle.json', text: toJson(about) }, README, ...texts])
    entries[name] = strToU8(redactText(text, secrets));
  // Images are compressed already.
  for (const { name, path: file } of bundled.files) entries[name] = [await readFile(file), { level: 0 }];
  const name = `listing-video-${new Date(run.host.nowMs()).toISOString().replace(/[-:.]/g, '')}-${process.pid}.zip`;
  return writeSomewhere(await foldersFor(run), name, zipSync(entries));
}

const README: PackedText = {
  name: 'README.txt',
  text:
    'bundle.json holds the failed command, its error and its settings; output.txt is its output.\n' +
    'To reproduce the failure: unpack this file, then run the command with listing-1.json and so on as its listings.\n' +
    'Secrets are removed. Listings and photos are unchanged: check them before you share this file.\n',
};

async function packInputs(run: CommandRun, bundled: BundledFiles): Promise<PackedText[]> {
  const { cwd } = await run.host.machine();
  const texts: PackedText[] = [];
  for (const [index, word] of run.args.entries()) {
    const file = path.resolve(cwd, word);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile() || found.size > MAX_LISTING_BYTES) continue;
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    // It names the photos relative to itself.
    const name = `listing-${index + 1}.json`;
    texts.push({ name, text: repack(text, path.dirname(file), bundled) });
  }
  return texts;
}

/** Text that is not JSON can be the cause of the failure: it is kept unchanged. */
function repack(text: string, baseDir: string, bundled: BundledFiles): string {
  try {
    return toJson(packListing(JSON.parse(text), baseDir, bundled));
  } catch {
    return text;
  }
}

async function packTasks(run: CommandRun, startedMs: number, bundled: BundledFiles): Promise<PackedText[]> {
  try {
    const { engine } = await run.backend();
    const { data } = await engine.list({ limit: 100 });
    const tasks = data.filter(
      ({ id, createdAt }) => Date.parse(createdAt) >= startedMs || run.args.includes(id),
    );
    const packed = tasks.map(async (task) => ({
      name: `tasks/${task.id}.json`,
      text: toJson({ ...task, payload: packPayload(await engine.payload(task.id), bundled) }),
    }));
    return await Promise.all(packed);
  } catch (error) {
    return [{ name: 'tasks/unreadable.txt', text: String(error) }];
  }
}

function packPayload(payload: VideoTaskPayload | null, bundled: BundledFiles): unknown {
  if (payload === null || payload.baseDir === null) return payload;
  return { ...payload, listing: packListing(payload.listing, payload.baseDir, bundled) };
}

async function describeMachine(run: CommandRun): Promise<object> {
  const facts = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    system: `${os.type()} ${os.release()}`,
    cpus: os.cpus().map(({ model }) => model),
    memory_bytes: { total: os.totalmem(), free: os.freemem() },
  };
  try {
    const { checkMachine } = await import('../doctor/check-machine.ts');
    const options = { env: run.host.env, signal: AbortSignal.timeout(20_000) };
    return { ...facts, checks: await checkMachine(await run.resolvedSettings(), options) };
  } catch (error) {
    return { ...facts, checks: String(error) };
  }
}

/** Secrets of flags and config.json, which are not in the environment. */
async function secretSettings(run: CommandRun): Promise<string[]> {
  const settings = await run.settings().catch(() => null);
  return [settings?.key, settings?.database].filter((secret) => secret !== undefined);
}

async function describeSettings(run: CommandRun): Promise<unknown> {
  try {
    const resolved = await run.resolvedSettings();
    return SETTING_NAMES.map((name) => ({
      key: SETTINGS[name].flag.slice(2),
      value: shownValue(name, resolved[name].value ?? null),
      source: resolved[name].source,
    }));
  } catch (error) {
    return String(error);
  }
}

function describeEnvironment(env: CommandRun['host']['env']): Record<string, string | undefined> {
  const reported = Object.entries(env).filter(([name]) => REPORTED_ENV.test(name));
  return Object.fromEntries(
    reported.map(([name, value]) => [name, isSecretName(name) ? '[redacted]' : value]),
  );
}

async function foldersFor(run: CommandRun): Promise<string[]> {
  const home = await run.settings().then(
    (settings) => [path.join(settings.home, 'debug')],
    () => [],
  );
  return [...home, os.tmpdir()];
}

async function writeSomewhere(folders: readonly string[], name: string, zip: Uint8Array): Promise<string> {
  let last: unknown;
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true });
      const target = path.join(folder, name);
      await writeFileAtomically(target, zip, { durable: false });
      return target;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
