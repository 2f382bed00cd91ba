/** Joins the program to this process: its streams, signals and exit code. Nothing here decides anything. */
import { setTimeout } from 'node:timers/promises';
import { packageVersion } from '../platform/program-files.ts';
import { processEnvironment } from '../platform/settings/process-environment.ts';
import { printErrorNow } from './cli-error.ts';
import type { CliHost } from './command-run.ts';
import { runCli } from './program.ts';
import { INTERRUPTED_EXIT_CODE, listenForInterrupts } from './terminal/interrupts.ts';
import { createTerminal } from './terminal/terminal.ts';

/**
 * Runs the command line of this process and ends the process with its exit code.
 *
 * @param replace - Parts of the host that a test process replaces.
 */
export async function main(replace: Partial<CliHost> = {}): Promise<never> {
  const argv = process.argv.slice(2);
  const env = processEnvironment();
  const terminal = createTerminal({
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    abilities: {
      canLink: async () => (await import('./terminal/terminal-abilities.ts')).canLink(process.stdout),
      imageProtocol: async () =>
        (await import('./terminal/terminal-abilities.ts')).imageProtocol(process.stderr),
    },
  });
  const isDebug = argv.includes('--debug');
  process.on('uncaughtException', (error) => {
    process.exit(
      printErrorNow(terminal, error, { json: false, quiet: false, verbose: isDebug, debug: isDebug }),
    );
  });
  const exit = (exitCode: number): never => {
    // Exiting waits for threads that are inside a system call, such as a read from a dead network drive. From here on
    // a signal ends the process the system's way instead of waiting with it.
    interrupts.release();
    process.exit(exitCode);
  };
  const interrupts = listenForInterrupts(process, () => exit(INTERRUPTED_EXIT_CODE));
  const exitCode = await runCli(argv, {
    terminal,
    env,
    machine: async () => (await import('../platform/settings/machine-facts.ts')).machineFacts(),
    interrupted: interrupts.signal,
    openBackend: async (settings, options) =>
      (await import('../wiring/open-backend.ts')).openBackend(settings, options),
    openService: async (settings, options) =>
      (await import('../wiring/server/open-service.ts')).openService(settings, options),
    openWorker: async (settings, options) =>
      (await import('../wiring/server/open-worker.ts')).openWorker(settings, options),
    openStudio: async (settings, request) =>
      (await import('../wiring/open-studio.ts')).openStudio(settings, request),
    openStart: async (settings, request) =>
      (await import('../wiring/open-start.ts')).openStart(settings, request),
    nowMs: () => Date.now(),
    delay: (durationMs, signal) => setTimeout(durationMs, undefined, { signal }),
    version: packageVersion(),
    ...replace,
  });
  await terminal.flush();
  return exit(exitCode);
}
