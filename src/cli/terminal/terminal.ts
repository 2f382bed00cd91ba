/**
 * The terminal as one injected object: streams for results and messages, and what the terminal supports. Tests use one
 * in memory. All output of the command line goes through it.
 */

import type { Readable, Writable } from 'node:stream';
import { Chalk, type ChalkInstance } from 'chalk';
import { isDiskFull } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { escapeWorkflowCommand } from './escape-text.ts';

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** What {@link createTerminal} joins. */
export interface TerminalStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Neither links nor images when absent. */
  readonly abilities?: TerminalAbilities;
}

export type ImageProtocol = 'kitty' | 'iterm';

/** What only some terminals support. Called at the last moment: finding out loads packages. */
export interface TerminalAbilities {
  /** Whether stdout shows links (OSC 8). */
  canLink(): Promise<boolean>;
  /** How stderr shows images; null when the environment names no such terminal. */
  imageProtocol(): Promise<ImageProtocol | null>;
}

/** Output, input and abilities of the terminal. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stderr: OutputStream;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  /** True when a person can answer: stdin and stderr are terminals, and this is not CI. */
  readonly canPrompt: boolean;
  /** True when stderr can rewrite lines in place. */
  readonly canAnimate: boolean;
  readonly isCi: boolean;
  /** Width of the terminal on stdout, else of stderr, else 80. Read again at each use: windows are resized. */
  readonly columns: number;
  /** Colors for stdout and stderr; they add nothing where color is off. */
  readonly styles: { readonly out: ChalkInstance; readonly err: ChalkInstance };
  readonly abilities: TerminalAbilities;
  /** Aborted when the reader of stdout has gone (`| head`): a command that only prints can stop. */
  readonly readerGone: AbortSignal;
  print(line: string): void;
  log(line: string): void;
  /** Writes a CI command to stderr; only here it is not escaped. */
  command(line: string): void;
  /** Resolves when the system has taken all output. */
  flush(): Promise<void>;
}

/** Makes the terminal of these streams and this environment (`NO_COLOR`, `FORCE_COLOR`, `CI`, `TERM=dumb`). */
export function createTerminal(streams: TerminalStreams): Terminal {
  const { stdout, stderr, stdin, env } = streams;
  const isCi = isSet(env.CI) && env.CI !== 'false' && env.CI !== '0';
  const isDumb = env.TERM === 'dumb';
  const stdoutIsTty = stdout.isTTY === true;
  const stderrIsTty = stderr.isTTY === true;
  const readerGone = new AbortController();

  ignoreBrokenPipe('stdout', stdout, () => readerGone.abort());
  ignoreBrokenPipe('stderr', stderr, () => undefined);

  const guard = env.GITHUB_ACTIONS === 'true' ? escapeWorkflowCommand : (line: string) => line;
  const write = (stream: Writable, line: string): void => {
    if (stream === stdout && readerGone.signal.aborted) return;
    if (!stream.destroyed && stream.writable) stream.write(`${line}\n`);
  };
  return {
    stdin,
    stderr,
    stdoutIsTty,
    stderrIsTty,
    isCi,
    canPrompt: stdin.isTTY === true && stderrIsTty && !isCi,
    canAnimate: stderrIsTty && !isCi && !isDumb,
    get columns() {
      return Math.max(20, stdout.columns || stderr.columns || 80);
    },
    styles: {
      out: new Chalk({ level: colorLevel(env, stdoutIsTty) }),
      err: new Chalk({ level: colorLevel(env, stderrIsTty) }),
    },
    abilities: streams.abilities ?? NO_ABILITIES,
    readerGone: readerGone.signal,
    print: (line) => write(stdout, guard(line)),
    log: (line) => write(stderr, guard(line)),
    command: (line) => write(stderr, line),
    flush: async () => {
      await Promise.all([drain(stdout), drain(stderr)]);
    },
  };
}

const NO_ABILITIES: TerminalAbilities = {
  canLink: async () => false,
  imageProtocol: async () => null,
};

/** Color on this stream: none, or the 16 of every terminal (all we use). */
export function colorLevel(env: TerminalStreams['env'], isTty: boolean): 0 | 1 {
  // https://no-color.org: present and not empty, whatever the value. https://force-color.org likewise.
  if (isSet(env.NO_COLOR)) return 0;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR === '0' || env.FORCE_COLOR === 'false' ? 0 : 1;
  return isTty && env.TERM !== 'dumb' ? 1 : 0;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** A reader that has gone is not an error; other stream errors are. */
function ignoreBrokenPipe(name: string, stream: Writable, onGone: () => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return onGone();
    const isFull = isDiskFull(error);
    const reason = isFull ? 'the disk is full' : error.message;
    throw new ListingVideoError(
      isFull ? 'disk_full' : 'output_unwritable',
      `cannot write to ${name}: ${reason}`,
      { cause: error },
    );
  });
}

function drain(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writable) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.once('close', () => resolve());
    stream.write('', () => resolve());
  });
}
