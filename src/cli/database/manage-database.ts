/** The work of `database migrate|import`. */
import { importHomeInto, migrateDatabaseAt } from '../../wiring/stores/open-database.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { requireDatabase } from './require-database.ts';

/** `database migrate`. */
export async function migrateDatabase(run: CommandRun): Promise<number> {
  const { place, from, to, applied } = await migrateDatabaseAt(await requireDatabase(run));
  const document = { database: place, from_version: from, to_version: to, applied };
  return printResult(run, document, () => {
    for (const name of applied) run.terminal.print(`ran ${name}`);
    run.info(`${escapeText(place)} is up to date (schema version ${to})`);
  });
}

/** `database import`. */
export async function importDataFolder(run: CommandRun): Promise<number> {
  const { home } = await run.settings();
  const counts = await importHomeInto(await requireDatabase(run), home);
  const document = {
    tasks: counts.tasks,
    organizations: counts.organizations,
    ledgers: counts.ledgers,
    reservations: counts.reservations,
    keys: counts.keys,
    idempotency_keys: counts.idempotencyKeys,
    webhooks: counts.webhooks,
    deliveries: counts.deliveries,
  };
  return printResult(run, document, () =>
    printTable(run.terminal, Object.entries(document), [
      { title: 'WHAT', text: ([name]) => name.replace('_', ' ') },
      { title: 'IMPORTED', text: ([, count]) => `${count}`, align: 'right' },
    ]),
  );
}
