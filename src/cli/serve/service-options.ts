/** What `serve` and `worker` have in common: their share of the machine, their log, and their end by a signal. */
import type { ServiceOptions } from '../../wiring/server/open-service.ts';
import type { CommandRun } from '../command-run.ts';

/** The parallel tasks, and how the log looks. */
export async function serviceOptionsOf({
  resolvedSettings,
  host,
  terminal,
  output,
}: CommandRun): Promise<ServiceOptions> {
  const { concurrency } = await resolvedSettings();
  const { cpuCount } = await host.machine();
  // One task keeps all CPUs busy: more cost memory and gain nothing, unless the setting says otherwise.
  const tasksAtOnce = concurrency.source === 'default' ? 1 : concurrency.value;
  return {
    tasksAtOnce,
    piecesPerTask: Math.max(1, Math.floor(cpuCount / tasksAtOnce)),
    log: {
      stream: terminal.stderr,
      isPretty: terminal.stderrIsTty,
      hasColor: terminal.styles.err.level > 0,
      level: output.debug ? 'debug' : output.quiet ? 'warn' : 'info',
    },
  };
}

/** Resolves when `signal` is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
