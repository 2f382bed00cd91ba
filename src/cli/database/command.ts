/** `listing-video database`: prepares a PostgreSQL database. The work is in `./manage-database.ts`. */
import { CliCommand } from '../define-command.ts';

const load = () => import('./manage-database.ts');

/** Defines the command. */
export const databaseCommand = (): CliCommand => {
  const migrate = new CliCommand('migrate', 'create or update the tables')
    .description(
      'Creates the tables in a new database, and updates those that an earlier version made. Run it once after each update of ' +
        'listing-video, with a backup at hand. A database that is up to date stays as it is.',
    )
    .settings('database')
    .examples({ 'database migrate': 'prepare the database of LISTING_VIDEO_DATABASE' })
    .does(async () => (await load()).migrateDatabase);
  return new CliCommand('database', 'prepare a PostgreSQL database')
    .description(
      'Tasks and accounts are in files by default. Servers on several machines share a PostgreSQL database (14 or newer) instead.',
    )
    .subcommands(migrate)
    .examples({ 'database migrate': 'create or update its tables' });
};
