/**
 * Every setting, declared once: kind, unit, default and help in its row; flag, environment variable and config key
 * follow from its name. To add a setting, add a row here and name it in `.settings(…)` of the commands that take its
 * flag. `src/README.md` has the further steps for a setting that changes the videos.
 */
import { LENGTH_FORMS, spellVideoLength } from '../video-length.ts';
import {
  baseUrlKind,
  booleanKind,
  choiceKind,
  choicesKind,
  databaseUrlKind,
  durationKind,
  integerKind,
  keyKind,
  listKind,
  parseAddressBlock,
  parseAllowedPlace,
  parseOrigin,
  pathKind,
  sizeKind,
  storageUrlKind,
  textKind,
  type ValueKind,
} from './value-kind.ts';

/** The facts of the machine that defaults depend on. */
export interface MachineFacts {
  /** The platform's data folder for this program, absolute. */
  readonly dataDir: string;
  readonly cwd: string;
  /** The user's home folder, absolute: no project file is looked for above it. */
  readonly homeDir: string;
  /** Whole CPUs that this process can use, at least 1. */
  readonly cpuCount: number;
}

/** A setting as the table declares it. `T` is the type of a given value, `D` that of the default. */
interface DeclaredSetting<T, D extends T | undefined> {
  readonly kind: ValueKind<T>;
  /** Absent: a setting that nobody sets is undefined. */
  readonly defaultValue?: (machine: MachineFacts) => D;
  /** The default as help shows it. */
  readonly defaultText: string;
  readonly unit?: string | null;
  readonly help: string;
  readonly shortFlag?: `-${string}`;
  readonly isNeverSaved?: true;
  /** `--no-…` ignores the environment variable and the config file. The setting then has no value. */
  readonly canBeNone?: true;
  /** A project file can set it: it says how videos look, and a stranger who sets it does no harm. */
  readonly isForProjects?: true;
  /** The value is never shown. */
  readonly isSecret?: true;
}

/** A setting with the names that follow from its key in the table: `minAssets` is `--min-assets`. */
export interface SettingRow<T> extends DeclaredSetting<T, T | undefined> {
  readonly flag: `--${string}`;
  readonly env: `LISTING_VIDEO_${string}`;
  /** Key in config.json and in a project file; null if the config file cannot set it. */
  readonly configKey: string | null;
  readonly unit: string | null;
}

function row<T, D extends T | undefined = undefined>(declared: DeclaredSetting<T, D>): DeclaredSetting<T, D> {
  return declared;
}

const placesKind = listKind(
  '<host|cidr>',
  'a host name, an address or a CIDR block, such as photos.internal or 10.0.0.0/8',
  parseAllowedPlace,
);

