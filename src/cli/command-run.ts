/** What a command gets to do its work: its words and options, the terminal, the settings, the backend. */
import type { AllowedFolders } from '../platform/disk/allowed-folders.ts';
import {
  type ResolvedSettings,
  type SettingFlags,
  settingValues,
} from '../platform/settings/resolve-settings.ts';
import type { MachineFacts, Settings } from '../platform/settings/setting-table.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import type { Backend, OpenBackend } from '../wiring/backend.ts';
import type { OpenStart } from '../wiring/open-start.ts';
import type { OpenStudio } from '../wiring/open-studio.ts';
import type { OpenService } from '../wiring/server/open-service.ts';
import type { OpenWorker } from '../wiring/server/open-worker.ts';
import { escapeText } from './terminal/escape-text.ts';
import { messageWrapper } from './terminal/message-wrapper.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Everything outside the program: real in `main.ts`, faked in tests. */
export interface CliHost {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: () => Promise<MachineFacts>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  readonly openBackend: OpenBackend;
  readonly openService: OpenService;
  readonly openWorker: OpenWorker;
  readonly openStudio: OpenStudio;
  readonly openStart: OpenStart;
  readonly nowMs: () => number;
  /** Resolves after this long; rejects at once when `signal` is aborted. */
  readonly delay: (durationMs: number, signal: AbortSignal) => Promise<void>;
  readonly version: string;
  /** The only folders that commands may name files in; absent: every folder. */
  readonly folders?: AllowedFolders;
}

/** How a command prints, from the options that every command has. */
export interface OutputOptions {
  readonly json: boolean;
  /** The command prints a document per line, so its error is one line too. */
  readonly isNdjson?: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

/** Options of every command, as commander parsed them. */
export interface GlobalOptions extends SettingFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  /** False: `--no-input`, never ask. */
  readonly input?: boolean;
  /** Only `create` has it: stderr then carries events and no messages. */
  readonly events?: 'ndjson';
}

export interface CommandRun<Options = unknown> {
  readonly host: CliHost;
  readonly terminal: Terminal;
  readonly output: OutputOptions;
  readonly signal: AbortSignal;
  readonly args: readonly string[];
  readonly options: Options & GlobalOptions;
  /** Logs a message for people on stderr; nothing under `--quiet`. */
  info(line: string): void;
  /** Decided once, from flags, environment and config file. */
  settings(): Promise<Settings>;
  resolvedSettings(): Promise<ResolvedSettings>;
  /** Opens the backend; it is closed when the command has ended, also after a failure. */
  backend(): Promise<Backend>;
  /** The run of another command that this one calls, with settings of its own. It is closed together with this run. */
  follow<Next>(args: readonly string[], options: Next & GlobalOptions): CommandRun<Next>;
}

/** What prints: results on stdout, messages on stderr. */
export type Printer = Pick<CommandRun, 'terminal' | 'output' | 'info'>;

export type CommandWork<Options = unknown> = (run: CommandRun<Options>) => Promise<number>;

/** A run, and what its caller does with it. */
export interface OpenedRun<Options> {
  readonly run: CommandRun<Options>;
  /** The run that the command called last; `run` itself when it called none. */
  last(): CommandRun;
  close(): Promise<void>;
}

/** Makes the run of one command. Settings and backend are loaded at their first use. */
export function openCommandRun<Options>(
  host: CliHost,
  output: OutputOptions,
  args: readonly string[],
  options: Options & GlobalOptions,
): OpenedRun<Options> {
  const { terminal } = host;
  let backend: Promise<Backend> | undefined;
  let resolved: Promise<ResolvedSettings> | undefined;
  let next: OpenedRun<unknown> | undefined;
  const run: CommandRun<Options> = {
    host,
    terminal,
    output,
    signal: host.interrupted,
    args,
    options,
    info: (line) => {
      if (!output.quiet) terminal.log(line);
    },
    resolvedSettings: () => {
      resolved ??= loadSettings(run);
      return resolved;
    },
    settings: async () => settingValues(await run.resolvedSettings()),
    backend: () => {
      backend ??= openBackend(run);
      return backend;
    },
    follow: (nextArgs, nextOptions) => {
      const opened = openCommandRun(host, output, nextArgs, nextOptions);
      next = opened;
      return opened.run;
    },
  };
  return {
    run,
    last: () => next?.last() ?? run,
    close: async () => {
      await next?.close();
      const opened = await backend?.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function openBackend(run: CommandRun): Promise<Backend> {
  return run.host.openBackend(await run.settings(), {
    signal: run.signal,
    env: run.host.env,
    logger: await taskLoggerOf(run),
    ...(run.host.folders && { folders: run.host.folders }),
  });
}

/** Logs what the parts behind a command report: warnings for everyone, details with `--verbose`. */
export async function taskLoggerOf(run: CommandRun): Promise<TaskLogger> {
  const wrap = await messageWrapper(run.terminal);
  return {
    debug: (message, facts) => {
      if (run.output.verbose) run.terminal.log(`debug: ${formatFacts(message, facts)}`);
    },
    warn: (message, facts) => {
      for (const line of wrap('warning: ', formatFacts(message, facts))) run.info(line);
    },
  };
}

async function loadSettings({ options, host, output, terminal }: CommandRun): Promise<ResolvedSettings> {
  const { formatSettings, loadResolvedSettings } = await import('./load-settings.ts');
  const resolved = await loadResolvedSettings(options, host);
  if (output.verbose) for (const line of formatSettings(resolved)) terminal.log(line);
  return resolved;
}

function formatFacts(message: string, facts?: Readonly<Record<string, unknown>>): string {
  const tail = facts && Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts, describeErrors)}` : '';
  return escapeText(`${message}${tail}`);
}

/** JSON would show an error as an empty object. */
function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
