/** The videos in the output folder of the listing, also of earlier days, and what the listing says in another way since. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Agent, Listing } from '../../listing/listing.ts';
import { exists } from '../../platform/disk/folder.ts';
import { describeFits } from '../../video/destinations/judge-file.ts';
import { type EarlierVideo, listVideos } from '../../video/plan/earlier-run.ts';
import { FILE_NAME, fitsOf } from '../../video/publish/kept-videos.ts';
import { agentOf, changesSince, type FilesOfVideo, madeOf } from '../../video/publish/made-of.ts';
import { moveResults } from '../../video/publish/move-results.ts';
import { outputFolderOf } from '../../video/publish/output-folder-of.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import { REPORT_NAME, type ReportFile } from '../../video/publish/report.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import { isObject, type ListingObject } from '../document/json.ts';
import { isOfChosenTemplate } from './chosen-templates.ts';
import type { MadeFile, MadeVideo, StudioResults, StudioState, StudioVideo } from './protocol.ts';
import type { StudioMemory } from './studio-memory.ts';

type StageFiles = Pick<StudioState, 'photos' | 'images' | 'videos' | 'planning'>;

/** Of all videos that the stage shows. */
interface KnownFiles extends Pick<FilesOfVideo, 'photos' | 'images'> {
  readonly own: readonly Pick<StudioVideo, 'agent_id' | 'ratio' | 'own_files'>[];
}

export interface MadeVideosOptions {
  readonly listingFile: string;
  /** Absolute folder of all results, as `create --out`. */
  readonly out: string;
  readonly taskOptions: VideoTaskOptions;
  /** Knows under which id the videos are. */
  readonly memory: StudioMemory;
  /** Shows a file in its folder; null without a desktop. */
  readonly showFile?: ((file: string) => void) | null;
  /** Called when the folder has changed. */
  readonly onChange: () => void;
}

export class MadeVideos {
  readonly #options: MadeVideosOptions;
  #folder: string | null = null;
  /** The folder of the id that the listing has now. */
  #wanted: string | undefined;
  #signature = '';
  #found: readonly EarlierVideo[] = [];
  #files: KnownFiles = { own: [] };
  #shown: { readonly of: readonly unknown[]; readonly results: StudioResults } | null = null;

  constructor(options: MadeVideosOptions) {
    this.#options = options;
  }

  /** What the folder has, the latest run first. */
  get found(): readonly EarlierVideo[] {
    return this.#found;
  }

