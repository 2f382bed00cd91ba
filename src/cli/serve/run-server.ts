/** The work of `serve`: opens the service, says where it listens, and waits for the signal to end. */
import type { CommandRun } from '../command-run.ts';
import { printJson } from '../terminal/print-json.ts';
import { aborted, serviceOptionsOf } from './service-options.ts';

/** Runs the command; returns its exit code: 0 also when a signal ended it, as that is how a server ends. */
export async function serve(run: CommandRun): Promise<number> {
  const { terminal, output, signal } = run;
  const service = await run.host.openService(await run.settings(), await serviceOptionsOf(run));
  const url = await service.start();
  if (output.json) printJson(terminal, { url });
  else terminal.print(`listening on ${url}`);
  await aborted(signal);
  await service.stop();
  return 0;
}
