/**
 * The studio of one listing: joins document, stage, renders and files into the state that the page shows. Knows no
 * HTTP.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDiskFull } from '../../platform/disk/disk-error.ts';
import type { ListingLock } from '../../video/listing-lock.ts';
import type { Stage } from '../../video/stage/stage.ts';
import { followAddress } from '../document/ids-by-name.ts';
import { isSame, type ListingObject, photosOf } from '../document/json.ts';
import { ListingEditor } from '../document/listing-document.ts';
import { listingFileAt } from '../document/listing-file.ts';
import { addFile, type FileToAdd } from './add-file.ts';
import { findShownPhones, findViolations, findWarnings, joinWarnings } from './check-listing.ts';
import type { FirstListing } from './first-listing.ts';
import { LeftOutPhotos } from './left-out-photos.ts';
import { MadeVideos, type MadeVideosOptions } from './made-videos.ts';
import { nameForPeople, rememberNames } from './name-videos.ts';
import type {
  FilePurpose,
  GuessedOpening,
  LeftOutPhoto,
  RenderRequest,
  StateChange,
  StudioState,
} from './protocol.ts';
import { rememberLook } from './remember-look.ts';
import { StudioMemory } from './studio-memory.ts';
import { type RenderOptions, type RenderRefusal, StudioRenders } from './studio-renders.ts';

const WATCH_INTERVAL_MS = 400;

export interface StudioOptions
  extends Pick<RenderOptions, 'engine' | 'listingFile' | 'out' | 'taskOptions'>,
    Pick<MadeVideosOptions, 'showFile'> {
  readonly home: string;
  /** Closed with the studio. Absent: nothing else writes to the listing. */
  readonly lock?: ListingLock;
  /** @param onChange - Called after each change of the stage's state. */
  readonly openStage: (onChange: () => void) => Promise<Stage>;
  /** Why a dropped file cannot be used; null when it can. */
  readonly checkFile: (
    bytes: Uint8Array,
    purpose: FilePurpose,
    signal: AbortSignal,
  ) => Promise<string | null>;
  /** The photo to propose as the opening; null when there is none. @param files - Absolute. */
  readonly guessOpening?: (files: readonly string[], signal: AbortSignal) => Promise<string | null>;
  /** The page of all listings, if that opened this studio. */
  readonly startUrl?: string | null;
  readonly nowMs: () => number;
  readonly warn: (message: string, error: unknown) => void;
}

export type StateListener = (change: StateChange) => void;

type Findings = Pick<StudioState, 'violations' | 'warnings' | 'phones'>;

export class Studio {
  readonly #options: StudioOptions;
  readonly editor: ListingEditor;
  readonly #leftOut: LeftOutPhotos;
  readonly memory: StudioMemory;
  /** Of this process: a later studio counts its revisions anew. */
  readonly #run = randomUUID();
  readonly renders: StudioRenders;
  readonly made: MadeVideos;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<StateListener>();
  #stage: Stage | null = null;
  #watch: NodeJS.Timeout | undefined;
  #known: StudioState | null = null;
  #findings: (Findings & { of: ListingObject }) | null = null;
  #isReporting = false;
  #looking: Promise<void> = Promise.resolve();
  #guessedOpening: GuessedOpening | null = null;
  #skipped: StudioState['skipped'] = [];
  #notTaken = 0;

