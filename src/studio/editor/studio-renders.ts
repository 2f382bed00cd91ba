/** Renders of the studio: one at a time, as a task of the command line, into the folder that `create` uses. */
import path from 'node:path';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskEngine } from '../../task/engine/task-engine.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { outputFolderOf } from '../../video/publish/output-folder-of.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import type { Report, ReportEntry } from '../../video/publish/report.ts';
import type { VideoTaskOptions, VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import type { ListingObject } from '../document/json.ts';
import type { RenderedVideo, RenderRequest, StudioRender } from './protocol.ts';

export interface RenderOptions {
  readonly engine: Pick<TaskEngine<VideoTaskPayload, VideoTaskOutcome>, 'submit' | 'runTask'>;
  readonly listingFile: string;
  /** Absolute folder of all results, as `create --out`. */
  readonly out: string;
  readonly taskOptions: VideoTaskOptions;
  /** Called after each change of {@link StudioRenders.state}. */
  readonly onChange: () => void;
}

export interface RenderRefusal {
  readonly code: 'task_state_conflict' | 'invalid_listing';
  readonly message: string;
}

export class StudioRenders {
  readonly #options: RenderOptions;
  #state: StudioRender | null = null;
  #cancel: AbortController | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  get state(): StudioRender | null {
    return this.#state;
  }

  /** Begins a render, and resolves when it has begun. @returns Why it cannot begin; null when it has. */
  async start(document: ListingObject, request: RenderRequest): Promise<RenderRefusal | null> {
    if (this.#cancel !== null)
      return { code: 'task_state_conflict', message: 'a render is running: wait for it, or cancel it' };
    const validation = validateListing(document, { allowLocalFiles: true });
    if (!validation.ok) {
      const count = validation.violations.length;
      const what = count === 1 ? 'one field' : `${count} fields`;
      return {
        code: 'invalid_listing',
        message: `the listing is not complete: ${what} must be changed first`,
      };
    }
    const { listing } = validation;
    const agents = listing.agents.filter(({ id }) => request.agents?.includes(id) ?? true);
    if (agents.length === 0) return { code: 'invalid_listing', message: 'the listing has no such agent' };
    const cancel = new AbortController();
    this.#cancel = cancel;
    const folder = await outputFolderOf(this.#options.out, listing.id);
    this.#set({ ...NOTHING, state: 'running', folder });
    const payload = this.#payload({ ...listing, agents }, folder, request.ratios);
    this.#running = this.#run(payload, cancel.signal).finally(() => {
      this.#cancel = null;
    });
    return null;
  }

  /** Resolves when nothing is written any more. Without a render it does nothing. */
  async cancel(): Promise<void> {
    this.#cancel?.abort(new Error('the render was cancelled'));
    await this.#running;
  }

  /** Absolute path of a finished file. Null for any other name. */
  locate(name: string): string | null {
    const { state, videos = [], folder } = this.#state ?? {};
    if (state !== 'done' || folder === undefined) return null;
    const names = videos.flatMap((video) => [video.name, posterName(video)]);
    return names.includes(name) ? path.join(folder, name) : null;
  }

  async #run(payload: VideoTaskPayload, signal: AbortSignal): Promise<void> {
    const { outputDir: folder } = payload;
    const { engine } = this.#options;
    try {
      const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
      const task = await engine.runTask(id, {
        signal,
        onProgress: ({ percent, stage, etaSeconds }) => {
          if (this.#state?.state === 'running' && !signal.aborted)
            this.#set({ ...this.#state, percent, stage, eta_seconds: etaSeconds });
        },
      });
      if (task.state !== 'SUCCEEDED') {
        const isCancelled = task.failure?.code === 'cancelled' || signal.aborted;
        const message = isCancelled ? null : explain(task.failure);
        this.#set({ ...NOTHING, state: isCancelled ? 'cancelled' : 'failed', message, folder });
        return;
      }
      const { report } = task.outcome ?? {};
      const videos = report ? toVideos(await readReportFile(report)) : [];
      this.#set({ ...NOTHING, state: 'done', percent: 100, eta_seconds: 0, videos, folder });
    } catch (thrown) {
      const message = thrown instanceof ListingVideoError ? explain(thrown) : String(thrown);
      this.#set({ ...NOTHING, state: signal.aborted ? 'cancelled' : 'failed', message, folder });
    }
  }

  #payload(
    listing: Listing,
    outputDir: string,
    ratios: readonly AspectRatio[] | undefined,
  ): VideoTaskPayload {
    const { listingFile, taskOptions } = this.#options;
    return {
      listing,
      listingFile,
      baseDir: path.dirname(listingFile),
      outputDir,
      options: { ...taskOptions, ...ratioOptions(listing, ratios) },
    };
  }

  #set(state: StudioRender): void {
    this.#state = state;
    this.#options.onChange();
  }
}

const NOTHING: Omit<StudioRender, 'state' | 'folder'> = {
  percent: 0,
  stage: null,
  eta_seconds: null,
  message: null,
  videos: [],
};

/** Ratios as options of `create`: no option where the agents' own ratios are what is asked for. */
function ratioOptions(
  { agents }: Listing,
  ratios: readonly AspectRatio[] | undefined,
): Pick<VideoTaskOptions, 'ratio' | 'alsoRatio'> {
  const [first, second] = [...new Set(ratios)];
  if (first === undefined) return {};
  const own = new Set(agents.map((agent) => toAgentOptions(agent, {}).ratio));
  if (second === undefined) return own.size === 1 && own.has(first) ? {} : { ratio: first };
  const [main = first] = own;
  const other = main === first ? second : first;
  return own.size === 1 ? { alsoRatio: other } : { ratio: main, alsoRatio: other };
}

function toVideos({ videos = [], also_ratio: others = [] }: Partial<Report>): RenderedVideo[] {
  return [...videos, ...others].map((entry) => toVideo(entry));
}

function toVideo(entry: ReportEntry & { readonly agent_id: string }): RenderedVideo {
  const { agent_id, ratio, video, poster } = entry;
  // A file of the same name can be another video after the next render.
  const urlOf = (file: { readonly file: string; readonly sha256: string }): string =>
    `/api/results/${encodeURIComponent(file.file)}?v=${file.sha256.slice(0, 12)}`;
  return {
    agent_id,
    ratio,
    name: video.file,
    url: urlOf(video),
    poster_url: poster === null ? null : urlOf(poster),
    bytes: video.size_bytes,
  };
}

function posterName({ poster_url: url }: RenderedVideo): string | null {
  const name = url?.split('/').at(-1)?.split('?')[0];
  return name === undefined ? null : decodeURIComponent(name);
}

function explain(failure: { readonly message: string; readonly hint?: string | undefined } | null): string {
  if (failure === null) return 'the render failed';
  return failure.hint === undefined ? failure.message : `${failure.message}. To do: ${failure.hint}`;
}
