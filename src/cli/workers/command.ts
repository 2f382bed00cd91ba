/** `listing-video workers`: who renders the tasks of a database. The work is in `./list-workers.ts`. */
import { CliCommand } from '../define-command.ts';
import { neededDatabase } from '../serve/service-flags.ts';

export const workersCommand = (): CliCommand =>
  new CliCommand('workers', 'see who renders the tasks of a database')
    .description(
      'Shows the workers that share a database: processes of `worker`, and of `serve` without --no-render.',
    )
    .subcommands(list())
    .examples({ 'workers list': 'see which workers live' });

function list(): CliCommand {
  return new CliCommand('list', 'list the workers of a database')
    .alias('ls')
    .description(
      'Lists the workers that have not stopped, the oldest first. One is paused after a fault of its machine, draining after SIGTERM, and ' +
        'silent if it has sent no heartbeat for 6 seconds: others then take over its tasks, and forget it.',
    )
    .addOptions(neededDatabase('list the workers of'))
    .examples({
      'workers list': 'see which workers live, and how many tasks each runs',
    })
    .does(async () => (await import('./list-workers.ts')).listWorkers);
}
