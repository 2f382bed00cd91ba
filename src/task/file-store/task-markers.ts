/** The markers of a task in both of its trees: of the whole store, and of its organization. */
import { join } from 'node:path';
import { namesIn } from '../../platform/disk/folder.ts';
import { TASK_STATES, type TaskRecord, type TaskState } from '../task.ts';
import type { MarkerTree } from './marker-walk.ts';
import { StateMarkers } from './state-markers.ts';

/** A created marker with its path, which later calls need. */
export interface PlacedMarker {
  readonly markers: StateMarkers;
  readonly path: string;
}

type Owned = Pick<TaskRecord, 'id' | 'organizationId'>;

/** All marker trees of a home. */
export class TaskMarkers {
  readonly #home: string;
  readonly #durable: boolean;
  readonly #beforeFolder: ((areOwned: boolean) => Promise<void>) | undefined;
  readonly #trees = new Map<string, StateMarkers>();

  /** @param beforeFolder - Runs before a folder is made for a marker, of an organization if `areOwned`. */
  constructor(home: string, durable: boolean, beforeFolder?: (areOwned: boolean) => Promise<void>) {
    this.#home = home;
    this.#durable = durable;
    this.#beforeFolder = beforeFolder;
  }

  /** Adds markers of `state` to the task; existing markers stay. */
  add(state: TaskState, task: Owned): Promise<PlacedMarker[]> {
    return Promise.all(
      this.#of(task).map(async (markers) => ({ markers, path: await markers.add(state, task.id) })),
    );
  }

  /** Creates missing ones of these markers again, and makes all durable. */
  async keep(state: TaskState, id: string, placed: readonly PlacedMarker[]): Promise<void> {
    await Promise.all(
      placed.map(async ({ markers, path }) => {
        await markers.add(state, id, path);
        await markers.flush(path);
      }),
    );
  }

  /** Makes markers durable. */
  async flush(placed: readonly PlacedMarker[]): Promise<void> {
    await Promise.all(placed.map(({ markers, path }) => markers.flush(path)));
  }

  /** Removes the task's markers of `state`. */
  async remove(state: TaskState, task: Owned): Promise<void> {
    await Promise.all(this.#of(task).map((markers) => markers.remove(state, task.id)));
  }

  /** The trees to walk for a query. */
  trees(
    state: TaskState | undefined,
    organizationId: string | undefined,
  ): (MarkerTree & { markers: StateMarkers })[] {
    const markers = this.#tree(organizationId === undefined ? null : this.keyOf(organizationId));
    const states = state === undefined ? TASK_STATES : [state];
    return states.map((each) => ({ state: each, folder: markers.folder(each), markers }));
  }

  /** The tree of one organization's tasks, or of all tasks for the key null. */
  tree(state: TaskState, key: string | null): MarkerTree {
    return { state, folder: this.#tree(key).folder(state) };
  }

  /** Keys of the organizations that have had tasks. */
  organizationKeys(): Promise<string[]> {
    return namesIn(join(this.#home, 'organization'));
  }

  /** Key of an organization: a unique name for its folder. */
  keyOf(organizationId: string): string {
    return organizationFolder(organizationId);
  }

  #of(task: Owned): StateMarkers[] {
    const all = this.#tree(null);
    return task.organizationId === null ? [all] : [all, this.#tree(this.keyOf(task.organizationId))];
  }

  #tree(key: string | null): StateMarkers {
    const root = key === null ? join(this.#home, 'state') : join(this.#home, 'organization', key);
    let markers = this.#trees.get(root);
    if (markers === undefined) {
      if (this.#trees.size > 1_000) this.#trees.clear();
      const beforeFolder = this.#beforeFolder;
      const before = beforeFolder && (() => beforeFolder(key !== null));
      markers = new StateMarkers(root, this.#durable, undefined, before);
      this.#trees.set(root, markers);
    }
    return markers;
  }
}

/** A unique folder name for an organization, safe on every platform: it survives ignored case and reserved names. */
function organizationFolder(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) return `o-${id}`;
  // Not imported at the top: that would cost every command 3 ms, and our own ids do not get here.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `h-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
