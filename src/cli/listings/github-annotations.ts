/**
 * Annotations for GitHub Actions: each violation appears beside its line in the pull request, a failed task beside
 * its file. They are lines on stderr, so foreign text is escaped as the runner unescapes it (actions/runner,
 * ActionCommand.cs): it cannot become a command.
 */
import path from 'node:path';
import { hintLabel } from '../cli-error.ts';
import { droppedAssetsOf } from '../tasks/task-document.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { formatPath } from './format-path.ts';
import { detailOf, failureOf, type ListingResult } from './listing-result.ts';

/** GitHub shows no more annotations of one kind per step. */
const MAX_PER_KIND = 10;

export interface AnnotationPlaces {
  readonly cwd: string;
  /** `GITHUB_WORKSPACE`: files in annotations are relative to it. */
  readonly workspace: string | undefined;
}

/** What is wrong at one place of a listing, or with its task. */
interface Annotation {
  readonly result: ListingResult;
  readonly line: string;
}

/**
 * Workflow commands: an error for each violation and for each failed task, a warning for each listing that lost
 * photos. At most ten of a kind; the tenth summarizes the rest.
 */
export function toAnnotations(results: readonly ListingResult[], places: AnnotationPlaces): string[] {
  const of = (toLines: (result: ListingResult, places: AnnotationPlaces) => string[]): Annotation[] =>
    results.flatMap((result) => toLines(result, places).map((line) => ({ result, line })));
  return [...limited('error', of(toErrors)), ...limited('warning', of(toWarnings))];
}

function limited(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  if (annotations.length <= MAX_PER_KIND) return annotations.map(({ line }) => line);
  const shown = annotations.slice(0, MAX_PER_KIND - 1).map(({ line }) => line);
  const rest = annotations.slice(MAX_PER_KIND - 1);
  const files = [...new Set(rest.map(({ result }) => result.source.file))];
  const words = `${rest.length} more ${kind}s in ${files.slice(0, 20).join(', ')}${files.length > 20 ? ' …' : ''}`;
  return [...shown, toCommand(kind, { title: 'listing-video' }, words)];
}

function toErrors(result: ListingResult, places: AnnotationPlaces): string[] {
  const { source } = result;
  const file = fileOf(result, places);
  const detail = detailOf(result);
  if (detail.length > 0) {
    return detail.map(({ loc, message, line, column }) => {
      const where = loc.length <= 1 ? '' : `${formatPath(loc)}: `;
      const at = { ...(line !== null && { line }), ...(column !== null && { col: column }) };
      const facts = { ...file, ...at, title: 'listing-video: invalid listing' };
      return toCommand('error', facts, `${source.file}: ${where}${message}`);
    });
  }
  const failure = failureOf(result);
  if (failure === null) return [];
  const hint = failure.hint === undefined ? '' : `; ${hintLabel(failure.hint)}${failure.hint}`;
  const facts = { ...file, title: 'listing-video: failed' };
  return [toCommand('error', facts, `${source.file}: ${failure.message}${hint}`)];
}

function toWarnings(result: ListingResult, places: AnnotationPlaces): string[] {
  const [first, ...others] = result.kind === 'succeeded' ? droppedAssetsOf(result.task) : [];
  if (first === undefined) return [];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const words = `${result.source.file}: left out ${first.url}: ${first.reason}${more}`;
  return [toCommand('warning', { ...fileOf(result, places), title: 'listing-video: dropped asset' }, words)];
}

/** Empty for stdin and for files outside the repository, which GitHub cannot show. */
function fileOf({ source }: ListingResult, { cwd, workspace = cwd }: AnnotationPlaces): { file?: string } {
  if (source.path === null) return {};
  const relative = path.relative(workspace, source.path);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? { file: relative.split(path.sep).join('/') } : {};
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
