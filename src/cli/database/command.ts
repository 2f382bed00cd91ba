/** `listing-video database`: prepares a PostgreSQL database. The work is in `./manage-database.ts`. */
import { CliCommand } from '../define-command.ts';
import { neededDatabase } from '../serve/service-flags.ts';

const load = () => import('./manage-database.ts');

export const databaseCommand = (): CliCommand => {
  const migrate = new CliCommand('migrate', 'create or update the tables')
    .description(
      'Creates the tables in a new database, and updates those that an earlier version made. Run it once after each update of ' +
        'listing-video, with a backup at hand. A database that is up to date stays as it is.',
    )
    .addOptions(neededDatabase('prepare'))
    .examples({ 'database migrate': 'prepare the database of LISTING_VIDEO_DATABASE' })
    .does(async () => (await load()).migrateDatabase);
  const importHome = new CliCommand('import', 'take over the tasks and accounts of a data folder')
    .description(
      'Copies tasks, organizations, keys, credits, idempotency keys, webhooks and their deliveries of the data folder into the ' +
        'database, and counts them before and after. Stop the server of the data folder first. The data folder stays as it ' +
        'is, with the files of the results. The command imports all or nothing: it refuses a data folder with parts that ' +
        'cannot be read, and one that was imported before.',
    )
    .addOptions(neededDatabase('import into'))
    .examples({ 'database import --home /srv/videos': 'move a server from files to a database' })
    .does(async () => (await load()).importDataFolder);
  return new CliCommand('database', 'prepare a PostgreSQL database')
    .description(
      'Tasks and accounts are in files by default. Servers on several machines share a PostgreSQL database (14 or newer) instead.',
    )
    .subcommands(migrate, importHome)
    .examples({
      'database migrate': 'create or update its tables',
      'database import': 'take over what is in the data folder',
    });
};
