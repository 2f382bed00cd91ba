/** Drives the program without a process: a terminal and a home in memory, a real task engine over a fake handler. */
import { PassThrough, Writable } from 'node:stream';
import type { CliHost } from '../../src/cli/command-run.ts';
import { runCli } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal/terminal.ts';
import type { Settings } from '../../src/platform/settings/setting-table.ts';
import type { AccountStore } from '../../src/task/accounts/account-store.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../src/task/engine/task-handler.ts';
import { typedTaskStore } from '../../src/task/task-codec.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import type { TaskDescription } from '../../src/video/describe-task.ts';
import type { LintRequest, TemplateLint } from '../../src/video/templates/lint-template.ts';
import type { PreviewRequest, TemplatePreview } from '../../src/video/templates/preview-template.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../src/video/video-task.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import type { Backend, WebhookTools } from '../../src/wiring/backend.ts';
import { createTestAccounts, openTestWebhooks } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { folderOf } from './listing-files.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
export type AnyJson = any;

export interface FakeWorld {
  /** Default: a folder of its own with `files` in it. */
  readonly cwd?: string;
  /** As `folderOf` takes them. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The user's home folder. */
  readonly homeDir?: string;
  /** Null: stays open and says nothing. */
  readonly stdin?: string | null;
  readonly isTty?: boolean;
  readonly columns?: number;
  readonly store?: TaskStore;
  readonly accounts?: AccountStore;
  readonly webhooks?: WebhookTools;
  readonly handler?: VideoHandler;
  /** Of the task engine. */
  readonly hooks?: NonNullable<Parameters<typeof createTaskEngine>[0]['hooks']>;
  readonly tasksAtOnce?: number;
  readonly describe?: Backend['describe'];
  readonly check?: Backend['check'];
  readonly lint?: (order: LintRequest) => Promise<TemplateLint>;
  readonly preview?: (order: PreviewRequest) => Promise<TemplatePreview>;
  /** Default: classic and modern. */
  readonly templateIds?: readonly string[];
  readonly interrupted?: AbortSignal;
  readonly delay?: CliHost['delay'];
  readonly openBackend?: CliHost['openBackend'];
  readonly openService?: CliHost['openService'];
  readonly openWorker?: CliHost['openWorker'];
  readonly openStudio?: CliHost['openStudio'];
  readonly openStart?: CliHost['openStart'];
  readonly nowMs?: () => number;
  /** Called with every text as it is written. */
  readonly onWrite?: (stream: 'stdout' | 'stderr', text: string) => void;
}

export interface CliRun {
  readonly cwd: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The document on stdout, without its `schema_version`. */
  readonly json: () => AnyJson;
  /** The lines of stdout as JSON. */
  readonly jsonLines: () => AnyJson[];
  /** The settings the backend was opened with; null when it was not. */
  readonly settings: Settings | null;
  readonly isBackendClosed: boolean;
}

/** A stream that keeps what is written to it. */
export class CapturedStream extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #onWrite: (text: string) => void;

  constructor(isTty: boolean, columns: number, onWrite: (text: string) => void = () => undefined) {
    super({ decodeStrings: false });
    this.isTTY = isTty;
    this.columns = columns;
    this.#onWrite = onWrite;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.text += chunk.toString();
    this.#onWrite(chunk.toString());
    done();
  }

  // What a moving line needs of a terminal.
  cursorTo(): boolean {
    return true;
  }
  moveCursor(): boolean {
    return true;
  }
  clearLine(): boolean {
    return true;
  }
}

/** What the video handler stores when all went well. */
export function outcomeOf(payload: VideoTaskPayload): VideoTaskOutcome {
  const folder = `file://${payload.outputDir}`;
  return {
    results: payload.listing.agents.map((agent) => ({
      agent_id: agent.id,
      url: `${folder}/${agent.id}.mp4`,
      created_at: '2026-11-20T14:03:07.123+00:00',
      metadata: { ...agent.video_options?.metadata },
    })),
    dropped_assets: [],
    report: `${payload.outputDir}/report.json`,
  };
}

export type VideoHandler = TaskHandler<VideoTaskPayload, VideoTaskOutcome>;

export const succeeding: VideoHandler = async (task, context) => {
  context.reportProgress({ percent: 50, stage: 'render', etaSeconds: 3 });
  return outcomeOf(task.payload);
};

/** An engine of video tasks over a store of JSON, as the program has it. */
export function engineOver(store: TaskStore, handler: VideoHandler) {
  return createTaskEngine({ store: typedTaskStore(store, VIDEO_TASK_CODEC), handler });
}

/** Webhooks in the folder `home`, by default in one of their own, whose receivers answer every test with 200. */
export function testWebhooks(tasks: TaskStore, home?: string): WebhookTools {
  const { store } = openTestWebhooks({ tasks, ...(home === undefined ? {} : { home }) });
  const at = '2026-11-20T14:00:00.000Z';
  return {
    ...store,
    test: async (id) => {
      await store.getWebhook(id);
      return { at, durationMs: 12, status: 200, error: null, response: 'ok' };
    },
  };
}

