/** Renders of the studio: one at a time, as a task of the command line, into the folder that `create` uses. */
import path from 'node:path';
import type { Agent, AspectRatio, Listing } from '../../listing/listing.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskEngine } from '../../task/engine/task-engine.ts';
import { groupPlaces } from '../../video/destinations/delivery.ts';
import { type DestinationName, toPlaceOptions } from '../../video/destinations/destination-table.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import type { EarlierVideo } from '../../video/plan/earlier-run.ts';
import { outputFolderOf } from '../../video/publish/output-folder-of.ts';
import type { VideoTaskOptions, VideoTaskOutcome, VideoTaskPayload } from '../../video/video-task.ts';
import { isObject, type ListingObject } from '../document/json.ts';
import { findChosenTemplates } from './chosen-templates.ts';
import type { RatioChoice, RenderRequest, StudioRender } from './protocol.ts';
import { inTableOrder, isRatioChoice, readRender } from './read-request.ts';
import type { StudioMemory } from './studio-memory.ts';

export interface RenderOptions {
  readonly engine: Pick<TaskEngine<VideoTaskPayload, VideoTaskOutcome>, 'submit' | 'runTask' | 'get'>;
  /** Knows the render that runs, for the case that this process is killed. */
  readonly memory: StudioMemory;
  readonly listingFile: string;
  /** Absolute folder of all results, as `create --out`. */
  readonly out: string;
  readonly taskOptions: VideoTaskOptions;
  /** Reads what the output folder has now. */
  readonly readFolder: () => Promise<void>;
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

  /** What the person chose to render; null: nothing yet. */
  get shapes(): RatioChoice | null {
    const shapes = this.#options.memory.get('shapes');
    return isRatioChoice(shapes) ? shapes : null;
  }

  chooseShapes(shapes: RatioChoice): void {
    this.#options.memory.set('shapes', shapes);
    this.#options.onChange();
  }

  /** Where the person chose to send the videos; until then as the project has it. */
  get places(): readonly DestinationName[] {
    const { memory, taskOptions } = this.#options;
    return inTableOrder(memory.get('places') ?? taskOptions.destinations);
  }

  choosePlaces(places: readonly DestinationName[]): void {
    this.#options.memory.set('places', places);
    this.#options.onChange();
  }

  /** Offers to continue a render that the end of an earlier studio interrupted. */
  async recall(): Promise<void> {
    const remembered = this.#options.memory.get('rendering');
    if (!isObject(remembered) || typeof remembered.task_id !== 'string') return;
    const task = await this.#options.engine.get(remembered.task_id).catch(() => null);
    // It runs on in another studio, or ended just before this one could be told.
    if (task !== null && task.state !== 'FAILED') return;
    try {
      this.#set({ ...NOTHING, state: 'interrupted', request: readRender(remembered) });
    } catch {
      // Somebody edited what is remembered.
    }
  }

  /** @returns Why a render of this listing cannot begin; null when it can. */
  refuse(document: ListingObject): RenderRefusal | null {
    const checked = this.#check(document);
    return 'listing' in checked ? null : checked;
  }

  #check(document: ListingObject): RenderRefusal | { readonly listing: Listing } {
    if (this.#cancel !== null)
      return { code: 'task_state_conflict', message: 'a render is running: wait for it, or cancel it' };
    const validation = validateListing(document, { allowLocalFiles: true });
    if (validation.ok) return validation;
    const count = validation.violations.length;
    const what = count === 1 ? 'one field' : `${count} fields`;
    return { code: 'invalid_listing', message: `the listing is not complete: ${what} must be changed first` };
  }

