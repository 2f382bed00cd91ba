/**
 * Walks several marker trees in the order of ids, opening only the folders it must: the newest 20 of 100,000 tasks
 * cost a handful of small listings.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../disk/disk-error.ts';
import type { TaskState } from '../task.ts';
import { isMarker, isMarkerFolder } from './state-markers.ts';

export type WalkOrder = 'newest' | 'oldest';

export interface MarkerTree {
  readonly state: TaskState;
  readonly folder: string;
}

export interface Marker<Tree extends MarkerTree = MarkerTree> {
  readonly id: string;
  /** The tree it was found in; its state is a hint. */
  readonly tree: Tree;
}

/** One opened folder: names still to visit, the next one last. */
interface OpenFolder<Tree> {
  readonly tree: Tree;
  readonly path: string;
  readonly keys: string[];
}

/** Sorts after every id that begins with the prefix before it. */
const AFTER_PREFIX = '~';

/**
 * Yields the markers of all trees, merged. Markers of one id in several trees follow each other directly.
 *
 * @param after - Only ids beyond this one in the order given.
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
    if (isMarker(key)) {
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
    // Gone since its name was read, or a foreign file with the name of a folder.
    if (!isAbsent(error)) throw error;
    names = [];
  }
  const keys: string[] = [];
  for (const name of names) {
    if (isMarker(name)) {
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
