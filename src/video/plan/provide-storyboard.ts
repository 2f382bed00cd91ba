/**
 * Keeps storyboards in the disk cache: of a listing that has not changed, no text is shaped and no photo is read again.
 * That is a fifth of the time of such a run.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StoryboardRequest } from '../../design/storyboard/scenes/draft-scenes.ts';
import { SharedScenes } from '../../design/storyboard/scenes/shared-scenes.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';

/** What a storyboard is made of, without the functions that measure texts and photos. */
export type StoryboardSource = Omit<StoryboardRequest, 'measurer' | 'lightOf' | 'toneOf' | 'shared'>;

export interface StoryboardKeeping {
  readonly cache: Pick<DiskCache, 'read' | 'putBytes'>;
  /** Names the code and the fonts that make storyboards. */
  readonly fingerprint: string;
}

/**
 * @param keeping - Null: every storyboard is made.
 * @returns The storyboard of `source`: from the cache, else made and kept there.
 */
export async function provideStoryboard(
  source: StoryboardSource,
  keeping: StoryboardKeeping | null,
  make: () => Promise<Storyboard>,
): Promise<Storyboard> {
  if (keeping === null) return make();
  const name = `${keyOf(source, keeping.fingerprint)}.json`;
  const kept = await keeping.cache.read('storyboards', name);
  if (kept !== undefined) return JSON.parse(kept.toString()) as Storyboard;
  const made = await make();
  await keeping.cache.putBytes('storyboards', name, Buffer.from(JSON.stringify(made)));
  return made;
}

/** @returns For each video, what it shares with those before that differ in nothing but agent, portrait and logo. */
export function createSceneSharing(): (source: StoryboardSource) => SharedScenes {
  const known: { readonly of: unknown; readonly shared: SharedScenes }[] = [];
  return ({ agent: _, portrait: _portrait, logo: _logo, images = new Map(), ...others }) => {
    const of = { ...others, images: [...images].filter(([layer]) => layer !== 'logo') };
    const found = known.find((other) => isDeepStrictEqual(other.of, of)) ?? {
      of,
      shared: new SharedScenes(),
    };
    if (!known.includes(found)) known.push(found);
    return found.shared;
  };
}

function keyOf(source: StoryboardSource, fingerprint: string): string {
  const images = new Map([...(source.images ?? [])].map(([layer, image]) => [layer, withoutPath(image)]));
  const { photos, portrait, logo } = source;
  const named = {
    ...source,
    photos: photos.map(({ original, ...photo }) => ({
      ...withoutPath(photo),
      original: original && withoutPath(original),
    })),
    portrait: portrait && withoutPath(portrait),
    logo: logo && withoutPath(logo),
    images,
  };
  return createHash('sha256').update(fingerprint).update('\0').update(toText(named)).digest('hex');
}

/** Unlike the bytes of `v8.serialize`, the text does not depend on how the engine keeps a number. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map || part instanceof Set ? [...part] : part,
  );
}

/** The path is that of a run; the digest names the content. */
function withoutPath<M extends { readonly masterPath: string }>({ masterPath: _, ...image }: M) {
  return image;
}
