/** Validates listings as a batch: templates, duplicate ids, files that a server cannot read; sets folders. */

import type { Agent, Violation } from '../../listing/listing.ts';
import { findLocalFiles } from '../../listing/rules/find-local-files.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { outputFoldersOf } from '../../video/publish/output-folder-of.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import { nearestHint } from '../cli-error.ts';
import {
  codeOf,
  type InvalidListing,
  isUnreadable,
  type ReadyListing,
  type RejectedListing,
  toInvalidDocument,
  type ValidListing,
} from './listing-result.ts';
import { placeViolations } from './place-findings.ts';
import { textOf } from './read-listing.ts';

export interface BatchContext {
  readonly options: VideoTaskOptions;
  readonly out: string;
  /** Templates that exist; null when only the server knows. */
  readonly templateIds: readonly string[] | null;
  /** The server that renders; null for this machine. */
  readonly server: string | null;
  /** An unknown template of a single listing is a violation too, and no error of its own. */
  readonly isOnlyCheck?: boolean;
}

/**
 * Makes each valid listing ready, or invalid when it does not fit, in the order of `results`. Of several listings
 * with one id the first is ready.
 *
 * @throws {@link ListingVideoError} `template_not_found` when the template of the command line, or of a single
 * listing, does not exist.
 */
export async function validateBatch(
  results: readonly (InvalidListing | ValidListing)[],
  { options, out, templateIds, server, isOnlyCheck = false }: BatchContext,
): Promise<(InvalidListing | ReadyListing)[]> {
  const { templateId } = options;
  if (templateIds !== null && templateId !== undefined && results.some(({ kind }) => kind === 'valid'))
    requireTemplate(templateId, templateIds);
  const fileById = new Map<string, string>();
  const checked = results.map((result): InvalidListing | ValidListing | Unfit => {
    if (result.kind === 'invalid') return result;
    const { source, listing } = result;
    const invalid = (violations: readonly Violation[]): Unfit => ({ kind: 'unfit', result, violations });
    const earlier = fileById.get(listing.id);
    if (earlier !== undefined)
      return invalid([valueError(['body', 'id'], listing.id, `the listing id is used by ${earlier} too`)]);
    const local = server === null ? [] : findLocalFiles(listing, server);
    if (local.length > 0) return invalid(local);
    const unknown = templateIds === null ? [] : unknownTemplates(listing.agents, options, templateIds);
    // For a single listing this is an error with its own code, as in the API.
    if (templateIds !== null && unknown.length > 0 && results.length === 1 && !isOnlyCheck)
      requireTemplate(String(unknown[0]!.input), templateIds, agentIdOf(listing.agents, unknown[0]!));
    if (unknown.length > 0) return invalid(unknown);
    fileById.set(listing.id, source.file);
    return result;
  });
  const ids = [...fileById.keys()];
  const folders = await outputFoldersOf(out, ids);
  const ready: (InvalidListing | ReadyListing)[] = [];
  for (const result of checked) {
    if (result.kind === 'invalid') ready.push(result);
    else if (result.kind === 'unfit') ready.push(await toInvalid(result.result, result.violations));
    else {
      const { source, listing, baseDir } = result;
      const outputDir = folders[ids.indexOf(listing.id)]!;
      const payload = { listing, listingFile: source.path, baseDir, outputDir, options };
      ready.push({ kind: 'ready', source, payload });
    }
  }
  return ready;
}

interface Unfit {
  readonly kind: 'unfit';
  readonly result: ValidListing;
  readonly violations: readonly Violation[];
}

/** A valid listing with what another rule found in it. */
export async function toInvalid(
  { source, listing }: Pick<ValidListing, 'source' | 'listing'>,
  violations: readonly Violation[],
): Promise<InvalidListing> {
  const text = await textOf(source);
  return { kind: 'invalid', source: { ...source, text }, listing, detail: placeViolations(violations, text) };
}

function unknownTemplates(
  agents: readonly Agent[],
  options: VideoTaskOptions,
  templateIds: readonly string[],
): Violation[] {
  if (options.templateId !== undefined) return [];
  return agents.flatMap((agent, index) => {
    const id = agent.video_options?.template_id;
    if (id === undefined || id === null || templateIds.includes(id)) return [];
    const loc = ['body', 'agents', index, 'video_options', 'template_id'];
    return [valueError(loc, id, `no such template, expected one of: ${templateIds.join(', ')}`)];
  });
}

function agentIdOf(agents: readonly Agent[], violation: Violation): string | null {
  return agents[Number(violation.loc[2])]?.id ?? null;
}

function requireTemplate(id: string, available: readonly string[], agentId: string | null = null): void {
  if (available.includes(id)) return;
  throw new ListingVideoError('template_not_found', `no template is called "${id}"`, {
    hint: nearestHint(id, available),
    context: { agent_id: agentId, template_id: id, available: [...available] },
  });
}

function valueError(loc: Violation['loc'], input: unknown, error: string): Violation {
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
}

/**
 * The error of a single listing that is invalid.
 *
 * @param server - The server whose rules it breaks; null for rules that hold everywhere.
 */
export function invalidListingError(
  result: InvalidListing | RejectedListing,
  server: string | null = null,
): ListingVideoError {
  const { file } = result.source;
  const [first] = result.detail;
  const context = { files: [toInvalidDocument(result)] };
  const { hint } = (first?.ctx ?? {}) as { hint?: string };
  if (first !== undefined && isUnreadable(result))
    return new ListingVideoError(codeOf(result), first.msg, { hint, context });
  const count = `${result.detail.length} violation${result.detail.length === 1 ? '' : 's'}`;
  return new ListingVideoError('invalid_listing', `${file} is not a valid listing: ${count}`, {
    hint:
      server === null
        ? `fix the file, then check it: listing-video validate ${file}`
        : 'fix the file, or add --no-server to render on this machine',
    context,
  });
}
