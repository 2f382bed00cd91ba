/** Judges what a listing cannot know of itself: templates that exist, ids used twice in one batch, where results go. */
import { ListingVideoError } from '../errors.ts';
import type { Agent, ListingWarning, Violation } from '../listing/listing.ts';
import { nearestName } from '../nearest-name.ts';
import type { VideoTaskOptions, VideoTaskPayload } from '../video/video-task.ts';
import { outputFolderOf } from './output-folder-of.ts';
import type { ListingVerdictOfFile } from './read-listing.ts';

/** A listing that will be made. */
export interface SoundListing {
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

/** What the judgement needs beside the listings. */
export interface BatchSurroundings {
  readonly options: VideoTaskOptions;
  /** Absolute folder of all results. */
  readonly out: string;
  /** Templates that exist. */
  readonly templateIds: readonly string[];
}

/**
 * Sorts the listings into those that will be made and those that will not, in the order of `verdicts`.
 *
 * @throws {@link ListingVideoError} `template_not_found` when the template of the command line, or of an only listing,
 * does not exist.
 */
export async function judgeBatch(
  verdicts: readonly ListingVerdictOfFile[],
  { options, out, templateIds }: BatchSurroundings,
): Promise<{ sound: SoundListing[]; invalid: InvalidListing[] }> {
  if (options.templateId !== undefined && verdicts.some(({ listing }) => listing !== null))
    requireTemplate(options.templateId, templateIds);
  const sound: SoundListing[] = [];
  const invalid: InvalidListing[] = [];
  const fileById = new Map<string, string>();
  for (const { file, path, baseDir, listing, detail, warnings } of verdicts) {
    if (listing === null) {
      invalid.push({ file, valid: false, detail, warnings });
      continue;
    }
    const earlier = fileById.get(listing.id);
    const found =
      earlier === undefined
        ? unknownTemplates(listing.agents, options, templateIds)
        : [valueError(['body', 'id'], listing.id, `the listing id is used by ${earlier} too`)];
    if (found.length > 0) {
      // Alone, an unknown template is an error with a code of its own, the same as behind the API.
      if (verdicts.length === 1)
        requireTemplate(String(found[0]!.input), templateIds, agentIdOf(listing.agents, found[0]!));
      invalid.push({ file, valid: false, detail: found, warnings });
      continue;
    }
    fileById.set(listing.id, file);
    const outputDir = await outputFolderOf(out, listing.id);
    sound.push({ file, payload: { listing, listingFile: path, baseDir, outputDir, options } });
  }
  return { sound, invalid };
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

/** The error of a listing that is invalid and alone; `context.files` is what `invalid` would hold in a batch. */
export function invalidListingError(invalid: readonly InvalidListing[]): ListingVideoError {
  const [only] = invalid;
  const count = only?.detail.length ?? 0;
  const isUnreadable = only?.detail[0]?.type === 'json_invalid';
  return new ListingVideoError(
    'invalid_listing',
    isUnreadable
      ? `${only?.file} is not a listing: ${only?.detail[0]?.msg}`
      : `${only?.file} is not a valid listing: ${count} violation${count === 1 ? '' : 's'}`,
    {
      hint: `mend the file; listing-video validate ${only?.file} checks it again`,
      context: { files: invalid },
    },
  );
}
