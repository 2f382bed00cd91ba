/**
 * The index of tasks: empty files whose names are all that a list, a count or a claim needs to choose tasks.
 *
 *     <home>/index/all/<STATE>/<shard>/<id>.<origin>.<organization>
 *     <home>/index/of-<organization>/<STATE>/<shard>/...    the same, for the tasks of one organization
 *
 * The record counts, the index only leads to it. A task always has an entry for its true state: the new one is made
 * before the record changes, the old one goes after that. A crash can leave a wrong entry beside it, which the next
 * reader removes. An entry that somebody deleted is made again when its task is read by its id, and by a prune.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { asidePath } from '../../../platform/disk/atomic-write.ts';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import { exists, flushFolder, inFolder, makeFolder, namesIn } from '../../../platform/disk/folder.ts';
import type { TaskOrigin, TaskRecord, TaskState } from '../../task.ts';
import { isTaskId } from '../../task-id.ts';

export interface EntryKey {
  readonly state: TaskState;
  readonly name: string;
}

/** What the name of an entry says. Origin and organization are null if the record could not be read. */
export interface IndexEntry extends EntryKey {
  readonly id: string;
  readonly origin: TaskOrigin | null;
  /** See {@link organizationKey}. Also null for a task without organization. */
  readonly organization: string | null;
}

export interface Walk {
  readonly states: readonly TaskState[];
  readonly order: 'newest' | 'oldest';
  readonly organizationId?: string | undefined;
  /** Only the ids before this one. */
  readonly olderThan?: string | undefined;
}

/**
 * Lengths of the prefixes of ids that name the folders of a state: 4.7 h, 65 s, 4 s, 0.26 s. A folder below the first
 * is used once the one above it is full, so that the newest of 20,000 tasks never cost a listing of 20,000 names.
 */
const PREFIXES = [6, 8, 10, 11] as const;
/** Some 250 names on ext4. A file system that reports no size of a folder only lists longer. */
const FULL_FOLDER_BYTES = 16 * 1024;
/** Known to one process; more are forgotten. */
const MAX_FULL_FOLDERS = 10_000;

export class TaskIndex {
  readonly #home: string;
  readonly #root: string;
  readonly #durable: boolean;
  readonly #allEntries: () => AsyncIterable<EntryKey>;
  readonly #fullFolderBytes: number;
  readonly #full = new Set<string>();
  #making: Promise<void> | null = null;

  /** @param allEntries - Reads every task, for an index that is missing. */
  constructor(
    home: string,
    durable: boolean,
    allEntries: () => AsyncIterable<EntryKey>,
    fullFolderBytes = FULL_FOLDER_BYTES,
  ) {
    this.#home = home;
    this.#root = join(home, 'index');
    this.#durable = durable;
    this.#allEntries = allEntries;
    this.#fullFolderBytes = fullFolderBytes;
  }

