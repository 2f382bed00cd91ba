/**
 * Every setting, declared once: its flag, environment variable, config key, kind, unit, default and help all come from
 * its row here. A new setting is a new row and nothing else.
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

/** Facts of the machine that defaults depend on. */
export interface MachineFacts {
  /** The platform's data folder for this program, absolute. */
  readonly dataDir: string;
  readonly cwd: string;
  /** Whole CPUs this process may use, at least 1. */
  readonly cpuCount: number;
}

/** One setting. `T` is the type of a value that was given; without one and without a default it is undefined. */
export interface SettingRow<T, D extends T | undefined = T | undefined> {
  readonly flag: `--${string}`;
  readonly env: `LISTING_VIDEO_${string}`;
  /** Key in config.json; null for what the config file cannot set. */
  readonly configKey: string | null;
  readonly kind: ValueKind<T>;
  readonly defaultValue: (machine: MachineFacts) => D;
  /** The default in words, for help. */
  readonly defaultText: string;
  readonly unit: string | null;
  readonly help: string;
  /** `--no-…` sets aside what the environment or the config file says; the default, which is none, is in force then. */
  readonly canBeNone?: true;
  /** Never shown, whoever asks. */
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
    // The config file lies inside home, so it cannot say where home is.
    configKey: null,
    kind: pathKind('<dir>'),
    defaultValue: (machine) => machine.dataDir,
    defaultText: "the platform's data folder",
    unit: null,
    help: 'folder of tasks, files, cache and config.json',
  }),
  out: row({
    flag: '--out',
    env: 'LISTING_VIDEO_OUT',
    configKey: 'out',
    kind: pathKind('<dir>'),
    defaultValue: (machine) => `${machine.cwd}/videos`,
    defaultText: 'videos',
    unit: null,
    help: 'folder that gets one folder of results per listing',
  }),
  template: row({
    flag: '--template',
    env: 'LISTING_VIDEO_TEMPLATE',
    configKey: 'template',
    kind: textKind('<id>'),
    defaultValue: () => undefined,
    defaultText: "each agent's own template_id",
    unit: null,
    help: 'template of every video',
  }),
  templatesDir: row({
    flag: '--templates-dir',
    env: 'LISTING_VIDEO_TEMPLATES_DIR',
    configKey: 'templates-dir',
    kind: pathKind('<dir>'),
    defaultValue: () => undefined,
    defaultText: 'none',
    unit: null,
    help: 'folder of own templates, <dir>/<id>/template.json, and of own music, <dir>/soundtracks',
  }),
  music: row({
    flag: '--music',
    env: 'LISTING_VIDEO_MUSIC',
    configKey: 'music',
    kind: textKind('<what>'),
    defaultValue: () => undefined,
    defaultText: "each agent's own music, else the template's",
    unit: null,
    help: 'music of every video: none, the name of a soundtrack, or a file, looped or cut (its licence is your matter)',
  }),
  ratio: row({
    flag: '--ratio',
    env: 'LISTING_VIDEO_RATIO',
    configKey: 'ratio',
    kind: choiceKind('<ratio>', ['1920:1080', '1080:1920']),
    defaultValue: () => undefined,
    defaultText: "each agent's own ratio",
    unit: null,
    help: 'size of every video: 1920:1080 or 1080:1920',
  }),
  preview: row({
    flag: '--preview',
    env: 'LISTING_VIDEO_PREVIEW',
    configKey: 'preview',
    kind: booleanKind(),
    defaultValue: () => undefined,
    defaultText: "each agent's own create_preview",
    unit: null,
    help: 'make a short GIF of every video (--no-preview: of none)',
  }),
  quality: row({
    flag: '--quality',
    env: 'LISTING_VIDEO_QUALITY',
    configKey: 'quality',
    kind: choiceKind('<level>', ['draft', 'standard', 'high']),
    defaultValue: (): 'draft' | 'standard' | 'high' => 'standard',
    defaultText: 'standard',
    unit: null,
    help: 'draft, standard or high: speed against looks',
  }),
  minAssets: row({
    flag: '--min-assets',
    env: 'LISTING_VIDEO_MIN_ASSETS',
    configKey: 'min-assets',
    kind: integerKind('<n>', 1, 100),
    defaultValue: () => 1,
    defaultText: '1',
    unit: 'assets',
    help: 'fail when fewer assets are usable',
  }),
  concurrency: row({
    flag: '--concurrency',
    env: 'LISTING_VIDEO_CONCURRENCY',
    configKey: 'concurrency',
    kind: integerKind('<n>', 1, 64),
    defaultValue: (machine) => Math.min(64, machine.cpuCount),
    defaultText: 'the number of CPUs',
    unit: 'pieces of work at once',
    help: 'downloads, decoders and render threads at once; of serve: tasks at once, by default 1; with --server: listings at once',
  }),
  ffmpeg: row({
    flag: '--ffmpeg',
    env: 'LISTING_VIDEO_FFMPEG',
    configKey: 'ffmpeg',
    kind: pathKind('<file>'),
    defaultValue: () => undefined,
    defaultText: 'the first that fits, see doctor',
    unit: null,
    help: 'ffmpeg to use',
  }),
  cacheSize: row({
    flag: '--cache-size',
    env: 'LISTING_VIDEO_CACHE_SIZE',
    configKey: 'cache-size',
    kind: sizeKind('<size>', 0),
    defaultValue: () => 5_000_000_000,
    defaultText: '5GB',
    unit: 'bytes',
    help: 'most that the cache may keep on disk',
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
    defaultText: 'none, this machine does the work',
    unit: null,
    canBeNone: true,
    help: 'address of a listing-video server that does the work instead of this machine',
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
    help: 'API key for --server; better in the variable, where no list of processes shows it',
  }),
  port: row({
    flag: '--port',
    env: 'LISTING_VIDEO_PORT',
    configKey: 'port',
    kind: integerKind('<n>', 0, 65_535),
    defaultValue: () => 8080,
    defaultText: '8080',
    unit: null,
    help: 'port to listen on; 0 picks a free one',
  }),
  host: row({
    flag: '--host',
    env: 'LISTING_VIDEO_HOST',
    configKey: 'host',
    kind: textKind('<host>'),
    defaultValue: () => '127.0.0.1',
    defaultText: '127.0.0.1',
    unit: null,
    help: 'address to listen on; beyond loopback only with API keys',
  }),
  publicUrl: row({
    flag: '--public-url',
    env: 'LISTING_VIDEO_PUBLIC_URL',
    configKey: 'public-url',
    kind: baseUrlKind('<url>'),
    defaultValue: () => undefined,
    defaultText: 'the address it listens on',
    unit: null,
    help: 'address under which clients reach the server and its files',
  }),
  grace: row({
    flag: '--grace',
    env: 'LISTING_VIDEO_GRACE',
    configKey: 'grace',
    kind: durationKind('<span>'),
    defaultValue: () => 30_000,
    defaultText: '30s',
    unit: 'ms',
    help: 'how long running tasks may go on after SIGTERM before they are given back',
  }),
  bodyLimit: row({
    flag: '--body-limit',
    env: 'LISTING_VIDEO_BODY_LIMIT',
    configKey: 'body-limit',
    kind: sizeKind('<size>', 1024),
    defaultValue: () => 4 * 1024 * 1024,
    defaultText: '4MiB',
    unit: 'bytes',
    help: 'largest request body',
  }),
  queueLimit: row({
    flag: '--queue-limit',
    env: 'LISTING_VIDEO_QUEUE_LIMIT',
    configKey: 'queue-limit',
    kind: integerKind('<n>', 1, 1_000_000),
    defaultValue: () => 10_000,
    defaultText: '10000',
    unit: 'tasks',
    help: 'tasks that may wait; beyond that requests are answered 503',
  }),
  keep: row({
    flag: '--keep',
    env: 'LISTING_VIDEO_KEEP',
    configKey: 'keep',
    kind: durationKind('<span>'),
    defaultValue: () => undefined,
    defaultText: 'for ever',
    unit: 'ms',
    help: 'how long ended tasks and their files are kept, such as 30d',
  }),
  allowAnonymous: row({
    flag: '--allow-anonymous',
    env: 'LISTING_VIDEO_ALLOW_ANONYMOUS',
    configKey: 'allow-anonymous',
    kind: booleanKind(),
    defaultValue: () => false,
    defaultText: 'no',
    unit: null,
    help: 'listen beyond loopback although no API key exists: anybody may use the server',
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
    help: 'private place that assets may be fetched from; may be repeated',
  }),
  corsOrigin: row({
    flag: '--cors-origin',
    env: 'LISTING_VIDEO_CORS_ORIGIN',
    configKey: 'cors-origin',
    kind: listKind('<origin>', 'an origin such as https://example.com, or *', parseOrigin),
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    unit: null,
    help: 'origin whose pages may call the API from a browser; may be repeated',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type KindValue<R> = R extends { readonly kind: ValueKind<infer T> } ? T : never;
type DefaultValue<R> = R extends { readonly defaultValue: (machine: MachineFacts) => infer D } ? D : never;

/** The type of a setting once resolved; undefined only where no default exists. */
export type SettingValue<N extends SettingName> =
  | KindValue<(typeof SETTINGS)[N]>
  | Extract<DefaultValue<(typeof SETTINGS)[N]>, undefined>;

/** Every setting's value. Paths are absolute. */
export type Settings = { readonly [N in SettingName]: SettingValue<N> };

/** What stands in the place of a secret wherever settings are shown. */
const HIDDEN = '[hidden]';

/** A value as it may be shown: a secret is known to be there, and no more. */
export function shownValue<V>(name: SettingName, value: V): V | typeof HIDDEN {
  const setting: SettingRow<never> = SETTINGS[name] as never;
  return setting.isSecret === true && value !== undefined && value !== null ? HIDDEN : value;
}
