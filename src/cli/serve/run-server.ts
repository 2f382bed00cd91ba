/** The work of `serve`: opens the service, says where it listens, and waits for the signal to end. */
import type { CommandRun } from '../command-run.ts';
import { printJson } from '../terminal/print-json.ts';

/** Runs the command; returns its exit code: 0 also when a signal ended it, as that is how a server ends. */
export async function serve(run: CommandRun): Promise<number> {
  const { concurrency } = await run.resolvedSettings();
  const { cpuCount } = await run.host.machine();
  // One task keeps all CPUs busy: more cost memory and gain nothing, unless the setting says otherwise.
  const tasksAtOnce = concurrency.source === 'default' ? 1 : concurrency.value;
  const { terminal, output, signal } = run;
  const service = await run.host.openService(await run.settings(), {
    tasksAtOnce,
    piecesPerTask: Math.max(1, Math.floor(cpuCount / tasksAtOnce)),
    log: {
      stream: terminal.stderr,
      isPretty: terminal.stderrIsTty,
      hasColor: terminal.styles.err.level > 0,
      level: output.debug ? 'debug' : output.quiet ? 'warn' : 'info',
    },
  });
  const url = await service.start();
  if (output.json) printJson(terminal, { url });
  else terminal.print(`listening on ${url}`);
  await aborted(signal);
  await service.stop();
  return 0;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
