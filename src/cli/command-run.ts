/** What a command's work is given, and what stands around it. */
import type { ResolvedSettings } from '../settings/resolve-settings.ts';
import type { MachineFacts, SettingName, Settings } from '../settings/setting-table.ts';
import type { Backend, OpenBackend } from '../wiring/backend.ts';
import type { OpenService } from '../wiring/open-service.ts';
import type { OutputOptions } from './cli-error.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The outside of the program: real in `main.ts`, a twin in tests. */
export interface CliHost {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: () => Promise<MachineFacts>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  readonly openBackend: OpenBackend;
  readonly openService: OpenService;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Resolves after this long; rejects at once when `signal` is aborted. */
  readonly delay: (durationMs: number, signal: AbortSignal) => Promise<void>;
  readonly version: string;
}

/** Options of a command as commander parsed them, the global ones included. */
export type CommandOptions = Readonly<Record<string, unknown>>;

/** One run of one command. */
export interface CommandRun {
  readonly host: CliHost;
  readonly terminal: Terminal;
  readonly output: OutputOptions;
  readonly signal: AbortSignal;
  /** Positional arguments, flattened. */
  readonly args: readonly string[];
  readonly options: CommandOptions;
  /** A message for people on stderr; nothing under `--quiet`. */
  info(line: string): void;
  /** Decided once, from flags, environment and config file. */
  settings(): Promise<Settings>;
  resolvedSettings(): Promise<ResolvedSettings>;
  /** Opens the backend; `runCli` closes it when the command has ended, whatever happened. */
  backend(): Promise<Backend>;
}

/** The work of a command. Returns its exit code. */
export type CommandWork = (run: CommandRun) => Promise<number>;

/** Flags of settings among a command's options. */
export type SettingFlags = Readonly<Partial<Record<SettingName, unknown>>>;