  private constructor(options: StudioOptions, editor: ListingEditor, memory: StudioMemory) {
    this.#options = options;
    this.editor = editor;
    this.memory = memory;
    this.#leftOut = new LeftOutPhotos(memory);
    const onChange = (): void => this.#changed();
    this.made = new MadeVideos({ ...options, memory, onChange });
    this.renders = new StudioRenders({ ...options, memory, readFolder: () => this.#readFolder(), onChange });
  }

  /** @throws {@link ListingVideoError} `json_invalid`, `body_too_large`; an error of the file system. */
  static async open(options: StudioOptions): Promise<Studio> {
    const { listingFile, home, nowMs, warn } = options;
    const onError = (error: unknown): void => warn('what the studio remembers cannot be saved', error);
    const memory = await StudioMemory.open(home, listingFile, onError);
    if (options.lock !== undefined) await memory.removeLeftovers().catch(onError);
    const document = {
      file: listingFileAt(listingFile, options.lock),
      name: path.basename(listingFile),
      nowMs,
      follow: (before: ListingObject, after: ListingObject) =>
        followAddress(before, after, path.dirname(listingFile)),
      onChange: () => studio.#documentChanged(),
    };
    const studio: Studio = new Studio(
      options,
      new ListingEditor(document, await readFile(listingFile)),
      memory,
    );
    rememberNames(studio.editor, memory);
    memory.remember({ file: listingFile, out: options.out, opened_at: new Date(nowMs()).toISOString() });
    await studio.#readFolder();
    await studio.renders.recall();
    studio.#stage = await options.openStage(() => studio.#changed());
    studio.#documentChanged();
    studio.#startWatch();
    return studio;
  }

  get stage(): Stage {
    return this.#stage!;
  }

  get state(): StudioState {
    const { listingFile } = this.#options;
    const { left_out: images, warnings, ...stage } = this.stage.state;
    const findings = this.#findFindings();
    const leftOut = this.#leftOut.of(this.editor.document);
    const imageOf = new Map(images.map((image) => [image.url, image]));
    return {
      run: this.#run,
      ...this.editor.state,
      file: { path: listingFile, folder: path.dirname(listingFile) },
      all_listings: this.#options.startUrl ?? null,
      violations: findings.violations,
      phones: findings.phones,
      ...stage,
      warnings: joinWarnings([...findings.warnings, ...warnings]),
      guessed_opening: this.#guessedOpening,
      skipped: this.#skipped,
      not_taken: this.#notTaken,
      left_out_more: leftOut.more,
      left_out: leftOut.shown.map((asset): LeftOutPhoto => {
        const image = imageOf.get(asset.url);
        return { url: asset.url, digest: image?.digest ?? null, problem: image?.problem ?? null, asset };
      }),
      render: this.renders.state,
      shapes: this.renders.shapes,
      places: this.renders.places,
      results: this.made.results(this.editor.document, stage),
    };
  }

  /** Something goes on that is not to end with the last page: a render, or a change that is not saved yet. */
  get isBusy(): boolean {
    const { save, conflict } = this.editor.state;
    return this.renders.state?.state === 'running' || save.state === 'failed' || conflict;
  }

  #readFolder(): Promise<void> {
    return this.made.check(this.editor.document);
  }

  /** Begins a render of what is in the listing now. @returns Why it cannot begin; null when it has. */
  async render(request: RenderRequest): Promise<RenderRefusal | null> {
    const refusal = this.renders.refuse(this.editor.document);
    if (refusal !== null) return refusal;
    const renamed = await nameForPeople(this.editor, this.made, this.memory, this.#options);
    const agents = request.agents && { agents: request.agents.map((id) => renamed.get(id) ?? id) };
    await this.#readFolder();
    const templates = this.stage.state.templates.map(({ id }) => id);
    return this.renders.start(this.editor.document, { ...request, ...agents }, this.made.found, templates);
  }

  /** @returns Stops the calls. */
  subscribe(listener: StateListener): () => void {
    this.#known ??= this.state;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns How the listing names the copy, or why the file cannot be used. */
  async addFile(file: FileToAdd): Promise<{ readonly url: string } | { readonly problem: string }> {
    const { checkFile, listingFile, lock, warn } = this.#options;
    const problem = await checkFile(file.bytes, file.purpose, this.#closing.signal);
    if (problem !== null) return { problem: `it cannot be used: ${problem}` };
    try {
      const aside = (await lock?.staging().catch(() => null)) ?? null;
      return { url: await addFile(path.dirname(listingFile), { ...file, aside }) };
    } catch (error) {
      warn('a dropped file cannot be copied', error);
      const reason = isDiskFull(error) ? 'the disk is full' : 'its folder cannot be written';
      return { problem: `it cannot be copied next to the listing: ${reason}` };
    }
  }

  /**
   * For a listing that was just made of photos: remembers those that it has no place for, and says which files are
   * none. As soon as the first plan is there, the photo that looks like a view of the outside becomes the opening, unless the person has begun to work.
   */
  beginWithPhotos({ leftOut, skipped }: Pick<FirstListing, 'leftOut' | 'skipped'>): void {
    this.#skipped = skipped;
    this.#notTaken = leftOut.length;
    this.#leftOut.add(leftOut.map((url) => ({ url })));
    const stop = this.subscribe(() => {
      const { planning, photos } = this.stage.state;
      if (planning || photos.length === 0 || photos.some(({ state }) => state === 'reading')) return;
      stop();
      this.#proposeOpening().catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.warn('no opening can be proposed', error);
      });
    });
  }

  /** Shows more of the photos that are left out. */
  showMoreLeftOut(): void {
    const { document } = this.editor;
    this.#leftOut.showMore();
    this.#stage?.update(document, this.#leftOut.of(document).shown);
    this.#changed();
  }

  async #proposeOpening(): Promise<void> {
    const { guessOpening, listingFile } = this.#options;
    const folder = path.dirname(listingFile);
    const files = photosOf(this.editor.document).map(({ url }) => path.resolve(folder, url));
    const opening = (await guessOpening?.(files, this.#closing.signal)) ?? null;
    if (opening === null || this.editor.state.revision > 0) return;
    const from = files.indexOf(opening);
    this.#guessedOpening = { url: photosOf(this.editor.document)[from]!.url, from };
    await this.editor.edit(`Open with ${path.basename(opening)}`, [
      { op: 'move', from: `/assets/${from}`, path: '/assets/0' },
    ]);
  }

  /** Cancels a render, which the next studio offers to continue, saves what is not saved, and closes the stage. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#listeners.clear();
    this.#closing.abort();
    await this.renders.stop();
    await this.editor.sync();
    await this.#looking;
    await this.memory.saved();
    await this.stage.close();
    await this.#options.lock?.close();
  }

  #previous: ListingObject | null = null;

  #documentChanged(): void {
    const { document } = this.editor;
    if (this.#previous !== document) {
      if (this.#previous !== null) this.#leftOut.notice(this.#previous, document);
      this.#previous = document;
      this.#stage?.update(document, this.#leftOut.of(document).shown);
    }
    this.#changed();
  }

  /** Several changes of one turn are one report. */
  #changed(): void {
    if (this.#isReporting || this.#listeners.size === 0) return;
    this.#isReporting = true;
    setImmediate(() => {
      this.#isReporting = false;
      const { state } = this;
      const known = this.#known;
      this.#known = state;
      const fields = Object.keys(state) as (keyof StudioState)[];
      const changed = fields.filter((field) => !isSame(state[field], known?.[field]));
      if (changed.length === 0) return;
      const change = Object.fromEntries(changed.map((field) => [field, state[field]])) as StateChange;
      for (const listener of this.#listeners) listener(change);
      this.#rememberLook(state);
    });
  }

  #rememberLook(state: StudioState): void {
    const { memory, stage, made } = this;
    const thumbnail = (digest: string) => stage.thumbnail(digest, 'large');
    const source = { memory, thumbnail, locate: (name: string) => made.locate(name) };
    // Without a picture the listing is shown without one.
    this.#looking = this.#looking.then(() => rememberLook(state, source)).catch(() => {});
  }

  #findFindings(): Findings {
    const { document } = this.editor;
    if (this.#findings?.of !== document)
      this.#findings = {
        of: document,
        violations: findViolations(document),
        warnings: findWarnings(document),
        phones: findShownPhones(document),
      };
    return this.#findings;
  }

  /** One look after the other: a network drive can be slow. */
  #startWatch(): void {
    let isLooking = false;
    this.#watch = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      const look = async (): Promise<void> => {
        await this.editor.check();
        await this.#readFolder();
      };
      void look().finally(() => {
        isLooking = false;
      });
    }, WATCH_INTERVAL_MS);
    this.#watch.unref();
  }
}
