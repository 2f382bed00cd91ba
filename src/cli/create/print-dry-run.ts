/** `create --dry-run`: what each listing would show, when, from which photos, and what it would cost. */
import type { ListingVideoError } from '../../errors.ts';
import type { TaskProgress } from '../../task/task.ts';
import type { PlannedEntry, TaskDescription } from '../../video/describe-task.ts';
import type { DroppedAsset } from '../../video/video-task.ts';
import { toErrorDocument, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import type { InvalidListing, ReadyListing } from '../listings/validate-batch.ts';
import { logDroppedAsset, logError } from '../tasks/run-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { createProgressView } from '../terminal/progress-view.ts';
import { truncate } from '../terminal/table.ts';

/**
 * Prints the plan of every valid listing. One listing that cannot be planned does not stop the others.
 *
 * @param invalid - The invalid listings of a batch; null when there is one listing only.
 * @returns The exit code.
 */
export async function printDryRuns(
  run: CommandRun,
  valid: readonly ReadyListing[],
  invalid: readonly InvalidListing[] | null,
): Promise<number> {
  const backend = valid.length > 0 ? await run.backend() : null;
  const documents: unknown[] = [];
  const codes: number[] = [];
  for (const { file, payload } of valid) {
    run.signal.throwIfAborted();
    const view = await createProgressView(run.terminal, file, run.output.quiet);
    try {
      const onProgress = (progress: TaskProgress) => view.update(progress);
      const plan = await backend!.describe(payload, { signal: run.signal, onProgress });
      view.stop();
      documents.push({ ...plan, listing_file: file });
      if (!run.output.json) for (const line of formatPlan(plan, lineWidth(run))) run.terminal.print(line);
    } catch (thrown) {
      view.stop();
      run.signal.throwIfAborted();
      const error = toListingVideoError(thrown);
      if (!run.output.json) logDroppedAssets(run, error);
      if (invalid === null) throw error;
      codes.push(error.exitCode);
      documents.push({ listing_file: file, ...toErrorDocument(error) });
      logError(run, file, error);
      // What is wrong with the environment is wrong for every listing.
      if (error.exitCode === 3) break;
    }
  }
  if (run.output.json) {
    printJson(run.terminal, invalid === null ? documents[0] : { data: documents, has_more: false, invalid });
  }
  if (valid.length === 0) return 2;
  if (codes.includes(3)) return 3;
  return codes.length > 0 || (invalid?.length ?? 0) > 0 ? 1 : 0;
}

/** Why there is nothing to plan: the assets that were dropped, each with its reason. */
function logDroppedAssets(run: CommandRun, { context }: ListingVideoError): void {
  const dropped = (context?.dropped_assets ?? []) as readonly DroppedAsset[];
  for (const { url, reason } of dropped) logDroppedAsset(run, url, reason);
}

function lineWidth(run: CommandRun): number {
  return run.terminal.stdoutIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY;
}

/** Lines for people; each fits `widthColumns`. */
function formatPlan(plan: TaskDescription, widthColumns: number): string[] {
  const lines: string[] = [];
  const { listing, assets, cost } = plan;
  lines.push(`listing ${escapeText(listing.id)}${listing.address ? `, ${escapeText(listing.address)}` : ''}`);
  lines.push(`  photos: ${assets.used} of ${assets.given} usable`);
  for (const dropped of plan.dropped_assets) {
    lines.push(`  dropped: ${escapeText(dropped.url)}: ${escapeText(dropped.reason)}`);
  }
  for (const video of plan.videos) {
    const name = `video for ${escapeText(video.agent_name)} (${escapeText(video.agent_id)})`;
    lines.push(...formatFilm(name, video));
  }
  for (const film of plan.unbranded ?? []) lines.push(...formatFilm('video without branding', film));
  lines.push(
    `cost: ${cost.credits} credit${cost.credits === 1 ? '' : 's'}, ${cost.framesToRender} frames to render`,
  );
  return lines.map((line) => truncate(line, widthColumns));
}

function formatFilm(name: string, film: PlannedEntry): string[] {
  const { toRender, reused } = film.segments;
  const segments = `${toRender} of ${toRender + reused} segments to render`;
  return [
    `${name}: ${escapeText(film.templateId)}, ${film.ratio}, ${formatClock(film.durationSec)}, ${segments}, music: ${escapeText(film.music)}`,
    ...film.scenes.map((scene) => {
      const texts = scene.texts.map((text) => `"${escapeText(text)}"`).join(' ');
      const photos = scene.photos.map((url) => escapeText(url.split('/').at(-1) ?? url)).join(', ');
      const shown = [photos, texts].filter((part) => part !== '').join('  ');
      return `  ${formatClock(scene.startSec)}-${formatClock(scene.endSec)}  ${scene.kind.padEnd(7)}  ${shown}`;
    }),
    ...film.warnings.map((warning) => `  warning: ${escapeText(warning)}`),
  ];
}

/** `0:07.5`: minutes, seconds, tenths. */
function formatClock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`;
}