  /**
   * Reads the folder, unless it is as it was. Called again and again. After a change of the id, the videos are still in
   * the folder of the earlier one, until the next render.
   */
  async check(document: ListingObject): Promise<void> {
    const { out, listingFile, memory, onChange } = this.#options;
    const ids = [document.id, memory.get('files')].filter((id) => typeof id === 'string' && id !== '');
    const folders = await Promise.all(ids.map((id) => outputFolderOf(out, id as string)));
    const signature = (await Promise.all(folders.map(signatureOf))).join('\n');
    if (signature === this.#signature && folders[0] === this.#wanted) return;
    let found: readonly EarlierVideo[] | null = [];
    let folder = folders[0] ?? null;
    for (const [index, id] of ids.entries()) {
      const listing = toListing({ ...document, id });
      const task = { listing, listingFile, baseDir: path.dirname(listingFile) };
      found = await listVideos(folders[index]!, task).catch(() => null);
      // A listing with faults cannot always be told from another one: the next look tries again.
      if (found === null) return;
      if (found.length === 0) continue;
      folder = folders[index]!;
      if (id !== memory.get('files')) memory.set('files', id);
      break;
    }
    this.#wanted = folders[0];
    this.#folder = folder;
    this.#signature = signature;
    this.#found = found;
    onChange();
  }

  /** The id, or the next one whose folder no other listing has. */
  async freeId(wanted: string): Promise<string> {
    const { out, listingFile } = this.#options;
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? wanted : `${wanted}-${number}`;
      const folder = await outputFolderOf(out, id);
      if (folder === this.#folder || !(await exists(folder))) return id;
      const { listing } = await readReportFile(path.join(folder, REPORT_NAME));
      if (listing?.file === listingFile) return id;
    }
  }

  /**
   * Moves the videos to the folder of the new id, and names their files for the new ids of the agents.
   *
   * @throws {@link ListingVideoError} `output_locked`, `output_unwritable`; an error of the file system.
   */
  async rename(listingId: string, agents: ReadonlyMap<string, string>): Promise<void> {
    if (this.#folder === null || this.#found.length === 0) return;
    const to = await outputFolderOf(this.#options.out, listingId);
    if (to === this.#folder && agents.size === 0) return;
    const { memory } = this.#options;
    // The folder of a process that is killed before the listing has its new id is found by this one.
    memory.set('files', listingId);
    await memory.saved();
    await moveResults(this.#folder, to, { listingId, agents });
  }

  /** @param stage - The contents of files count as soon as it has read them. */
  results(document: ListingObject, stage: StageFiles): StudioResults {
    if (!stage.planning) this.#files = toFiles(stage);
    const files = this.#files;
    const of = [
      document,
      JSON.stringify([files.photos, [...(files.images ?? [])], files.own]),
      this.#found,
      this.#folder,
    ];
    if (this.#shown?.of.every((each, index) => each === of[index])) return this.#shown.results;
    const { taskOptions, showFile = null } = this.#options;
    const payload = { listing: toListing(document), options: taskOptions };
    const places = new Map(payload.listing.agents.map(({ id }, index) => [id, index]));
    const placeOf = ({ agentId }: EarlierVideo): number =>
      agentId === null ? places.size : (places.get(agentId) ?? places.size + 1);
    const chosen = new Set(
      this.#found.filter((video) => isOfChosenTemplate(video, payload.listing, taskOptions, this.#found)),
    );
    const videos = [...this.#found]
      .sort(
        (a, b) =>
          placeOf(a) - placeOf(b) ||
          b.ratio.localeCompare(a.ratio) ||
          Number(chosen.has(a)) - Number(chosen.has(b)),
      )
      .map((video): MadeVideo => {
        const { agentId, ratio, templateId, isDraft, entry } = video;
        const { made_of: before } = entry;
        const agent = agentOf(payload, video);
        const own = files.own.find((each) => each.agent_id === agent?.id && each.ratio === ratio);
        const isChosen = chosen.has(video);
        const now = madeOf(isChosen ? { ...payload, options: { ...taskOptions, templateId } } : payload, {
          agentId,
          ratio,
          // Only the file of the listing's own template is known.
          files: { ...files, ...own?.own_files, ...(isChosen && { template: undefined }) },
        });
        return {
          ...this.#toFile(entry.video),
          agent_id: agentId,
          agent_name: agentId === null ? null : (entry.agent_name ?? agentId),
          has_agent_left: agentId !== null && !places.has(agentId),
          ratio,
          template_id: templateId,
          has_chosen_template: isChosen,
          is_draft: isDraft,
          places: fitsOf(entry).map(({ name }) => name),
          is_named_for_places: video.namedFor !== undefined,
          fits: describeFits(fitsOf(entry)),
          path: path.join(this.#folder!, entry.video.file),
          bytes: entry.video.size_bytes,
          made_at: entry.created_at,
          poster: entry.poster && this.#toFile(entry.poster),
          preview: entry.preview && this.#toFile(entry.preview),
          changes: isObject(before) ? changesSince(before, now, nameOf(agent)) : null,
        };
      });
    const results = { folder: this.#folder, can_show: showFile !== null, videos };
    this.#shown = { of, results };
    return results;
  }

  /** Absolute path of a video, poster or preview. Null for any other name. */
  locate(name: string): string | null {
    const names = this.#found.flatMap(({ entry }) => [entry.video, entry.poster, entry.preview]);
    return this.#folder !== null && FILE_NAME.test(name) && names.some((file) => file?.file === name)
      ? path.join(this.#folder, name)
      : null;
  }

  /** `128-harbor-pine-lane-june-takemori.mp4`: among downloads, the name alone says which house it is. */
  downloadName(name: string): string {
    return `${path.basename(this.#folder ?? '')}-${name}`;
  }

  /** @returns False for any other name, and without a desktop. */
  show(name: string): boolean {
    const { showFile = null } = this.#options;
    const file = this.locate(name);
    if (file === null || showFile === null) return false;
    showFile(file);
    return true;
  }

  #toFile({ file, sha256 }: ReportFile): MadeFile {
    // A file of the same name can be another one after the next render.
    const url = `/api/results/${encodeURIComponent(file)}?v=${String(sha256).slice(0, 12)}`;
    return { name: file, download_name: this.downloadName(file), url };
  }
}

async function signatureOf(folder: string): Promise<string> {
  const report = await stat(path.join(folder, REPORT_NAME)).catch(() => null);
  if (report === null) return '';
  const names = await readdir(folder).catch(() => []);
  return `${report.mtimeMs} ${report.size} ${names.sort().join('/')}`;
}

/** The parts that are of the right kind, so that the videos of a listing with faults can be compared, too. */
function toListing({ assets, agents, ...rest }: ListingObject): Listing {
  const objects = (list: unknown): object[] =>
    Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
  return { ...rest, assets: objects(assets), agents: objects(agents) } as unknown as Listing;
}

function nameOf(agent: Agent | undefined): string {
  return [agent?.first_name, agent?.last_name].filter(Boolean).join(' ') || 'the agent';
}

function toFiles({ photos, images, videos }: StageFiles): KnownFiles {
  const usable = photos.filter(({ state }) => state === 'usable');
  const all = [...photos.flatMap(({ original }) => original ?? []), ...images];
  return {
    photos: usable.flatMap(({ digest }) => digest ?? []),
    images: new Map(all.map(({ url, digest }) => [url, digest])),
    own: videos.map(({ agent_id, ratio, own_files }) => ({ agent_id, ratio, own_files })),
  };
}
