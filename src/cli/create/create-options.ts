import type { Shard } from './shard.ts';

/** Options of `create` beside the flags of its settings. */
export interface CreateOptions {
  readonly data?: readonly string[];
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
  'out',
  'template',
  'templatesDir',
  'music',
  'ratio',
  'alsoRatio',
  'preview',
  'quality',
  'minAssets',
  'untrusted',
  'allowAssetsFrom',
  'denyAssetsFrom',
  'useProxy',
  'concurrency',
  'ffmpeg',
  'cacheSize',
  'timeLimit',
  'pictures',
  'server',
  'key',
] as const;
export type CreateSetting = (typeof CREATE_SETTINGS)[number];