  /** Creates an entry unless it exists. @returns The folders that it is in, for {@link flush}. */
  async add(entry: EntryKey): Promise<string[]> {
    // Without this the new folder would hide the loss.
    if (!(await exists(this.#root))) await this.#make();
    return this.#create(this.#root, entry);
  }

  /** Creates an entry that is gone, so that lists and claims find its task again. @returns False if it was there. */
  async restore(entry: EntryKey): Promise<boolean> {
    const [here, ofOrganization = here] = await Promise.all(
      foldersOf(this.#root, entry).map(async (levels) => {
        const found = await Promise.all(levels.map((folder) => exists(join(folder, entry.name))));
        return found.includes(true);
      }),
    );
    if (here && ofOrganization) return false;
    await this.flush(await this.add(entry));
    return true;
  }

  async flush(folders: readonly string[]): Promise<void> {
    if (this.#durable) await Promise.all(folders.map(flushFolder));
  }

  /** Removes an entry if it exists, and the folders that are empty then, because a list opens every folder. */
  async remove(entry: EntryKey): Promise<void> {
    for (const folder of foldersOf(this.#root, entry).flatMap((levels) => levels.reverse())) {
      await fs.rm(join(folder, entry.name), { force: true });
      await fs.rmdir(folder).catch(() => {});
    }
  }

  /** Yields the entries by id. */
  async *walk({ states, order, organizationId, olderThan = '~' }: Walk): AsyncGenerator<IndexEntry, void> {
    if (!(await exists(this.#root)) && (await exists(join(this.#home, 'tasks')))) await this.#make();
    const tree = join(
      this.#root,
      organizationId === undefined ? 'all' : treeOf(organizationKey(organizationId)),
    );
    // A folder is opened before the first of the tasks in it is due: '~' is after every id that begins with its name.
    const mark = order === 'newest' ? '~' : '';
    // The next one is at the end. Each has its state after a space.
    const due = states.map((state) => `${mark} ${state}`);
    for (;;) {
      const next = due.pop();
      if (next === undefined) return;
      const place = next.lastIndexOf(' ');
      const [name, state] = [next.slice(0, place), next.slice(place + 1) as TaskState];
      if (name.length >= 36) {
        const entry = parseEntry(state, name);
        if (entry !== null) yield entry;
        continue;
      }
      for (const child of await namesIn(join(tree, state, ...pathOf(name.replace('~', ''))))) {
        const isFolder = child.length < 36;
        if (isFolder ? child <= olderThan : child < olderThan)
          due.push(`${child}${isFolder ? mark : ''} ${state}`);
      }
      due.sort();
      if (order === 'oldest') due.reverse();
    }
  }

  /** If somebody deleted the index, or left it out of a backup, it is made again from all records. */
  #make(): Promise<void> {
    this.#making ??= this.#makeNow().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  /** Until the index is complete, it has another name: no process sees a part of it or adds to it. */
  async #makeNow(): Promise<void> {
    const staged = asidePath(join(this.#home, 'trash', 'index'));
    try {
      await makeFolder(staged, false);
      for await (const entry of this.#allEntries()) await this.#create(staged, entry);
      await fs.rename(staged, this.#root);
      if (this.#durable) await flushFolder(this.#home);
    } catch (error) {
      await fs.rm(staged, { recursive: true, force: true }).catch(() => {});
      // Another process can have been first.
      if (!(await exists(this.#root))) throw toStoreError(error, this.#root);
    }
  }

  async #create(root: string, entry: EntryKey): Promise<string[]> {
    return Promise.all(
      foldersOf(root, entry).map(async (levels) => {
        let level = 0;
        while (level < levels.length - 1 && (await this.#isFull(levels[level]!))) level++;
        const folder = levels[level]!;
        const path = join(folder, entry.name);
        await inFolder(folder, this.#durable, async () => (await fs.open(path, 'a')).close());
        return folder;
      }),
    );
  }

  /** A folder that was full once counts as full: an entry that is deeper than it needs to be is found all the same. */
  async #isFull(folder: string): Promise<boolean> {
    if (this.#full.has(folder)) return true;
    const { size } = await fs.stat(folder).catch(() => ({ size: 0 }));
    if (size <= this.#fullFolderBytes) return false;
    if (this.#full.size >= MAX_FULL_FOLDERS) this.#full.clear();
    this.#full.add(folder);
    return true;
  }
}

/** The entry that leads to a task in its state. */
export function entryOf({ id, origin, organizationId, state }: TaskRecord): EntryKey {
  const owner = organizationId === null ? [] : [organizationKey(organizationId)];
  return { state, name: [id, origin, ...owner].join('.') };
}

/** A name for an organization that fits into a file name. Equal keys mean equal organizations. */
export function organizationKey(organizationId: string): string {
  if (/^[a-z0-9_-]{1,100}$/.test(organizationId)) return organizationId;
  // Not imported at the top: that would cost every command 3 ms, and our own ids do not get here.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `~${createHash('sha256').update(organizationId).digest('hex').slice(0, 32)}`;
}

function treeOf(organization: string): string {
  return `of-${organization}`;
}

/** Null for a foreign file. */
function parseEntry(state: TaskState, name: string): IndexEntry | null {
  const [id = '', origin = null, organization = null] = name.split('.');
  if (!isTaskId(id) || (origin !== null && origin !== 'cli' && origin !== 'api')) return null;
  return { state, name, id, origin, organization };
}

/**
 * The folders that can hold an entry, from the first level down: in the tree of all tasks, and in its organization's.
 */
function foldersOf(root: string, { state, name }: EntryKey): string[][] {
  const { organization = null } = parseEntry(state, name) ?? {};
  const trees = organization === null ? ['all'] : ['all', treeOf(organization)];
  return trees.map((tree) =>
    PREFIXES.map((length) => join(root, tree, state, ...pathOf(name.slice(0, length)))),
  );
}

/** The folders down to that of a prefix. */
function pathOf(prefix: string): string[] {
  return PREFIXES.filter((length) => length <= prefix.length).map((length) => prefix.slice(0, length));
}
