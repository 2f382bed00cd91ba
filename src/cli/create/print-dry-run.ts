/** `create --dry-run`: prints what each video would show, when, from which photos, and how much there is to render. */

import type { PlannedEntry, TaskDescription } from '../../video/describe-task.ts';
import { formatTenths } from '../../video/format-clock.ts';
import { listWarnings } from '../../video/publish/list-warnings.ts';
import type { DroppedAsset, Quality } from '../../video/video-task.ts';
import { toErrorDocument, toListingVideoError } from '../cli-error.ts';
import { exitCodeOfListings } from '../exit-code.ts';
import { toInvalidDocument } from '../listings/listing-result.ts';
import { invalidListingError } from '../listings/validate-batch.ts';
import { logDroppedAsset, logError } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { withProgress } from '../terminal/progress-view.ts';
import { stdoutWidth, truncate } from '../terminal/table.ts';
import type { CreateDeps } from './create-request.ts';
import type { Batch } from './reporters/reporter.ts';

/**
 * Prints the plan of every ready listing. One listing that cannot be planned does not stop the others.
 *
 * @returns The exit code.
 * @throws ListingVideoError What is wrong with a single listing.
 */
export async function printDryRuns(
  { listings, isBatch }: Batch,
  { printer, backend: openBackend, signal }: CreateDeps,
): Promise<number> {
  const { terminal, output } = printer;
  const invalid = listings.filter((listing) => listing.kind === 'invalid');
  if (!isBatch && invalid[0] !== undefined) throw invalidListingError(invalid[0]);
  const documents: object[] = [];
  const results = [...listings];
  for (const [index, listing] of listings.entries()) {
    if (listing.kind !== 'ready') continue;
    const { source, payload } = listing;
    const backend = await openBackend();
    signal.throwIfAborted();
    try {
      const plan = await withProgress(terminal, source.file, output.quiet, (onProgress) =>
        backend.describe(payload, { signal, onProgress }),
      );
      documents.push({ ...plan, listing_file: source.file });
      if (!output.json)
        for (const line of formatPlan(plan, payload.options.quality, stdoutWidth(terminal)))
          terminal.print(line);
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toListingVideoError(thrown);
      // The dropped assets say why there is nothing to plan.
      const dropped = (error.context?.dropped_assets ?? []) as readonly DroppedAsset[];
      if (!output.json) for (const asset of dropped) logDroppedAsset(printer, source.file, asset);
      if (!isBatch) throw error;
      results[index] = { kind: 'failed', source, payload, error, durationSec: 0 };
      documents.push({ listing_file: source.file, ...toErrorDocument(error) });
      logError(printer, source.file, error);
      // A fault of the machine meets every listing.
      if (error.exitCode === 3) break;
    }
  }
  if (output.json) {
    const batch = { data: documents, has_more: false, invalid: invalid.map(toInvalidDocument) };
    printJson(terminal, isBatch ? batch : documents[0]!);
  }
  return exitCodeOfListings(results, { isBatch, isInterrupted: false, isRendered: false });
}

/** Lines for people; each fits `widthColumns`. */
function formatPlan(plan: TaskDescription, quality: Quality, widthColumns: number): string[] {
  const lines: string[] = [];
  const { listing, assets, cost } = plan;
  lines.push(`listing ${escapeText(listing.id)}${listing.address ? `, ${escapeText(listing.address)}` : ''}`);
  lines.push(`  photos: ${assets.used} of ${assets.given} usable`);
  for (const dropped of plan.dropped_assets) {
    lines.push(`  dropped: ${escapeText(dropped.url)}: ${escapeText(dropped.reason)}`);
  }
  for (const video of [...plan.videos, ...(plan.also_ratio ?? []), ...(plan.also_for ?? [])]) {
    const places = video.destinations === undefined ? '' : ` for ${video.destinations.join(', ')}`;
    const name = `video for ${escapeText(video.agent_name)} (${escapeText(video.agent_id)})${places}`;
    lines.push(...formatVideo(withLength(name, video), video, quality));
  }
  for (const video of plan.unbranded ?? [])
    lines.push(...formatVideo(withLength('video without branding', video), video, quality));
  for (const warning of listWarnings(plan)) lines.push(`warning: ${escapeText(warning)}`);
  const { to_remove: toRemove } = plan;
  for (const file of toRemove ?? []) lines.push(`to remove: ${escapeText(file)}`);
  if (toRemove?.length === 0) lines.push('to remove: nothing');
  // All videos of a task have the same number of frames per second.
  const seconds = (cost.frames_to_render / (plan.videos[0]?.fps ?? 1)).toFixed(1);
  // Credits are left to `--json`: only tasks of a server cost any, and a server plans no dry runs.
  lines.push(`to render: ${seconds} s of video`);
  return lines.map((line) => truncate(line, widthColumns));
}

function withLength(name: string, { length }: PlannedEntry): string {
  return length === undefined ? name : `${name}, ${length}`;
}

function formatVideo(name: string, video: PlannedEntry, quality: Quality): string[] {
  const { to_render: toRender, reused } = video.segments;
  const scenes = `${toRender} of ${toRender + reused} scenes to render`;
  const size = quality === 'draft' ? ` (draft: ${video.width_px}x${video.height_px}, ${video.fps} fps)` : '';
  const tempo = video.music_bpm === null ? '' : `, ${Math.round(video.music_bpm)} beats a minute`;
  return [
    `${name}: ${escapeText(video.template_id)}, ${video.ratio}${size}, ${formatTenths(video.duration_sec)}, ${scenes}, music: ${escapeText(video.music)}${tempo}`,
    ...video.scenes.map((scene) => {
      const texts = scene.texts.map((text) => `"${escapeText(text)}"`).join(' ');
      const photos = scene.photos.map((url) => escapeText(fileNameOf(url))).join(', ');
      const shown = [photos, texts].filter((part) => part !== '').join('  ');
      return `  ${formatSpan(scene)}  ${scene.kind.padEnd(7)}  ${shown}`;
    }),
    ...video.altered_photos.map(({ url, label, spans, original_spans: original }) => {
      const times = spans.map(formatSpan).join(', ');
      const after = original.length === 0 ? 'no original' : `original ${original.map(formatSpan).join(', ')}`;
      return `  altered: ${times}, ${after}  ${escapeText(fileNameOf(url))}  "${escapeText(label)}"`;
    }),
  ];
}

function fileNameOf(url: string): string {
  return url.split('/').at(-1) ?? url;
}

function formatSpan(span: { readonly start_sec: number; readonly end_sec: number }): string {
  return `${formatTenths(span.start_sec)}-${formatTenths(span.end_sec)}`;
}
