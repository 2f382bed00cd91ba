/** Writes `<out>/<id>/listing.json`, which `create <out>` takes as a batch. A file that people have changed stays. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Listing } from '../../listing/listing.ts';
import { fieldOf, isRecord } from '../../listing/mls/mls-record.ts';
import type { AllowedFolders } from '../../platform/disk/allowed-folders.ts';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { errnoOf, isAbsent, outputUnwritable } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { foldCase, hashedName, safeName } from '../../platform/disk/safe-name.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { packageFile } from '../../platform/program-files.ts';
import { schemaAddress } from '../../video/schema-address.ts';
import type { ListingTarget, WriteState } from './listing-target.ts';

/**
 * Beside each listing: SHA-256 of the text that was written, by which a later import knows that nobody has changed it,
 * and on the next line the `ListingKey` of its property.
 */
const MARK = '.imported';
/** `create` looks for no listing in a folder of this name. */
const NOT_SEARCHED = 'node_modules';
const CHANGED = new Error('the listing was changed meanwhile');
/** Listings are for their owner and readers of the folder, as any file of an editor. */
const FOLDER_MODE = 0o777;

/**
 * @param out - Absolute folder.
 * @param shown - The same as the command line names it.
 * @param replace - Also replaces files that people have changed.
 * @param folders - The only ones that it can write to; absent: every folder.
 * @param isDurable - Listings survive a power failure: a cursor says that they are there.
 */
export function openFolderTarget(
  out: string,
  shown: string,
  {
    replace,
    isDurable,
    folders,
  }: {
    readonly replace: boolean;
    readonly isDurable: boolean;
    readonly folders?: AllowedFolders | undefined;
  },
): ListingTarget {
  const ids = new Map<string, string>();
  const schema = schemaAddress(path.join(out, 'listing'), packageFile('.'));
  /** Names differ also where the file system ignores case. */
  const nameOf = (id: string): string => {
    const name = safeName(id);
    const key = foldCase(name);
    const owner = ids.get(key) ?? id;
    ids.set(key, owner);
    return owner === id && key !== NOT_SEARCHED ? name : hashedName(id);
  };
  const names = new Map<string, Promise<string>>();
  /**
   * Where the file system ignores case, an earlier import can have written a listing whose id differs in case alone.
   */
  const freeName = async (id: string): Promise<string> => {
    const name = nameOf(id);
    const other = parseListing(await readText(path.join(out, name, 'listing.json')))?.id ?? null;
    return other !== null && other !== id && foldCase(other) === foldCase(id) ? hashedName(id) : name;
  };
  const nameFor = (id: string): Promise<string> => {
    const found = names.get(id) ?? freeName(id);
    names.set(id, found);
    return found;
  };
  const find = async (name: string): Promise<Found> => {
    const text = await readText(path.join(out, name, 'listing.json'));
    // A power failure can leave an empty file.
    if (text === null || text === '') return { text: null, isEdited: false, key: null };
    const [hash, key = ''] = ((await readText(path.join(out, name, MARK))) ?? '').split('\n');
    return { text, isEdited: hash !== hashOf(text), key: key || null };
  };
  const write = async (name: string, listing: Listing, key: string | null): Promise<WriteState> => {
    const folder = path.join(out, name);
    const [file, mark] = [path.join(folder, 'listing.json'), path.join(folder, MARK)];
    const text = `${JSON.stringify({ $schema: schema, ...listing }, null, 2)}\n`;
    const found = await find(name);
    if (found.text === text) return 'unchanged';
    if (found.isEdited && !replace) return 'kept';
    if (found.text === null) await makeFolder(folder, false, FOLDER_MODE);
    // Right before, a studio that has the listing open can have saved a change.
    const beforeRename = async (): Promise<void> => {
      if (!replace && ((await readText(file)) || null) !== found.text) throw CHANGED;
    };
    try {
      await writeFileAtomically(file, text, { durable: isDurable, beforeRename });
    } catch (error) {
      if (error !== CHANGED) throw error;
      return 'kept';
    }
    const marked = key === null ? hashOf(text) : `${hashOf(text)}\n${key}`;
    await writeFileAtomically(mark, marked, { durable: false });
    return 'written';
  };
  const guarded = async <T>(id: string, work: (name: string, file: string) => Promise<T>): Promise<T> => {
    let file = path.join(shown, nameOf(id), 'listing.json');
    try {
      const name = await nameFor(id);
      folders?.require(path.join(out, name, 'listing.json'), file);
      file = path.join(shown, name, 'listing.json');
      return await work(name, file);
    } catch (error) {
      throw error instanceof ListingVideoError ? error : outputUnwritable(error, file);
    }
  };
  return {
    folderOf: (id) => guarded(id, async (name) => path.join(out, name)),
    earlier: (id) =>
      guarded(id, async (name, file) => {
        const { text, isEdited, key } = await find(name);
        if (text === null) return null;
        return { file, isKept: isEdited && !replace, key, status: statusIn(parseListing(text)) };
      }),
    write: (id, listing, key) =>
      guarded(id, async (name, file) => ({ state: await write(name, listing, key), file })),
    close: async () => undefined,
    abandon: async () => undefined,
  };
}

interface Found {
  /** Null without a listing. */
  readonly text: string | null;
  /** A person changed it since its import, or wrote it. */
  readonly isEdited: boolean;
  readonly key: string | null;
}

/** Null for a file that does not exist. */
async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isAbsent(error) && errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

interface FoundListing {
  readonly id: string;
  readonly agents?: unknown;
}

/** A listing by its id; null if the text is none. */
function parseListing(text: string | null): FoundListing | null {
  try {
    const found = Object(JSON.parse(text ?? 'null')) as Partial<FoundListing>;
    return typeof found.id === 'string' ? { ...found, id: found.id } : null;
  } catch {
    return null;
  }
}

/** The data layer `status` of the first agent that has one. */
function statusIn(listing: FoundListing | null): string | null {
  for (const agent of [listing?.agents].flat().filter(isRecord)) {
    const options = fieldOf(agent, 'video_options');
    const data = isRecord(options) ? fieldOf(options, 'template_data') : null;
    const status = isRecord(data) ? fieldOf(data, 'status') : null;
    if (typeof status === 'string') return status;
  }
  return null;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
