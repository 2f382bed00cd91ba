/** How the start page shows a listing while it is closed. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { MadeVideo, StudioState } from '../../src/studio/editor/protocol.ts';
import { rememberLook } from '../../src/studio/editor/remember-look.ts';
import { StudioMemory } from '../../src/studio/editor/studio-memory.ts';
import { folderOf } from '../cli/listing-files.ts';
import { beforeRemoval } from '../leftovers/temporary-folder.ts';

it('is its address with its first photo, then with the poster of its video, while that is there', async () => {
  const folder = await folderOf({});
  const poster = path.join(folder, 'june.jpg');
  const memory = await StudioMemory.open(folder, path.join(folder, 'listing.json'), () => {});
  beforeRemoval(() => memory.saved());
  const read: string[] = [];
  const source = {
    memory,
    thumbnail: async (digest: string) => {
      read.push(digest);
      return Buffer.from(`photo ${digest}`);
    },
    locate: () => poster,
  };
  const look = async (state: object, videos: object[] = []): Promise<string | null> => {
    const results = { videos: videos as MadeVideo[] };
    await rememberLook(
      { listing: {}, planning: false, photos: [], ...state, results } as never as StudioState,
      source,
    );
    return readFile(memory.pictureFile, 'utf8').catch(() => null);
  };
  const photos = [
    { state: 'dropped', digest: 'd0' },
    { state: 'usable', digest: 'd1' },
  ];
  expect([await look({}), memory.get('title')]).toEqual([null, null]);
  expect(await look({ photos, planning: true })).toBeNull();
  expect(await look({ photos })).toBe('photo d1');
  expect(await look({ photos })).toBe('photo d1');
  expect(read).toEqual(['d1']);

  const video = { poster: { name: 'june.jpg', url: '/api/results/june.jpg?v=1' } };
  await writeFile(poster, 'poster');
  expect(await look({ photos, listing: { address: { street: '12 Main St', city: 'Tampa' } } }, [video])).toBe(
    'poster',
  );
  expect(memory.get('title')).toBe('12 Main St, Tampa');
  const gone = { poster: { name: 'june.jpg', url: '/api/results/june.jpg?v=2' } };
  await writeFile(poster, 'changed');
  expect(await look({ photos }, [{ poster: null }, gone])).toBe('changed');
});
