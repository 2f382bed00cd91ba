/**
 * Every setting, declared once. Its flag, environment variable, config key, kind, unit, default and help come from its row.
 * To add a setting, add a row here and name it in `addSettings` of the commands that take its flag.
 */
import {
  baseUrlKind,
  booleanKind,
  choiceKind,
  durationKind,
  integerKind,
  keyKind,
  listKind,
  parseAllowedPlace,
  parseOrigin,
  pathKind,
  sizeKind,
  textKind,
  type ValueKind,
} from './value-kind.ts';

/** The facts of the machine that defaults depend on. */
export interface MachineFacts {
  /** The platform's data folder for this program, absolute. */
  readonly dataDir: string;
  readonly cwd: string;
  /** Whole CPUs that this process can use, at least 1. */
  readonly cpuCount: number;
}

/** One setting. `T` is the type of a given value; a setting without value and default is undefined. */
export interface SettingRow<T, D extends T | undefined = T | undefined> {
  readonly flag: `--${string}`;
  readonly env: `LISTING_VIDEO_${string}`;
  /** Key in config.json; null if the config file cannot set it. */
  readonly configKey: string | null;
  readonly kind: ValueKind<T>;
  readonly defaultValue: (machine: MachineFacts) => D;
  /** The default as help shows it. */
  readonly defaultText: string;
  readonly unit: string | null;
  readonly help: string;
  /** `--no-…` ignores the environment variable and the config file. The setting then has no value. */
  readonly canBeNone?: true;
  /** The value is never shown. */
  readonly isSecret?: true;
}

function row<T, D extends T | undefined>(value: SettingRow<T, D>): SettingRow<T, D> {
  return value;
}