/** Types `argv`: a list of words, or a line of words without quotes. */
export async function run(argv: string | readonly string[], world: FakeWorld = {}): Promise<CliRun> {
  const cwd = world.cwd ?? (await folderOf(world.files));
  const stdin = new PassThrough();
  if (world.stdin !== null) stdin.end(world.stdin ?? '');
  const { isTty = false, columns = 80, env = {} } = world;
  const stdout = new CapturedStream(isTty, columns, (text) => world.onWrite?.('stdout', text));
  const stderr = new CapturedStream(isTty, columns, (text) => world.onWrite?.('stderr', text));
  const terminal = createTerminal({ stdin, stdout, stderr, env });
  let settings: Settings | null = null;
  let isBackendClosed = false;
  const store = world.store ?? createMemoryTaskStore();
  const openBackend: CliHost['openBackend'] = async (given, { logger }) => {
    settings = given;
    const engine = createTaskEngine({
      store: typedTaskStore(store, VIDEO_TASK_CODEC),
      handler: world.handler ?? succeeding,
      ...(world.hooks && { hooks: world.hooks }),
      logger,
    });
    const backend: Backend = {
      server: null,
      engine,
      store,
      tasksAtOnce: world.tasksAtOnce ?? 1,
      templateIds: async () => world.templateIds ?? ['classic', 'modern'],
      accounts: async () => world.accounts ?? createTestAccounts({ tasks: store }),
      webhooks: async () => world.webhooks ?? testWebhooks(store),
      lint: async (order) => (world.lint ?? lintOf)(order),
      preview: async (order) => (world.preview ?? previewOf)(order),
      check: async (payload, signal) => world.check?.(payload, signal) ?? { violations: [], warnings: [] },
      describe: async (payload, options) => (world.describe ?? planOf)(payload, options),
      close: async () => {
        isBackendClosed = true;
      },
    };
    return backend;
  };
  const exitCode = await runCli(typeof argv === 'string' ? argv.split(' ') : argv, {
    terminal,
    env,
    machine: async () => ({
      dataDir: `${cwd}/home`,
      cwd,
      homeDir: world.homeDir ?? '/',
      cpuCount: 2,
    }),
    interrupted: world.interrupted ?? new AbortController().signal,
    openBackend: world.openBackend ?? openBackend,
    openService: world.openService ?? (() => Promise.reject(new Error('this test has no service'))),
    openWorker: world.openWorker ?? (() => Promise.reject(new Error('this test has no worker'))),
    openStudio: world.openStudio ?? (() => Promise.reject(new Error('this test has no studio'))),
    openStart: world.openStart ?? (() => Promise.reject(new Error('this test has no start page'))),
    nowMs: world.nowMs ?? (() => Date.parse('2026-11-20T14:00:00Z')),
    delay: world.delay ?? (async () => undefined),
    version: '9.8.7',
  });
  return {
    cwd,
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    json() {
      // Every document has it, so no test needs to repeat it.
      const { schema_version: version, ...document } = JSON.parse(stdout.text);
      if (version !== 1) throw new Error(`the document has the schema_version ${version}`);
      return document;
    },
    jsonLines: () => parseLines(stdout.text),
    settings,
    isBackendClosed,
  };
}

/** Lines of JSON. */
export const parseLines = (text: string): AnyJson[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export async function planOf(payload: VideoTaskPayload): Promise<TaskDescription> {
  return {
    listing: { id: payload.listing.id, file: payload.listingFile, address: '12 Main St' },
    videos: payload.listing.agents.map((agent) => ({
      agent_id: agent.id,
      agent_name: `${agent.first_name} ${agent.last_name}`,
      template_id: 'classic',
      ratio: '1920:1080',
      width_px: 1920,
      height_px: 1080,
      fps: 30,
      frames: 1100,
      duration_sec: 36.7,
      music: 'classic',
      music_bpm: null,
      segments: { to_render: 14, reused: 2 },
      scenes: [
        {
          id: 'scene-01-hero',
          kind: 'hero',
          start_sec: 0,
          end_sec: 4.5,
          texts: ['12 Main St'],
          photos: ['https://photos.example/1.jpg'],
        },
      ],
      altered_photos: [],
      warnings: [],
    })),
    assets: { given: payload.listing.assets.length, used: payload.listing.assets.length },
    dropped_assets: [],
    warnings: [],
    cost: { credits: payload.listing.agents.length, frames_to_render: 1000 },
  };
}

async function lintOf(): Promise<TemplateLint> {
  return { findings: [], warnings: [], videoCount: 2, dropped_assets: [] };
}

async function previewOf({
  file,
  templateId,
  ratio = '1920:1080',
}: PreviewRequest): Promise<TemplatePreview> {
  return {
    ...{
      file,
      template_id: templateId,
      ratio,
      width_px: 1920,
      height_px: 1080,
      video_sec: 40,
      shown_sec: [0, 40],
    },
    ...{ warnings: [], dropped_assets: [] },
  };
}
