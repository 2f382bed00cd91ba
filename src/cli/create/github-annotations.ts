/**
 * Annotations for GitHub Actions: a failed or invalid listing appears beside its file in the pull request. Workflow
 * commands are lines on stderr, so text from outside is escaped as the runner unescapes it
 * (actions/runner, ActionCommand.cs), and can never become a command of its own.
 */
import path from 'node:path';
import { formatPath } from '../listings/format-validation.ts';
import { withText } from '../listings/read-listing.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { failureOf, type ListingResult } from './listing-result.ts';

/** GitHub shows no more of one kind per step. */
const MAX_PER_KIND = 10;

export interface AnnotationPlaces {
  readonly cwd: string;
  /** `GITHUB_WORKSPACE`: files in annotations are relative to it. */
  readonly workspace: string | undefined;
}

/** Workflow commands for what went wrong, at most ten errors and ten warnings; the tenth tells of the rest. */
export async function toAnnotations(
  ends: readonly ListingResult[],
  places: AnnotationPlaces,
): Promise<string[]> {
  const errors = ends.filter((end) => failureOf(end) !== null);
  const dropping = ends.filter((end) => droppedBy(end).length > 0 && end.state === 'SUCCEEDED');
  const lines: string[] = [];
  for (const end of errors.slice(0, shownOf(errors))) lines.push(await toError(end, places));
  if (errors.length > MAX_PER_KIND) lines.push(summary('error', errors));
  for (const end of dropping.slice(0, shownOf(dropping))) lines.push(toWarning(end, places));
  if (dropping.length > MAX_PER_KIND) lines.push(summary('warning', dropping));
  return lines;
}

function shownOf(ends: readonly ListingResult[]): number {
  return ends.length > MAX_PER_KIND ? MAX_PER_KIND - 1 : ends.length;
}

function summary(kind: 'error' | 'warning', ends: readonly ListingResult[]): string {
  const rest = ends.slice(MAX_PER_KIND - 1).map(({ file }) => file);
  const words = `${rest.length} more listings: ${rest.slice(0, 20).join(', ')}${rest.length > 20 ? ' …' : ''}`;
  return toCommand(kind, { title: 'listing-video' }, words);
}

async function toError(end: ListingResult, places: AnnotationPlaces): Promise<string> {
  const failure = failureOf(end)!;
  const hint = failure.hint === undefined ? '' : `; try: ${failure.hint}`;
  const facts = { ...fileOf(end, places), ...(await placeOf(end)), title: titleOf(end) };
  return toCommand('error', facts, `${end.file}: ${whereIn(end)}${failure.message}${hint}`);
}

/** The JSON path of the first violation; text that is no JSON has none. */
function whereIn({ invalid }: ListingResult): string {
  const [first] = invalid?.detail ?? [];
  return first === undefined || first.type === 'json_invalid' ? '' : `${formatPath(first.loc)}: `;
}

function toWarning(end: ListingResult, places: AnnotationPlaces): string {
  const dropped = droppedBy(end);
  const [first] = dropped;
  const more = dropped.length > 1 ? ` (and ${dropped.length - 1} more)` : '';
  const words = `${end.file}: left out ${first?.url}: ${first?.reason}${more}`;
  return toCommand('warning', { ...fileOf(end, places), title: 'listing-video: dropped asset' }, words);
}

function titleOf({ state }: ListingResult): string {
  return state === 'INVALID' ? 'listing-video: invalid listing' : 'listing-video: failed';
}

function droppedBy({ task }: ListingResult) {
  return task === null ? [] : toTaskDocument(task).dropped_assets;
}

/** Nothing for stdin and for files outside the repository, which GitHub could not show. */
function fileOf({ verdict }: ListingResult, { cwd, workspace = cwd }: AnnotationPlaces): { file?: string } {
  if (verdict.path === null) return {};
  const relative = path.relative(workspace, verdict.path);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? { file: relative.split(path.sep).join('/') } : {};
}

/** Line and column of the first violation, where the file has such a place. */
async function placeOf({ verdict, invalid }: ListingResult): Promise<{ line?: number; col?: number }> {
  const [first] = invalid?.detail ?? [];
  if (first === undefined) return {};
  const { line, column } = (first.ctx ?? {}) as { line?: unknown; column?: unknown };
  if (typeof line === 'number' && typeof column === 'number') return { line, col: column };
  const { text } = await withText(verdict);
  if (text === null) return lineInName(verdict.file);
  const { locateInSource } = await import('../../listing/json/json-places.ts');
  const place = locateInSource(text, first.loc);
  return place === null ? lineInName(verdict.file) : { line: place.line, col: place.column };
}

/** `new.ndjson:3` says the line itself. */
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
