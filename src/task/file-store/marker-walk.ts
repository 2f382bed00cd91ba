/**
 * Walks several marker trees in the order of ids and opens only the folders it needs: the newest 20 of 100,000 tasks cost a
 * few small listings.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import type { TaskState } from '../task.ts';
import { isTaskId } from '../task-id.ts';

type WalkOrder = 'newest' | 'oldest';

/** The markers of one state in one tree. */
export interface MarkerTree {
  readonly state: TaskState;
  readonly folder: string;
}

/** A marker that the walk found. */
export interface Marker<Tree extends MarkerTree = MarkerTree> {
  readonly id: string;
  /** The tree of the marker. Its state can differ from the state in the record. */
  readonly tree: Tree;
}

/** An opened folder. `keys` are the names still to visit, with the next one at the end. */
interface OpenFolder<Tree> {
  readonly tree: Tree;
  readonly path: string;
  readonly keys: string[];
}

/** Sorts after every id that begins with the prefix before it. */
const AFTER_PREFIX = '~';

/**
 * Yields the markers of all trees in one order. Markers of the same id in several trees come directly one after another.
 *
 * @param after - Yields only the ids after this one, in `order`.
 */
export async function* walkMarkers<Tree extends MarkerTree>(
  trees: readonly Tree[],
  order: WalkOrder,
  after?: string,
): AsyncGenerator<Marker<Tree>, void> {
  let open = await Promise.all(trees.map((tree) => openFolder(tree.folder, tree, order, after)));
  for (;;) {
    open = open.filter((folder) => folder.keys.length > 0);
    const first = firstOf(open, order);
    if (first === undefined) return;
    const key = first.keys.pop()!;
    if (isTaskId(key)) {
      yield { id: key, tree: first.tree };
    } else {
      const name = key.replace(AFTER_PREFIX, '');
      open.push(await openFolder(join(first.path, name), first.tree, order, after));
    }
  }
}

function firstOf<Tree>(open: readonly OpenFolder<Tree>[], order: WalkOrder): OpenFolder<Tree> | undefined {
  let first: OpenFolder<Tree> | undefined;
  for (const folder of open) {
    if (first === undefined) first = folder;
    else {
      const [key, best] = [folder.keys.at(-1)!, first.keys.at(-1)!];
      if (order === 'newest' ? key > best : key < best) first = folder;
    }
  }
  return first;
}

async function openFolder<Tree>(
  path: string,
  tree: Tree,
  order: WalkOrder,
  after: string | undefined,
): Promise<OpenFolder<Tree>> {
  let names: string[];
  try {
    names = await fs.readdir(path);
  } catch (error) {
    // The folder was removed after its name was read, or is a foreign file.
    if (!isAbsent(error)) throw error;
    names = [];
  }
  const keys: string[] = [];
  for (const name of names) {
    if (isTaskId(name)) {
      if (after === undefined || (order === 'newest' ? name < after : name > after)) keys.push(name);
    } else if (isMarkerFolder(name)) {
      const bound = after?.slice(0, name.length);
      if (bound !== undefined && (order === 'newest' ? name > bound : name < bound)) continue;
      keys.push(order === 'newest' ? name + AFTER_PREFIX : name);
    }
  }
  keys.sort();
  if (order === 'oldest') keys.reverse();
  return { tree, path, keys };
}

/** True for the name of a folder of markers: a prefix of ids. */
function isMarkerFolder(name: string): boolean {
  return name.length < 36 && /^[0-9a-f]{6,8}(-[0-9a-f]{1,2})?$/.test(name);
}
