/**
 * Annotations for GitHub Actions: a failed or invalid listing appears beside its file in the pull request. They are lines
 * on stderr, so foreign text is escaped as the runner unescapes it (actions/runner, ActionCommand.cs): it cannot become a
 * command.
 */
import path from 'node:path';
import type { CommandRun } from '../command-run.ts';
import { formatPath } from '../listings/format-validation.ts';
import { detailOf, failureOf, type ListingResult, stateOf, taskOf } from '../listings/listing-result.ts';
import { withText } from '../listings/read-listing.ts';
import { droppedAssetsOf } from '../tasks/task-document.ts';
import { escapeText } from '../terminal/escape-text.ts';

/** GitHub shows no more annotations of one kind per step. */
const MAX_PER_KIND = 10;

interface AnnotationPlaces {
  readonly cwd: string;
  /** `GITHUB_WORKSPACE`: files in annotations are relative to it. */
  readonly workspace: string | undefined;
}

/** At most ten errors and ten warnings as workflow commands; the tenth summarizes the rest. */
export async function toAnnotations(run: CommandRun, results: readonly ListingResult[]): Promise<string[]> {
  const { cwd } = await run.host.machine();
  const places = { cwd, workspace: run.host.env.GITHUB_WORKSPACE };
  const errors = results.filter((result) => failureOf(result) !== null);
  const dropping = results.filter(
    (result) => result.kind === 'succeeded' && droppedAssetsOf(taskOf(result)).length > 0,
  );
  const lines: string[] = [];
  for (const result of errors.slice(0, shownOf(errors))) lines.push(await toError(result, places));
  if (errors.length > MAX_PER_KIND) lines.push(summary('error', errors));
  for (const result of dropping.slice(0, shownOf(dropping))) lines.push(toWarning(result, places));
  if (dropping.length > MAX_PER_KIND) lines.push(summary('warning', dropping));
  return lines;
}

function shownOf(results: readonly ListingResult[]): number {
  return results.length > MAX_PER_KIND ? MAX_PER_KIND - 1 : results.length;
}

function summary(kind: 'error' | 'warning', results: readonly ListingResult[]): string {
  const rest = results.slice(MAX_PER_KIND - 1).map(({ source }) => source.file);
  const words = `${rest.length} more listings: ${rest.slice(0, 20).join(', ')}${rest.length > 20 ? ' …' : ''}`;
  return toCommand(kind, { title: 'listing-video' }, words);
}

async function toError(result: ListingResult, places: AnnotationPlaces): Promise<string> {
  const failure = failureOf(result)!;
  const hint = failure.hint === undefined ? '' : `; try: ${failure.hint}`;
  const title = stateOf(result) === 'INVALID' ? 'listing-video: invalid listing' : 'listing-video: failed';
  const facts = { ...fileOf(result, places), ...(await placeOf(result)), title };
  return toCommand('error', facts, `${result.source.file}: ${whereIn(result)}${failure.message}${hint}`);
}

/** The JSON path of the first violation; text that is not JSON has none. */
function whereIn(result: ListingResult): string {
  const [first] = detailOf(result);
  return first === undefined || first.type === 'json_invalid' ? '' : `${formatPath(first.loc)}: `;
}

function toWarning(result: ListingResult, places: AnnotationPlaces): string {
  const dropped = droppedAssetsOf(taskOf(result));
  const [first] = dropped;
  const more = dropped.length > 1 ? ` (and ${dropped.length - 1} more)` : '';
  const words = `${result.source.file}: left out ${first?.url}: ${first?.reason}${more}`;
  return toCommand('warning', { ...fileOf(result, places), title: 'listing-video: dropped asset' }, words);
}

/** Empty for stdin and for files outside the repository, which GitHub cannot show. */
function fileOf({ source }: ListingResult, { cwd, workspace = cwd }: AnnotationPlaces): { file?: string } {
  if (source.path === null) return {};
  const relative = path.relative(workspace, source.path);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? { file: relative.split(path.sep).join('/') } : {};
}

/** Line and column of the first violation, if the file has such a place. */
async function placeOf(result: ListingResult): Promise<{ line?: number; col?: number }> {
  const [first] = detailOf(result);
  if (first === undefined) return {};
  const { line, column } = (first.ctx ?? {}) as { line?: unknown; column?: unknown };
  if (typeof line === 'number' && typeof column === 'number') return { line, col: column };
  const { text, file, firstLine } = (await withText(result)).source;
  if (text === null) return lineInName(file);
  const { locateInSource } = await import('../../listing/json/json-places.ts');
  const place = locateInSource(text, first.loc);
  return place === null ? lineInName(file) : { line: firstLine + place.line - 1, col: place.column };
}

/** The 3 of `new.ndjson:3`. */
function lineInName(file: string): { line?: number } {
  const found = /:(\d+)$/.exec(file);
  return found ? { line: Number(found[1]) } : {};
}

function toCommand(
  kind: 'error' | 'warning',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const words = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${kind} ${words.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return escapeText(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