/** The table. Order is that of help and of `config list`. */
const TABLE = {
  home: row({
    // The config file is inside the data folder, so it cannot name that folder.
    isNeverSaved: true,
    kind: pathKind('<dir>'),
    defaultValue: (machine) => machine.dataDir,
    defaultText: "the platform's data folder",
    help: 'keep tasks, files, cache and config.json in this folder',
  }),
  out: row({
    isForProjects: true,
    shortFlag: '-o',
    kind: pathKind('<dir>'),
    defaultValue: (machine) => `${machine.cwd}/videos`,
    defaultText: 'videos',
    help: 'write the results to this folder, one folder per listing',
  }),
  template: row({
    isForProjects: true,
    kind: textKind('<id>'),
    defaultText: "each agent's own template_id",
    help: 'use this template for every video',
  }),
  templatesDir: row({
    isForProjects: true,
    kind: pathKind('<dir>'),
    defaultText: 'none',
    help: 'search this folder for your templates (<dir>/<id>/template.json) and music (<dir>/soundtracks)',
  }),
  music: row({
    isForProjects: true,
    kind: textKind('<what>'),
    defaultText: "each agent's own music, else the template's",
    help: 'play this in every video: none, the name of a soundtrack, or a music file that you have a license for',
  }),
  ratio: row({
    isForProjects: true,
    kind: choiceKind('<ratio>', ['1920:1080', '1080:1920']),
    defaultText: "each agent's own shape",
    help: 'set the shape of every video: 1920:1080 (wide) or 1080:1920 (vertical)',
  }),
  alsoRatio: row({
    isForProjects: true,
    kind: choiceKind('<ratio>', ['1920:1080', '1080:1920']),
    defaultText: 'none',
    canBeNone: true,
    help: 'also render every video in this second shape, in the same run',
  }),
  length: row({
    isForProjects: true,
    kind: listKind('<length>', LENGTH_FORMS, spellVideoLength),
    defaultText: "each agent's own length",
    canBeNone: true,
    help: 'set the length of every video: short, normal, long, or seconds such as 30s; several, such as normal,15s, make a video of each',
  }),
  for: row({
    isForProjects: true,
    kind: choicesKind('<place>', [
      ...(['youtube', 'instagram-reels', 'tiktok', 'facebook', 'google-business', 'mls', 'web'] as const),
    ]),
    defaultText: 'none',
    canBeNone: true,
    help: 'make the files that these places ask for, except for what you set yourself; the end says whether each file fits',
  }),
  unbrandedKeep: row({
    isForProjects: true,
    kind: choicesKind('<what>', ['open_house', 'price', 'status', 'link']),
    defaultValue: (): readonly ('open_house' | 'price' | 'status' | 'link')[] => ['price', 'status'],
    defaultText: 'price,status',
    help: 'choose which of these texts videos without branding show: open_house, price, status, link (an empty text for none)',
  }),
  preview: row({
    isForProjects: true,
    kind: booleanKind(),
    defaultText: "each agent's own create_preview",
    help: 'make a short GIF of every video; --no-preview makes none',
  }),
  quality: row({
    isForProjects: true,
    kind: choiceKind('<level>', ['draft', 'standard', 'high']),
    defaultValue: (): 'draft' | 'standard' | 'high' => 'standard',
    defaultText: 'standard',
    help: 'choose speed or looks: draft (half size, 15 frames per second), standard or high',
  }),
  minAssets: row({
    isForProjects: true,
    kind: integerKind('<n>', 1, 100),
    defaultValue: () => 1,
    defaultText: '1',
    unit: 'assets',
    help: 'fail when fewer photos than this are usable',
  }),
  untrusted: row({
    isForProjects: true,
    kind: booleanKind(),
    defaultValue: () => false,
    defaultText: 'no',
    help: 'accept listings of strangers: only files in the folder of the listing, no private addresses',
  }),
  concurrency: row({
    isForProjects: true,
    kind: integerKind('<n>', 1, 64),
    defaultValue: (machine) => Math.min(64, machine.cpuCount),
    defaultText: 'the number of CPUs',
    unit: 'pieces of work at once',
    help: 'limit parallel downloads, decoders and render threads; with serve and worker: parallel tasks (default 1); with --server: parallel listings',
  }),
  ffmpeg: row({
    kind: pathKind('<file>'),
    defaultText: 'the first usable one, see doctor',
    help: 'use this ffmpeg',
  }),
  cacheSize: row({
    kind: sizeKind('<size>', 0),
    defaultValue: () => 5_000_000_000,
    defaultText: '5GB',
    unit: 'bytes',
    help: 'limit the size of the cache on disk',
  }),
  pictures: row({
    isForProjects: true,
    kind: choiceKind('<way>', ['auto', 'kitty', 'iterm', 'none']),
    defaultValue: (): 'auto' | 'kitty' | 'iterm' | 'none' => 'auto',
    defaultText: 'auto',
    help: 'show posters in the terminal: auto, kitty, iterm or none',
  }),
  useProxy: row({
    kind: booleanKind(),
    defaultText: 'yes, but no with serve and with --untrusted',
    help: 'fetch photos, and reach --server, through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; --no-use-proxy connects directly',
  }),
  server: row({
    kind: baseUrlKind('<url>'),
    defaultText: 'none: use this machine',
    canBeNone: true,
    help: 'use the listing-video server at this address instead of this machine',
  }),
  key: row({
    kind: keyKind('<key>'),
    defaultText: 'none',
    isSecret: true,
    help: 'send this API key to --server; prefer the variable, because process lists show flags',
  }),
  database: row({
    kind: databaseUrlKind('<url>'),
    defaultText: 'none: keep tasks in files',
    canBeNone: true,
    isSecret: true,
    help: 'keep tasks and accounts in this PostgreSQL database; prefer the variable, which every command reads, because process lists show flags',
  }),
  render: row({
    kind: booleanKind(),
    defaultValue: () => true,
    defaultText: 'yes',
    help: 'with serve and --database: render tasks, too; --no-render leaves them to `listing-video worker`',
  }),
  storage: row({
    kind: storageUrlKind('<url>'),
    defaultText: 'none: keep files in the data folder',
    canBeNone: true,
    help: 'keep the result files of a server, and a copy of its cache, in this bucket, such as s3://bucket/prefix',
  }),
  proxyFiles: row({
    kind: booleanKind(),
    defaultValue: () => false,
    defaultText: 'no',
    help: 'with --storage: send result files through the server instead of redirecting clients to the bucket',
  }),
  port: row({
    kind: integerKind('<n>', 0, 65_535),
    defaultValue: () => 8080,
    defaultText: '8080',
    help: 'listen on this port; 0 picks a free one',
  }),
  host: row({
    kind: textKind('<host>'),
    defaultValue: () => '127.0.0.1',
    defaultText: '127.0.0.1',
    help: 'listen on this address; other than loopback needs API keys',
  }),
  publicUrl: row({
    kind: baseUrlKind('<url>'),
    defaultText: 'the address it listens on',
    help: 'start the URLs of results with this address, under which clients reach the server',
  }),
  grace: row({
    kind: durationKind('<span>'),
    defaultValue: () => 30_000,
    defaultText: '30s',
    unit: 'ms',
    help: 'let running tasks finish for this long after SIGTERM, then put them back in the queue',
  }),
  timeLimit: row({
    isForProjects: true,
    kind: durationKind('<span>', { isPositive: true }),
    defaultText: '30m with serve and worker, none with create',
    unit: 'ms',
    help: 'end a task that works longer than this on its videos; waiting for other tasks does not count',
  }),
  bodyLimit: row({
    kind: sizeKind('<size>', 1024),
    defaultValue: () => 4 * 1024 * 1024,
    defaultText: '4MiB',
    unit: 'bytes',
    help: 'refuse larger request bodies',
  }),
  queueLimit: row({
    kind: integerKind('<n>', 1, 1_000_000),
    defaultValue: () => 10_000,
    defaultText: '10000',
    unit: 'tasks',
    help: 'answer 503 when this many tasks are waiting',
  }),
  organizationWaiting: row({
    kind: integerKind('<n>', 1, 1_000_000),
    defaultText: 'half of --queue-limit',
    unit: 'tasks',
    help: 'answer 503 to an organization when this many of its tasks are waiting',
  }),
  organizationRunning: row({
    kind: integerKind('<n>', 1, 65),
    defaultText: 'one more than the parallel tasks',
    unit: 'tasks',
    help: 'let this process run at most this many tasks of one organization at once, with those that only fetch their photos',
  }),
  requestsPerMinute: row({
    kind: integerKind('<n>', 0, 1_000_000),
    defaultValue: () => 1_200,
    defaultText: '1200',
    unit: 'requests',
    help: 'answer 429 when a key, or an address without a key, sends more requests in a minute; 0 for no limit; not in development',
  }),
  connectionsPerAddress: row({
    kind: integerKind('<n>', 1, 1_000),
    defaultValue: () => 100,
    defaultText: '100',
    unit: 'connections',
    help: 'limit the connections of one client address; this machine and trusted proxies have no limit',
  }),
  trustProxy: row({
    kind: listKind(
      '<ip|cidr>',
      'an address or a CIDR block, such as 10.0.0.7 or 10.0.0.0/8',
      parseAddressBlock,
    ),
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    help: 'believe the X-Forwarded-For of proxies at this address or CIDR block, so that limits and log see their clients; repeatable',
  }),
  keep: row({
    kind: durationKind('<span>', { isPositive: true }),
    defaultText: 'for ever',
    unit: 'ms',
    help: 'delete ended tasks and their files after this time, such as 30d',
  }),
  allowAnonymous: row({
    kind: booleanKind(),
    defaultValue: () => false,
    defaultText: 'no',
    help: 'listen on any address without an API key: anyone can use the server',
  }),
  allowAssetsFrom: row({
    kind: placesKind,
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    help: 'allow photos from this private host, address or CIDR block; repeatable',
  }),
  denyAssetsFrom: row({
    kind: placesKind,
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    help: 'refuse photos from this host, address or CIDR block, whatever else allows it; repeatable',
  }),
  corsOrigin: row({
    kind: listKind('<origin>', 'an origin such as https://example.com, or *', parseOrigin),
    defaultValue: (): readonly string[] => [],
    defaultText: 'none',
    help: 'let web pages of this origin call the API; repeatable',
  }),
};