/** The table. Order is that of help and of `config list`. */
export const SETTINGS = {
  home: row({
    flag: '--home',
    env: 'LISTING_VIDEO_HOME',
    // The config file is inside the data folder, so it cannot name that folder.
    configKey: null,
    kind: pathKind('<dir>'),
    defaultValue: (machine) => machine.dataDir,
    defaultText: "the platform's data folder",
    unit: null,
    help: 'keep tasks, files, cache and config.json in this folder',
  }),
  out: row({
    flag: '--out',
    env: 'LISTING_VIDEO_OUT',
    configKey: 'out',
    kind: pathKind('<dir>'),
    defaultValue: (machine) => `${machine.cwd}/videos`,
    defaultText: 'videos',
    unit: null,
    help: 'write the results to this folder, one folder per listing',
  }),
  template: row({
    flag: '--template',
    env: 'LISTING_VIDEO_TEMPLATE',
    configKey: 'template',
    kind: textKind('<id>'),
    defaultValue: () => undefined,
    defaultText: "each agent's own template_id",
    unit: null,
    help: 'use this template for every video',
  }),
  templatesDir: row({
    flag: '--templates-dir',
    env: 'LISTING_VIDEO_TEMPLATES_DIR',
    configKey: 'templates-dir',
    kind: pathKind('<dir>'),
    defaultValue: () => undefined,
    defaultText: 'none',
    unit: null,
    help: 'search this folder for your templates (<dir>/<id>/template.json) and music (<dir>/soundtracks)',
  }),
  music: row({
    flag: '--music',
    env: 'LISTING_VIDEO_MUSIC',
    configKey: 'music',
    kind: textKind('<what>'),
    defaultValue: () => undefined,
    defaultText: "each agent's own music, else the template's",
    unit: null,
    help: 'play this in every video: none, the name of a soundtrack, or a music file that you have a licence for',
  }),
  ratio: row({
    flag: '--ratio',
    env: 'LISTING_VIDEO_RATIO',
    configKey: 'ratio',
    kind: choiceKind('<ratio>', ['1920:1080', '1080:1920']),
    defaultValue: () => undefined,
    defaultText: "each agent's own ratio",
    unit: null,
    help: 'set the size of every video: 1920:1080 or 1080:1920',
  }),
  preview: row({
    flag: '--preview',
    env: 'LISTING_VIDEO_PREVIEW',
    configKey: 'preview',
    kind: booleanKind(),
    defaultValue: () => undefined,
    defaultText: "each agent's own create_preview",
    unit: null,
    help: 'make a short GIF of every video; --no-preview makes none',
  }),
  quality: row({
    flag: '--quality',
    env: 'LISTING_VIDEO_QUALITY',
    configKey: 'quality',
    kind: choiceKind('<level>', ['draft', 'standard', 'high']),
    defaultValue: (): 'draft' | 'standard' | 'high' => 'standard',
    defaultText: 'standard',
    unit: null,
    help: 'choose speed or looks: draft, standard or high',
  }),
  minAssets: row({
    flag: '--min-assets',
    env: 'LISTING_VIDEO_MIN_ASSETS',
    configKey: 'min-assets',
    kind: integerKind('<n>', 1, 100),
    defaultValue: () => 1,
    defaultText: '1',
    unit: 'assets',
    help: 'fail when fewer photos than this are usable',
  }),
  concurrency: row({
    flag: '--concurrency',
    env: 'LISTING_VIDEO_CONCURRENCY',
    configKey: 'concurrency',
    kind: integerKind('<n>', 1, 64),
    defaultValue: (machine) => Math.min(64, machine.cpuCount),
    defaultText: 'the number of CPUs',
    unit: 'pieces of work at once',
    help: 'limit parallel downloads, decoders and render threads; with serve: parallel tasks (default 1); with --server: parallel listings',
  }),
  ffmpeg: row({
    flag: '--ffmpeg',
    env: 'LISTING_VIDEO_FFMPEG',
    configKey: 'ffmpeg',
    kind: pathKind('<file>'),
    defaultValue: () => undefined,
    defaultText: 'the first usable one, see doctor',
    unit: null,
    help: 'use this ffmpeg',
  }),
  cacheSize: row({
    flag: '--cache-size',
    env: 'LISTING_VIDEO_CACHE_SIZE',
    configKey: 'cache-size',
    kind: sizeKind('<size>', 0),
    defaultValue: () => 5_000_000_000,
    defaultText: '5GB',
    unit: 'bytes',
    help: 'limit the size of the cache on disk',
  }),
  pictures: row({
    flag: '--pictures',
    env: 'LISTING_VIDEO_PICTURES',
    configKey: 'pictures',
    kind: choiceKind('<way>', ['auto', 'kitty', 'iterm', 'none']),
    defaultValue: (): 'auto' | 'kitty' | 'iterm' | 'none' => 'auto',
    defaultText: 'auto',
    unit: null,
    help: 'show posters in the terminal: auto, kitty, iterm or none',
  }),
  server: row({
    flag: '--server',
    env: 'LISTING_VIDEO_SERVER',
    configKey: 'server',
    kind: baseUrlKind('<url>'),
    defaultValue: () => undefined,
    defaultText: 'none: render on this machine',
    unit: null,
    canBeNone: true,
    help: 'render on the listing-video server at this address instead of this machine',
  }),
  key: row({
    flag: '--key',
    env: 'LISTING_VIDEO_KEY',
    configKey: 'key',
    kind: keyKind('<key>'),
    defaultValue: () => undefined,
    defaultText: 'none',
    unit: null,
    isSecret: true,
    help: 'send this API key to --server; prefer the variable, because process lists show flags',
  }),
  port: row({
    flag: '--port',
    env: 'LISTING_VIDEO_PORT',
    configKey: 'port',
    kind: integerKind('<n>', 0, 65_535),
    defaultValue: () => 8080,
    defaultText: '8080',
    unit: null,
    help: 'listen on this port; 0 picks a free one',
  }),
  host: row({
    flag: '--host',
    env: 'LISTING_VIDEO_HOST',
    configKey: 'host',
    kind: textKind('<host>'),
    defaultValue: () => '127.0.0.1',
    defaultText: '127.0.0.1',
    unit: null,
    help: 'listen on this address; other than loopback needs API keys',
  }),
  publicUrl: row({
    flag: '--public-url',
    env: 'LISTING_VIDEO_PUBLIC_URL',
    configKey: 'public-url',
    kind: baseUrlKind('<url>'),
    defaultValue: () => undefined,
    defaultText: 'the address it listens on',
    unit: null,
    help: 'start the URLs of results with this address, under which clients reach the server',
  }),
  grace: row({
    flag: '--grace',
    env: 'LISTING_VIDEO_GRACE',
    configKey: 'grace',
    kind: durationKind('<span>'),
    defaultValue: () => 30_000,
    defaultText: '30s',
    unit: 'ms',
    help: 'let running tasks finish for this long after SIGTERM, then put them back in the queue',
  }),
  bodyLimit: row({
    flag: '--body-limit',
    env: 'LISTING_VIDEO_BODY_LIMIT',
    configKey: 'body-limit',
    kind: sizeKind('<size>', 1024),
    defaultValue: () => 4 * 1024 * 1024,
    defaultText: '4MiB',
    unit: 'bytes',
    help: 'refuse larger request bodies',
  }),
  queueLimit: row({
    flag: '--queue-limit',
    env: 'LISTING_VIDEO_QUEUE_LIMIT',
    configKey: 'queue-limit',
    kind: integerKind('<n>', 1, 1_000_000),
    defaultValue: () => 10_000,
    defaultText: '10000',
    unit: 'tasks',
    help: 'answer 503 when this many tasks are waiting',
  }),
  keep: row({
    flag: '--keep',
    env: 'LISTING_VIDEO_KEEP',
    configKey: 'keep',
    kind: durationKind('<span>'),
    defaultValue: () => undefined,
    defaultText: 'for ever',
    unit: 'ms',
    help: 'delete ended tasks and their files after this time, such as 30d',
  }),
  allowAnonymous: row({
    flag: '--allow-anonymous',
    env: 'LISTING_VIDEO_ALLOW_ANONYMOUS',
    configKey: 'allow-anonymous',
    kind: booleanKind(),
    defaultValue: () => false,
    defaultText: 'no',
    unit: null,
    help: 'listen on any address without an API key: anyone can use the server',
  }),
  allowAssetsFrom: row({
    flag: '--allow-assets-from',
    env: 'LISTING_VIDEO_ALLOW_ASSETS_FROM',
    configKey: 'allow-assets-from',
    kind: listKind(
      '<host|cidr>',
      'a host name, an address or a CIDR block, such as photos.internal or 10.0.0.0/8',
      parseAllowedPlace,
    ),
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    unit: null,
    help: 'allow photos from this private host, address or CIDR block; repeatable',
  }),
  corsOrigin: row({
    flag: '--cors-origin',
    env: 'LISTING_VIDEO_CORS_ORIGIN',
    configKey: 'cors-origin',
    kind: listKind('<origin>', 'an origin such as https://example.com, or *', parseOrigin),
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    unit: null,
    help: 'let web pages of this origin call the API; repeatable',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type KindValue<R> = R extends { readonly kind: ValueKind<infer T> } ? T : never;
type DefaultValue<R> = R extends { readonly defaultValue: (machine: MachineFacts) => infer D } ? D : never;

/** The type of a resolved setting; undefined only without a default. */
export type SettingValue<N extends SettingName> =
  | KindValue<(typeof SETTINGS)[N]>
  | Extract<DefaultValue<(typeof SETTINGS)[N]>, undefined>;

/** Every setting's value. Paths are absolute. */
export type Settings = { readonly [N in SettingName]: SettingValue<N> };

/** Shown in place of a secret. */
const HIDDEN = '[hidden]';

/** A value as it can be shown: of a secret only that it is set. */
export function shownValue<V>(name: SettingName, value: V): V | typeof HIDDEN {
  const setting: SettingRow<never> = SETTINGS[name] as never;
  return setting.isSecret === true && value !== undefined && value !== null ? HIDDEN : value;
}

/** The folders of the user's own templates, which are searched before the built-in ones. */
export function templatesDirsOf({ templatesDir }: Pick<Settings, 'templatesDir'>): string[] {
  return templatesDir === undefined ? [] : [templatesDir];
}
