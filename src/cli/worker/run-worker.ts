/** The work of `worker`: opens it, says when it waits for tasks, and waits for the signal to end. */
import type { CommandRun } from '../command-run.ts';
import { aborted, serviceOptionsOf } from '../serve/service-options.ts';
import { printJson } from '../terminal/print-json.ts';

/** Runs the command; returns its exit code: 0 also when a signal ended it, as that is how a worker ends. */
export async function runWorker(run: CommandRun): Promise<number> {
  const { terminal, output, signal } = run;
  const { port } = await run.resolvedSettings();
  const worker = await run.host.openWorker(await run.settings(), {
    ...(await serviceOptionsOf(run)),
    hasPort: port.source !== 'default',
  });
  const url = await worker.start();
  if (output.json) printJson(terminal, { url });
  else terminal.print(url === null ? 'waiting for tasks' : `waiting for tasks, listening on ${url}`);
  await aborted(signal);
  await worker.stop();
  return 0;
}
