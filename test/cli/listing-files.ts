/** Listings for tests of the command line, and a folder to put them in that is gone afterwards. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent, Listing } from '../../src/listing/listing.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

/** A valid listing. */
export function listing(
  id = 'L-1',
  agents: readonly Agent[] = [agent('ann')],
): Listing & Record<string, unknown> {
  const assets = Array.from({ length: 5 }, (_, index) => ({ url: `https://photos.example/${index}.jpg` }));
  return { id, assets, agents };
}

export function agent(id: string, options?: object): Agent & Record<string, unknown> {
  return { id, first_name: 'Ann', last_name: 'Lee', ...(options ? { video_options: options } : {}) };
}

/** A folder of its own for the running test, holding `files`: text as it is, anything else as JSON. */
export async function folderOf(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(file, isRaw ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}
