/**
 * Videos of the folder that no report names, such as those of a run whose report was deleted. A run must not replace them
 * with different ones, so their size is read from the file.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { safeName } from '../../platform/disk/safe-name.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { toAgentOptions } from './agent-options.ts';
import type { NamedVideo } from './choose-names.ts';
import { nameFiles } from './name-files.ts';
import { readVideoFacts } from './read-video-facts.ts';

/** The longer side of a draft is half of it. */
const FULL_SIDE_PX = 1920;
/** What names show of any template. */
const OWN_SUFFIX = /^(?:-(?:1080x1920|1920x1080))?(?:-draft)?(?:-\d+)?$/;
/** A folder of a listing has a few. */
const MAX_UNKNOWN = 100;

/**
 * Of the agents of the listing. A file does not say its template: it counts as the one that is requested, unless the name
 * shows another one.
 *
 * @param known - What the report names.
 */
export async function findUnknownVideos(
  folder: string,
  { listing: { agents }, options }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  known: readonly NamedVideo[],
): Promise<NamedVideo[]> {
  const names = await readdir(folder).catch(() => []);
  const isKnown = new Set(known.map(({ name }) => `${name}.mp4`));
  const files = names.filter((name) => name.endsWith('.mp4') && !name.startsWith('.') && !isKnown.has(name));
  if (files.length === 0) return [];
  const plainNames = nameFiles(
    agents.map(({ id }) => id),
    undefined,
  );
  const found: NamedVideo[] = [];
  for (const file of files.slice(0, MAX_UNKNOWN)) {
    const name = file.slice(0, -'.mp4'.length);
    const index = plainNames.findIndex((plain) => name === plain || name.startsWith(`${plain}-`));
    const agent = agents[index];
    const facts = agent && (await readVideoFacts(path.join(folder, file)).catch(() => null));
    if (!agent || !facts) continue;
    const { templateId } = toAgentOptions(agent, options);
    const rest = name.slice(plainNames[index]!.length).replace(`-${safeName(templateId)}`, '');
    found.push({
      agentId: agent.id,
      name,
      ratio: facts.heightPx > facts.widthPx ? '1080:1920' : '1920:1080',
      templateId: OWN_SUFFIX.test(rest) ? templateId : '',
      isDraft: Math.max(facts.widthPx, facts.heightPx) < FULL_SIDE_PX,
    });
  }
  return found;
}