export type SettingName = keyof typeof TABLE;

export const SETTING_NAMES = Object.keys(TABLE) as SettingName[];

export const SETTINGS = Object.fromEntries(SETTING_NAMES.map((name) => [name, toRow(name)])) as unknown as {
  readonly [N in SettingName]: SettingRow<KindValue<N>>;
};

function toRow(name: SettingName) {
  const declared = TABLE[name];
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    ...declared,
    flag: `--${words}`,
    env: `LISTING_VIDEO_${words.replaceAll('-', '_').toUpperCase()}`,
    configKey: declared.isNeverSaved === true ? null : words,
    unit: declared.unit ?? null,
  };
}

type KindValue<N extends SettingName> = (typeof TABLE)[N]['kind'] extends ValueKind<infer T> ? T : never;
type DefaultValue<N extends SettingName> = ReturnType<NonNullable<(typeof TABLE)[N]['defaultValue']>>;

/** The type of a resolved setting; undefined only without a default. */
export type SettingValue<N extends SettingName> = KindValue<N> | Extract<DefaultValue<N>, undefined>;

export type Settings = { readonly [N in SettingName]: SettingValue<N> };

/** Shown in place of a secret. */
const HIDDEN = '[hidden]';

/** A value as it can be shown: of a secret only that it is set. */
export function shownValue<V>(name: SettingName, value: V): V | typeof HIDDEN {
  return SETTINGS[name].isSecret === true && value !== undefined && value !== null ? HIDDEN : value;
}

/** A value as its flag and `config set` take it, such as `5GB` or `30s`; null without a value, hidden for a secret. */
export function settableText<N extends SettingName>(name: N, value: SettingValue<N>): string | null {
  if (value === undefined || value === null) return null;
  const { kind, isSecret } = SETTINGS[name] as unknown as SettingRow<SettingValue<N>>;
  if (isSecret === true) return HIDDEN;
  return kind.format?.(value) ?? String(value);
}

/** The folders of the user's own templates, which are searched before the built-in ones. */
export function templatesDirsOf({ templatesDir }: Pick<Settings, 'templatesDir'>): string[] {
  return templatesDir === undefined ? [] : [templatesDir];
}
