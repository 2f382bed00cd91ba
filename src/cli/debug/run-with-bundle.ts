/** Runs a command under `--debug`: everything printed is recorded, and a failure writes a bundle for a bug report. */
import { isUsageError, printError } from '../cli-error.ts';
import type { CliHost, CommandRun, CommandWork, OpenedRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { INTERRUPTED_EXIT_CODE } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type FailedRun, writeBundle } from './write-bundle.ts';

/**
 * @param start - Makes the run over a host.
 * @returns The exit code of the command, whether the bundle could be written or not.
 */
export async function runWithBundle<Options>(
  host: CliHost,
  start: (host: CliHost) => OpenedRun<Options>,
  work: CommandWork<Options>,
  argv: readonly string[],
): Promise<number> {
  const { terminal, lines } = recordTerminal(host.terminal);
  const { run, last, close } = start({ ...host, terminal });
  const startedMs = host.nowMs();
  let error: unknown;
  try {
    const exitCode = await work(run).catch((thrown: unknown) => {
      error = thrown;
      return printError(terminal, thrown, run.output);
    });
    // An interrupt and a wrong command line are no bugs.
    if (exitCode === 0 || exitCode === INTERRUPTED_EXIT_CODE || isUsageError(error)) return exitCode;
    await reportBundle(last(), { argv, exitCode, error, startedMs, lines: lines() });
    return exitCode;
  } finally {
    await close();
  }
}

async function reportBundle(run: CommandRun, failed: FailedRun): Promise<void> {
  const { err } = run.terminal.styles;
  try {
    const file = await writeBundle(run, failed);
    run.terminal.log(`${err.bold('bundle:')} ${escapeText(file)}`);
    run.terminal.log(
      '  it holds the listings and their photos, without secrets; check its contents before you share it',
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    run.terminal.log(`${err.yellow('warning:')} cannot write a bundle: ${escapeText(reason)}`);
  }
}

/** Keeps the newest lines: a batch of thousands would fill the memory. */
const MAX_LINES = 20_000;
/** Characters: what an assistant program is sent can be a megabyte. */
const MAX_LINE = 20_000;

/** A recording copy of `terminal`, and the lines so far, each after `out: ` or `err: `. */
function recordTerminal(terminal: Terminal): { terminal: Terminal; lines: () => readonly string[] } {
  const lines: string[] = [];
  const keep = (stream: string, line: string): void => {
    lines.push(`${stream}: ${line.slice(0, MAX_LINE)}`);
    if (lines.length > MAX_LINES) lines.splice(0, MAX_LINES / 2);
  };
  const recording = {
    print: (line: string) => {
      keep('out', line);
      terminal.print(line);
    },
    log: (line: string) => {
      keep('err', line);
      terminal.log(line);
    },
  };
  // Getters such as the width still read the real terminal.
  return {
    terminal: Object.assign(Object.create(terminal) as Terminal, recording),
    lines: () => lines,
  };
}
