/** The options of `create`, and `--shard`: the part of a batch that this run renders when several runs share it. */
import { InvalidArgumentError } from 'commander';

/** Options beside the flags of the settings. */
export interface CreateOptions {
  readonly data?: readonly string[];
  /** The flag of the setting; false for `--no-length`. */
  readonly length?: unknown;
  readonly alsoUnbranded?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly force?: boolean;
  readonly clean?: boolean;
  readonly failFast?: boolean;
  readonly shard?: Shard;
  readonly report?: string;
  readonly reportJunit?: string;
  readonly events?: 'ndjson';
  readonly eventsFile?: string;
}

/** Settings that have a flag here, in the order of the help. */
export const CREATE_SETTINGS = [
  ...(['out', 'template', 'templatesDir', 'music', 'ratio', 'alsoRatio', 'length', 'for'] as const),
  ...(['unbrandedKeep', 'preview', 'quality'] as const),
  ...(['minAssets', 'untrusted', 'allowAssetsFrom', 'denyAssetsFrom', 'useProxy', 'concurrency'] as const),
  ...(['ffmpeg', 'cacheSize', 'timeLimit', 'pictures', 'server', 'key'] as const),
] as const;
export type CreateSetting = (typeof CREATE_SETTINGS)[number];

/** The `index`-th, from 1, of `total` parts. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** @throws commander's `InvalidArgumentError` for anything but `k/n` with k from 1 to n. */
export function parseShard(text: string): Shard {
  const found = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text);
  const [index, total] = [Number(found?.[1]), Number(found?.[2])];
  if (found && index <= total) return { index, total };
  throw new InvalidArgumentError('Expected k/n with k from 1 to n, such as 2/5.');
}

/** `2/5`; null for a run without a shard. */
export function formatShard(shard: Shard | null): string | null {
  return shard && `${shard.index}/${shard.total}`;
}

/**
 * Every `total`-th item from the `index`-th: neighbors, often similar in size, go to different shards. All shards
 * together hold every item once.
 */
export function pickShard<T>(items: readonly T[], shard: Shard | null): readonly T[] {
  if (shard === null) return items;
  return items.filter((_, position) => position % shard.total === shard.index - 1);
}
