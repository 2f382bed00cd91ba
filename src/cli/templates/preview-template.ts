/** The work of `templates preview`: finds template, listing, agent and time, and writes a still, sheet or clip. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../../listing/listing.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { parseDurationMs } from '../../platform/settings/parse-duration.ts';
import type { PreviewRequest } from '../../video/templates/preview-template.ts';
import type { PreviewShot } from '../../video/templates/take-shot.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { parseData } from '../create/task-options.ts';
import { logDroppedAsset, logWarning, shortestPath } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { withProgress } from '../terminal/progress-view.ts';
import { findNamedTemplate, requireTemplatesDir } from './find-template.ts';
import { readOneListing } from './read-one-listing.ts';
import { requireDataLayers } from './require-data-layers.ts';

/** Options of `templates preview`. */
interface PreviewOptions {
  readonly contactSheet?: boolean;
  readonly at?: string;
  readonly clip?: string;
  readonly agent?: string;
  readonly data?: readonly string[];
  readonly watch?: boolean;
  /** A file or folder, not the setting of that name. */
  readonly out?: string;
}

export async function previewTemplate(run: CommandRun<PreviewOptions>): Promise<number> {
  readTarget(run);
  await requireTemplatesDir(run);
  if (run.options.watch !== true) return previewOnce(run, null);
  const { watchPreview } = await import('./watch-preview.ts');
  return watchPreview(run, (changed) => previewOnce(run, changed));
}

/** @param changed - The files whose change asks for this preview; null for none. */
async function previewOnce(run: CommandRun<PreviewOptions>, changed: string | null): Promise<number> {
  const [word, listingWord] = run.args as [string, string | undefined];
  const target = readTarget(run);
  const { id, templatesDirs } = await findNamedTemplate(word, run);
  const { ratio, unbrandedKeep } = await run.settings();
  const { listing, baseDir } = await readOneListing(run, listingWord);
  const agent = chooseAgent(listing.agents, run.options.agent);
  const templateData = parseData(run.options.data);
  await requireDataLayers(templateData, { agents: [agent], templateId: id, templatesDirs });
  const chosenRatio = ratio ?? agent.video_options?.ratio ?? '1920:1080';
  const file = await chooseFile(run, target, `${id}-${chosenRatio.replace(':', 'x')}`);
  const request: PreviewRequest = {
    listing: { ...listing, agents: [agent] },
    baseDir,
    templateId: id,
    templatesDirs,
    file,
    ratio: chosenRatio,
    templateData,
    unbrandedKeep,
    shot: toShot(target, path.extname(file).toLowerCase()),
  };
  const backend = await run.backend();
  // It takes a few seconds: a moving line helps, a dozen lines in a log do not.
  const isQuiet = run.output.quiet || !run.terminal.canAnimate;
  const made = await withProgress(run.terminal, id, isQuiet, (onProgress) =>
    backend.preview(request, { signal: run.signal, onProgress }),
  );
  for (const asset of made.dropped_assets) logDroppedAsset(run, listing.id, asset);
  for (const warning of made.warnings) logWarning(run, warning);
  const { cwd } = await run.host.machine();
  const because = changed === null ? '' : ` (changed: ${changed})`;
  return printResult(run, made, () =>
    run.terminal.print(`${escapeText(shortestPath(made.file, cwd))}${because}`),
  );
}

/** What to show; the file's extension decides its format later. */
type Target =
  | { readonly kind: 'still'; readonly atSec: number }
  | { readonly kind: 'sheet' }
  | { readonly kind: 'clip'; readonly fromSec: number; readonly durationSec: number };

const ENDINGS: Readonly<Record<Target['kind'], readonly string[]>> = {
  still: ['.png', '.jpg', '.jpeg'],
  sheet: ['.png', '.jpg', '.jpeg'],
  clip: ['.mp4', '.gif'],
};

/** `create` makes longer ones. */
const MAX_CLIP_SEC = 60;

function readTarget({ options }: CommandRun<PreviewOptions>): Target {
  const atSec = options.at === undefined ? null : readSeconds('--at', options.at);
  if (options.contactSheet === true && (atSec !== null || options.clip !== undefined)) {
    throw usageError('--contact-sheet cannot be combined with --at or --clip', 'leave one out');
  }
  if (options.clip !== undefined) {
    const durationSec = readSeconds('--clip', options.clip);
    if (durationSec <= 0 || durationSec > MAX_CLIP_SEC)
      throw usageError(`--clip: expected more than 0 s and at most ${MAX_CLIP_SEC} s`, '--clip 5s');
    return { kind: 'clip', fromSec: atSec ?? 0, durationSec };
  }
  return atSec === null ? { kind: 'sheet' } : { kind: 'still', atSec };
}

/** `3.5s`, `1m5s`, and a bare number of seconds. */
function readSeconds(flag: string, text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text.trim())) return Number(text);
  const durationMs = parseDurationMs(text);
  if (durationMs !== null) return durationMs / 1000;
  throw usageError(`${flag}: expected a time, found "${text}"`, `${flag} 3.5s`);
}

function chooseAgent(agents: readonly Agent[], agentId: string | undefined): Agent {
  if (agentId === undefined) return agents[0]!;
  const found = agents.find(({ id }) => id === agentId);
  if (found) return found;
  const ids = agents.map(({ id }) => id);
  throw usageError(`--agent: the listing has no agent "${agentId}"`, nearestHint(agentId, ids));
}

/** The file or folder of `--out`, else a file in the working directory. */
async function chooseFile(run: CommandRun<PreviewOptions>, target: Target, stem: string): Promise<string> {
  const { cwd } = await run.host.machine();
  const endings = ENDINGS[target.kind];
  const own = `${stem}${nameOf(target)}${endings[0]}`;
  if (run.options.out === undefined) return path.join(cwd, own);
  const named = path.resolve(cwd, run.options.out);
  const found = await stat(named).catch(() => null);
  if (found?.isDirectory()) return path.join(named, own);
  if (endings.includes(path.extname(named).toLowerCase())) return named;
  throw new ListingVideoError(
    'usage',
    `--out: a ${target.kind} needs one of the extensions ${endings.join(', ')}, found "${path.basename(named)}"`,
    { hint: `--out ${own}` },
  );
}

function nameOf(target: Target): string {
  if (target.kind !== 'still') return `-${target.kind}`;
  return `-${target.atSec}s`;
}

function toShot(target: Target, ending: string): PreviewShot {
  if (target.kind === 'clip') return { ...target, format: ending === '.gif' ? 'gif' : 'mp4' };
  return { ...target, format: ending === '.png' ? 'png' : 'jpg' };
}