  /**
   * Begins a render, and resolves when it has begun.
   *
   * @param existing - What the folder has: previews, videos without branding, and those with a template that the command
   *   line chose are made again, too.
   * @param templates - Ids of the templates that there are. A video whose template is gone stays as it is.
   * @returns Why it cannot begin; null when it has.
   */
  async start(
    document: ListingObject,
    request: RenderRequest,
    existing: readonly EarlierVideo[],
    templates: readonly string[],
  ): Promise<RenderRefusal | null> {
    const checked = this.#check(document);
    if (!('listing' in checked)) return checked;
    const { listing } = checked;
    const chosen = listing.agents.filter(({ id }) => request.agents?.includes(id) ?? true);
    if (chosen.length === 0) return { code: 'invalid_listing', message: 'the listing has no such agent' };
    const agents = chosen.map((agent) => withPreview(agent, existing));
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.#set({ ...NOTHING, state: 'running', request });
    const folder = await outputFolderOf(this.#options.out, listing.id);
    const toPayload = (ids: readonly string[], asked: RenderRequest, template = {}): VideoTaskPayload => {
      const made = agents.filter(({ id }) => ids.includes(id));
      const others = listing.agents.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
      const payload = this.#payload({ ...listing, agents: made }, folder, asked, existing);
      return {
        ...payload,
        options: { ...payload.options, ...template },
        ...(others.length > 0 ? { otherAgents: others } : {}),
      };
    };
    const chosenTemplates = findChosenTemplates(
      existing,
      { agents, templates, ratios: this.shapes === null ? null : ratiosOf(listing, request) },
      this.#options.taskOptions,
    );
    // The videos of the listing's own template come last: the report of the folder is that of its last task.
    const payloads = [
      ...chosenTemplates.map(({ templateId, ratio, places, agents: ids }) =>
        toPayload(ids, { agents: ids, ratios: [ratio], destinations: places }, { templateId }),
      ),
      toPayload(
        agents.map(({ id }) => id),
        request,
      ),
    ];
    this.#running = this.#run(payloads, request, cancel.signal).finally(() => {
      this.#cancel = null;
    });
    return null;
  }

  /** Resolves when nothing is written any more. Forgets a render that was interrupted. */
  async cancel(): Promise<void> {
    await this.stop();
    this.#forget();
    if (this.#state?.state !== 'interrupted') return;
    this.#state = null;
    this.#options.onChange();
  }

  /** Cancels a render. The next studio offers to continue it, unless it was cancelled before. */
  async stop(): Promise<void> {
    this.#cancel?.abort(new Error('the render was cancelled'));
    await this.#running;
  }

  async #run(
    payloads: readonly VideoTaskPayload[],
    request: RenderRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const end = (state: StudioRender['state'], message: string | null = null): void => {
      if (state !== 'cancelled') this.#forget();
      this.#set({ ...NOTHING, state, request, message });
    };
    try {
      for (const [index, payload] of payloads.entries()) {
        const task = await this.#runTask(payload, request, { index, count: payloads.length }, signal);
        if (task.state === 'SUCCEEDED') continue;
        const isCancelled = task.failure?.code === 'cancelled' || signal.aborted;
        return isCancelled ? end('cancelled') : end('failed', explain(task.failure));
      }
      await this.#options.readFolder();
      end('done');
    } catch (thrown) {
      const message = thrown instanceof ListingVideoError ? explain(thrown) : String(thrown);
      end(signal.aborted ? 'cancelled' : 'failed', signal.aborted ? null : message);
    }
  }

  async #runTask(
    payload: VideoTaskPayload,
    request: RenderRequest,
    { index, count }: { readonly index: number; readonly count: number },
    signal: AbortSignal,
  ) {
    const { engine, memory } = this.#options;
    const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
    memory.set('rendering', { ...request, task_id: id });
    await memory.saved();
    return engine.runTask(id, {
      signal,
      onProgress: ({ percent, stage, etaSeconds }) => {
        if (this.#state?.state !== 'running' || signal.aborted) return;
        const all = Math.floor((index * 100 + percent) / count);
        // How long the tasks that follow take is not known.
        this.#set({
          ...this.#state,
          percent: all,
          stage,
          eta_seconds: index + 1 < count ? null : etaSeconds,
        });
      },
    });
  }

  #payload(
    listing: Listing,
    outputDir: string,
    request: RenderRequest,
    existing: readonly EarlierVideo[],
  ): VideoTaskPayload {
    const { listingFile, taskOptions } = this.#options;
    const { agents, ratios, destinations = [] } = request;
    const made = ratiosOf(listing, request);
    const hasTwin = existing.some(({ agentId, ratio }) => agentId === null && made.includes(ratio));
    return {
      listing,
      listingFile,
      baseDir: path.dirname(listingFile),
      outputDir,
      options: {
        ...taskOptions,
        destinations: undefined,
        ...ratioOptions(listing, ratios, destinations.length > 0),
        ...toPlaceOptions(destinations),
        ...(hasTwin && agents === undefined ? { alsoUnbranded: true } : {}),
      },
    };
  }

  #forget(): void {
    const { memory } = this.#options;
    if (memory.get('rendering') !== undefined) memory.set('rendering', undefined);
  }

  #set(state: StudioRender): void {
    this.#state = state;
    this.#options.onChange();
  }
}

const NOTHING: Omit<StudioRender, 'state' | 'request'> = {
  percent: 0,
  stage: null,
  eta_seconds: null,
  message: null,
};

/** With a preview where the folder has one: it would show what the new video does not. */
function withPreview(agent: Agent, existing: readonly EarlierVideo[]): Agent {
  const hasPreview = existing.some(({ agentId, entry }) => agentId === agent.id && entry.preview !== null);
  return hasPreview ? { ...agent, video_options: { ...agent.video_options, create_preview: true } } : agent;
}

/** The ratios that a render makes. */
function ratiosOf({ agents }: Listing, { ratios, destinations = [] }: RenderRequest): readonly AspectRatio[] {
  if (ratios !== undefined) return ratios;
  return agents.flatMap((agent) => {
    const usual = toAgentOptions(agent, {}).ratio;
    const groups = groupPlaces(destinations, { said: agent.video_options?.ratio ?? null, usual });
    return groups.length === 0 ? [usual] : groups.map(({ ratio }) => ratio);
  });
}

/**
 * Ratios as options of `create`: no option where the agents' own ratios are what is asked for.
 *
 * @param isForPlaces - Each place has a ratio of its own, which these replace.
 */
function ratioOptions(
  { agents }: Listing,
  ratios: readonly AspectRatio[] | undefined,
  isForPlaces: boolean,
): Pick<VideoTaskOptions, 'ratio' | 'alsoRatio'> {
  const [first, second] = [...new Set(ratios)];
  if (first === undefined) return {};
  if (isForPlaces) return { ratio: first, ...(second && { alsoRatio: second }) };
  const own = new Set(agents.map((agent) => toAgentOptions(agent, {}).ratio));
  if (second === undefined) return own.size === 1 && own.has(first) ? {} : { ratio: first };
  const [main = first] = own;
  const other = main === first ? second : first;
  return own.size === 1 ? { alsoRatio: other } : { ratio: main, alsoRatio: other };
}

function explain(failure: { readonly message: string; readonly hint?: string | undefined } | null): string {
  if (failure === null) return 'the render failed';
  return failure.hint === undefined ? failure.message : `${failure.message}. To do: ${failure.hint}`;
}
