/** Writes the text files beside each video, but never over a text that someone has changed. */
import { lstat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EarlierVideo } from '../plan/earlier-run.ts';
import type { PlannedVideo } from '../plan/plan-videos.ts';
import { formatCaptions } from '../sidecars/format-captions.ts';
import { formatDescription } from '../sidecars/format-description.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { isOurs } from './kept-videos.ts';
import type { OutputFolder } from './output-folder.ts';
import type { ReportFile } from './report.ts';

/** Of one video, as the program wrote them. */
export interface Sidecars {
  readonly captions?: ReportFile;
  readonly description?: ReportFile;
}

export interface StagedSidecars {
  readonly of: ReadonlyMap<PlannedVideo, Sidecars>;
  /** Names of the files to publish. */
  readonly staged: readonly string[];
  /** Sentences for the report. */
  readonly notes: readonly string[];
}

/** Files for the web have names that cannot be guessed; a text beside one would be found by nobody. */
export async function stageSidecars(
  plans: readonly PlannedVideo[],
  earlier: readonly EarlierVideo[],
  { payload, folder }: { readonly payload: VideoTaskPayload; readonly folder: OutputFolder },
): Promise<StagedSidecars> {
  const of = new Map<PlannedVideo, Sidecars>();
  const staged: string[] = [];
  const changed: string[] = [];
  for (const plan of payload.nameSecret === undefined ? plans : []) {
    const { delivery } = plan;
    const { storyboard } = plan.timeline;
    const agent = payload.listing.agents.find(({ id }) => plan.isBranded && id === plan.agent?.id) ?? null;
    const texts = {
      captions: ['vtt', formatCaptions(storyboard)],
      description: ['txt', formatDescription({ storyboard, listing: payload.listing, agent, delivery })],
    } as const;
    const before = earlier.find(({ entry }) => entry.video.file === plan.names.video)?.entry;
    const sidecars: { captions?: ReportFile; description?: ReportFile } = {};
    for (const kind of ['captions', 'description'] as const) {
      const [ending, text] = texts[kind];
      const name = plan.names.video.replace(/mp4$/, ending);
      const known = before?.[kind]?.file === name ? before[kind] : undefined;
      const isThere = (await lstat(path.join(folder.path, name)).catch(() => null)) !== null;
      const isChanged = isThere && !(known !== undefined && (await isOurs(known, folder.path)));
      if (isChanged && !payload.options.force) {
        changed.push(name);
        if (known !== undefined) sidecars[kind] = known;
        continue;
      }
      await writeFile(folder.stagedPath(name), text);
      const described = await folder.describe(name);
      sidecars[kind] = described;
      if (!isThere || described.sha256 !== known?.sha256) staged.push(name);
    }
    of.set(plan, sidecars);
  }
  const note = `changed by hand, and kept so: ${changed.join(', ')} (--force writes them again)`;
  return { of, staged, notes: changed.length > 0 ? [note] : [] };
}
