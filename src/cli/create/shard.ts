/** `--shard 2/5`: the part of a batch that this run renders when several runs share it. */
import { InvalidArgumentError } from 'commander';

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

/** `2/5`. */
export function formatShard({ index, total }: Shard): string {
  return `${index}/${total}`;
}

/**
 * Every `total`-th item from the `index`-th: neighbours, often similar in size, go to different shards. All shards
 * together hold every item once.
 */
export function pickShard<T>(items: readonly T[], { index, total }: Shard): T[] {
  return items.filter((_, position) => position % total === index - 1);
}
