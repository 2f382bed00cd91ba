/** Writes `<out>/<id>/listing.json`, which `create <out>` takes as a batch. A file that people have changed stays. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Listing } from '../../listing/listing.ts';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { errnoOf, isAbsent, outputUnwritable } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { foldCase, hashedName, safeName } from '../../platform/disk/safe-name.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { packageFile } from '../../platform/program-files.ts';
import { schemaAddress } from '../../video/schema-address.ts';
import type { ListingTarget, WriteState } from './listing-target.ts';

/**
 * Beside each listing: SHA-256 of the text that was written, by which a later import knows that nobody has changed it.
 */
const MARK = '.imported';
/** `create` looks for no listing in a folder of this name. */
const NOT_SEARCHED = 'node_modules';
/** Listings are for their owner and readers of the folder, as any file of an editor. */
const FOLDER_MODE = 0o777;

/**
 * @param out - Absolute folder.
 * @param shown - The same as the command line names it.
 * @param replace - Also replaces files that people have changed.
 */
export function openFolderTarget(out: string, shown: string, replace: boolean): ListingTarget {
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
  /**
   * Where the file system ignores case, an earlier import can have written a listing whose id differs in case alone.
   */
  const freeName = async (id: string): Promise<string> => {
    const name = nameOf(id);
    const other = idIn(await readText(path.join(out, name, 'listing.json')));
    return other !== null && other !== id && foldCase(other) === foldCase(id) ? hashedName(id) : name;
  };
  const write = async (name: string, listing: Listing): Promise<WriteState> => {
    const folder = path.join(out, name);
    const [file, mark] = [path.join(folder, 'listing.json'), path.join(folder, MARK)];
    const text = `${JSON.stringify({ $schema: schema, ...listing }, null, 2)}\n`;
    const found = await readText(file);
    if (found === text) return 'unchanged';
    if (found !== null && !replace && (await readText(mark)) !== hashOf(found)) return 'kept';
    if (found === null) await makeFolder(folder, false, FOLDER_MODE);
    await writeFileAtomically(file, text, { durable: false });
    await writeFileAtomically(mark, hashOf(text), { durable: false });
    return 'written';
  };
  return {
    folderOf: (id) => path.join(out, nameOf(id)),
    write: async (id, listing) => {
      let file = path.join(shown, nameOf(id), 'listing.json');
      try {
        const name = await freeName(id);
        file = path.join(shown, name, 'listing.json');
        return { state: await write(name, listing), file };
      } catch (error) {
        throw error instanceof ListingVideoError ? error : outputUnwritable(error, file);
      }
    },
    close: async () => undefined,
    abandon: async () => undefined,
  };
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

/** The id of a listing; null if the text is none. */
function idIn(text: string | null): string | null {
  try {
    const { id } = Object(JSON.parse(text ?? 'null')) as { readonly id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
