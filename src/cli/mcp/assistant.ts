/**
 * Runs the work of other commands for an assistant: in memory, inside the allowed folders, over one backend. What a
 * command prints with `--json` is the result.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { parseMusic } from '../../media/encode/audio/parse-music.ts';
import type { AllowedFolders } from '../../platform/disk/allowed-folders.ts';
import { findProjectFile } from '../../platform/settings/project-file.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { Backend } from '../../wiring/backend.ts';
import {
  type CliHost,
  type CommandRun,
  type CommandWork,
  type GlobalOptions,
  openCommandRun,
} from '../command-run.ts';
import { collectingTerminal } from '../terminal/collecting-terminal.ts';
import type { ToolCall } from './tool.ts';

const MAX_LOOKS = 2;

/** What is heard of the work of a command, beside its document. */
export interface WorkEvents {
  /** A listing is ready to be planned or rendered. */
  readonly onPayload?: (payload: VideoTaskPayload) => void;
  readonly onTask?: (id: string) => void;
}

export interface CommandCall<Options> {
  readonly words: readonly string[];
  readonly options: Options & GlobalOptions;
  /** A text that the word `-` stands for. */
  readonly stdin?: string | null;
}

export class Assistant {
  readonly folders: AllowedFolders;
  readonly #run: CommandRun;
  readonly #closing = new AbortController();
  readonly #work = new Set<Promise<void>>();
  #shared: { readonly run: CommandRun; close(): Promise<void> } | undefined;

  /** @param run - Its options are those of every command that is called. */
  constructor(run: CommandRun, folders: AllowedFolders) {
    this.#run = run;
    this.folders = folders;
  }

  /** Where relative paths start. */
  get root(): string {
    return this.folders.folders[0]!;
  }

  get version(): string {
    return this.#run.host.version;
  }

  /** For people who look at the messages of the server. */
  log(line: string): void {
    if (this.#run.output.verbose) this.#run.terminal.log(line);
  }

  /** The absolute path of a file or folder that the assistant named. @throws ListingVideoError `usage` outside. */
  locate(word: string): string {
    return this.folders.require(path.resolve(this.root, word), word);
  }

  /** Plans and draws a few at a time: each takes threads and memory. Renders are limited by the engine. */
  readonly look = pLimit(MAX_LOOKS);

  async backend(): Promise<Backend> {
    const host = this.#host(new AbortController().signal, null);
    this.#shared ??= openCommandRun(host, this.#run.output, [], this.#options({}));
    return this.#shared.run.backend();
  }

  async settings(): Promise<Settings> {
    await this.backend();
    return this.#shared!.run.settings();
  }

  /** @returns The document that the command prints. @throws What the command throws. */
  runCommand<Options>(
    work: CommandWork<Options>,
    command: CommandCall<Options>,
    call: ToolCall,
    events: WorkEvents = {},
  ): Promise<Record<string, unknown>> {
    return this.keep(this.#runCommand(work, command, call, events));
  }

  async #runCommand<Options>(
    work: CommandWork<Options>,
    { words, options, stdin = null }: CommandCall<Options>,
    call: ToolCall,
    events: WorkEvents,
  ): Promise<Record<string, unknown>> {
    const printed: string[] = [];
    const host = this.#host(call.signal, stdin, (text) => printed.push(text));
    host.openBackend = async () => withEvents(await this.backend(), this, call, events);
    const output = { ...this.#run.output, json: true, quiet: !this.#run.output.verbose };
    const { run, close } = openCommandRun(host, output, words, this.#options(options));
    try {
      await this.#requireInside(run);
      await work(run);
    } finally {
      await close();
    }
    call.signal.throwIfAborted();
    return JSON.parse(printed.join('')) as Record<string, unknown>;
  }

  /** Aborted when the server ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Waits for this work before the end. */
  keep<T>(work: Promise<T>): Promise<T> {
    const kept = work.then(
      () => undefined,
      () => undefined,
    );
    this.#work.add(kept);
    void kept.then(() => this.#work.delete(kept));
    return work;
  }

  /** Stops what runs, and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#work);
    await this.#shared?.close();
  }

  #options<Options>(options: Options): Options & GlobalOptions {
    // Files of the allowed folders go to no server.
    return { ...this.#run.options, ...options, json: true, input: false, server: false };
  }

  #host(
    signal: AbortSignal,
    stdin: string | null,
    onPrint: (text: string) => void = () => undefined,
  ): CliHost & { openBackend: CliHost['openBackend'] } {
    const { host, terminal, output } = this.#run;
    return {
      ...host,
      env: { ...host.env, GITHUB_ACTIONS: undefined },
      terminal: collectingTerminal({
        stdin,
        onPrint,
        onLog: (text) => output.verbose && terminal.log(text.trimEnd()),
      }),
      interrupted: signal,
      // No project file above the allowed folder counts.
      machine: async () => ({ ...(await host.machine()), cwd: this.root, homeDir: this.root }),
      folders: this.folders,
    };
  }

  /** Settings can name folders too. */
  async #requireInside(run: CommandRun): Promise<void> {
    const project = await findProjectFile(await run.host.machine());
    if (project !== null) this.folders.require(project);
    const { out, templatesDir, music = 'none' } = await run.settings();
    this.folders.require(out);
    if (templatesDir !== undefined) await this.#requireNoLinksOut(this.folders.require(templatesDir));
    const wanted = parseMusic(music);
    if (wanted.kind === 'path') this.locate(wanted.path);
  }

  async #requireNoLinksOut(folder: string): Promise<void> {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isSymbolicLink()) this.folders.require(path.join(entry.parentPath, entry.name));
  }
}

/** The shared backend for one call, which tells what happens and closes nothing. */
function withEvents(
  backend: Backend,
  { folders, look }: Assistant,
  { onProgress: tell }: ToolCall,
  { onPayload, onTask }: WorkEvents,
): Backend {
  const { engine } = backend;
  const take = (payload: VideoTaskPayload): void => {
    folders.require(payload.outputDir);
    onPayload?.(payload);
  };
  return {
    ...backend,
    engine: {
      ...engine,
      submit: async (task, options) => {
        take(task.payload);
        const made = await engine.submit(task, options);
        onTask?.(made.id);
        return made;
      },
      runTask: (id, { onProgress, ...options } = {}) =>
        engine.runTask(id, { ...options, onProgress: both(tell, onProgress) }),
    },
    describe: (payload, { onProgress, ...options }) => {
      take(payload);
      return look(() => backend.describe(payload, { ...options, onProgress: both(tell, onProgress) }));
    },
    check: (payload, signal) => {
      take(payload);
      return backend.check(payload, signal);
    },
    close: async () => undefined,
  };
}

function both<T>(first: (value: T) => void, second: ((value: T) => void) | undefined): (value: T) => void {
  return (value) => {
    first(value);
    second?.(value);
  };
}
