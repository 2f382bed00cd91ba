/** Judges what a listing cannot know of itself: templates that exist, ids used twice in one batch, where results go. */
import { ListingVideoError } from '../../errors.ts';
import type { Agent, ListingWarning, Violation } from '../../listing/listing.ts';
import { findLocalFiles } from '../../listing/rules/find-local-files.ts';
import { nearestName } from '../../nearest-name.ts';
import { outputFoldersOf } from '../../video/publish/output-folder-of.ts';
import type { VideoTaskOptions, VideoTaskPayload } from '../../video/video-task.ts';
import type { ListingVerdictOfFile } from './read-listing.ts';

/** A listing that will be made. */
export interface ReadyListing {
  readonly file: string;
  readonly payload: VideoTaskPayload;
}

/** A listing that will not, as in `invalid` of the JSON document. */
export interface InvalidListing {
  readonly file: string;
  readonly valid: false;
  readonly detail: readonly Violation[];
  readonly warnings: readonly ListingWarning[];
}

/** A listing with its judgement: exactly one of `valid` and `invalid` is there. */
export interface JudgedListing {
  readonly verdict: ListingVerdictOfFile;
  readonly valid: ReadyListing | null;
  readonly invalid: InvalidListing | null;
}

/** What the judgement needs beside the listings. */
export interface BatchContext {
  readonly options: VideoTaskOptions;
  /** Absolute folder of all results. */
  readonly out: string;
  /** Templates that exist; null when only the server knows. */
  readonly templateIds: readonly string[] | null;
  /** Who is to do the work, if not this machine. */
  readonly server: string | null;
}

/**
 * Says of each listing whether it will be made, in the order of `verdicts`. Of several with one id the first is.
 *
 * @throws {@link ListingVideoError} `template_not_found` when the template of the command line, or of an only listing,
 * does not exist.
 */
export async function validateBatch(
  verdicts: readonly ListingVerdictOfFile[],
  { options, out, templateIds, server }: BatchContext,
): Promise<JudgedListing[]> {
  if (
    templateIds !== null &&
    options.templateId !== undefined &&
    verdicts.some(({ listing }) => listing !== null)
  )
    requireTemplate(options.templateId, templateIds);
  const fileById = new Map<string, string>();
  const findings = verdicts.map(({ file, listing, detail }) => {
    if (listing === null) return detail;
    const earlier = fileById.get(listing.id);
    if (earlier !== undefined)
      return [valueError(['body', 'id'], listing.id, `the listing id is used by ${earlier} too`)];
    const local = server === null ? [] : findLocalFiles(listing, server);
    if (local.length > 0) return local;
    const unknown = templateIds === null ? [] : unknownTemplates(listing.agents, options, templateIds);
    // Alone, an unknown template is an error with a code of its own, the same as behind the API.
    if (templateIds !== null && unknown.length > 0 && verdicts.length === 1)
      requireTemplate(String(unknown[0]!.input), templateIds, agentIdOf(listing.agents, unknown[0]!));
    if (unknown.length === 0) fileById.set(listing.id, file);
    return unknown;
  });
  const ids = [...fileById.keys()];
  const folders = await outputFoldersOf(out, ids);
  const folderById = new Map(ids.map((id, index) => [id, folders[index]!]));
  return verdicts.map((verdict, index) => {
    const { file, path, baseDir, listing, warnings } = verdict;
    const detail = findings[index]!;
    if (listing === null || detail.length > 0)
      return { verdict, valid: null, invalid: { file, valid: false, detail, warnings } };
    const outputDir = folderById.get(listing.id)!;
    return {
      verdict,
      valid: { file, payload: { listing, listingFile: path, baseDir, outputDir, options } },
      invalid: null,
    };
  });
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
  const near = nearestName(id, available);
  throw new ListingVideoError('template_not_found', `no template is called "${id}"`, {
    hint: near ? `did you mean ${near}?` : `one of: ${available.join(', ')}`,
    context: { agent_id: agentId, template_id: id, available: [...available] },
  });
}

function valueError(loc: Violation['loc'], input: unknown, error: string): Violation {
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
}

/**
 * The error of a listing that is invalid and alone; `context.files` is what `invalid` would hold in a batch.
 *
 * @param server - Who finds it so, where this machine would not; null for the rules that hold everywhere.
 */
export function invalidListingError(
  invalid: readonly InvalidListing[],
  server: string | null = null,
): ListingVideoError {
  const [only] = invalid;
  const count = only?.detail.length ?? 0;
  const isUnreadable = only?.detail[0]?.type === 'json_invalid';
  return new ListingVideoError(
    'invalid_listing',
    isUnreadable
      ? `${only?.file} is not a listing: ${only?.detail[0]?.msg}`
      : `${only?.file} is not a valid listing: ${count} violation${count === 1 ? '' : 's'}`,
    {
      hint:
        server === null
          ? `mend the file; listing-video validate ${only?.file} checks it again`
          : 'mend the file, or add --no-server to have this machine do the work',
      context: { files: invalid },
    },
  );
}
