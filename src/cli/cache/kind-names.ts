/** The words of the command line for the kinds of the cache. A promise: `--kind` and `--json` have them. */
import type { CacheKind } from '../../platform/disk/cache/cache-entry.ts';

const NAMES: Readonly<Record<CacheKind, string>> = {
  photos: 'photos',
  segments: 'scenes',
  audio: 'audio',
  stills: 'stills',
  posters: 'posters',
  previews: 'previews',
  storyboards: 'storyboards',
};

export const KIND_NAMES: readonly string[] = Object.values(NAMES);

/** The word for a kind; the kind itself for one of another version. */
export function nameOfKind(kind: string): string {
  return NAMES[kind as CacheKind] ?? kind;
}

export function kindCalled(name: string): string {
  return Object.keys(NAMES).find((kind) => NAMES[kind as CacheKind] === name) ?? name;
}
