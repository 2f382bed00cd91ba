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
  const rows = [
    { name: 'tasks', ...counts.tasks },
    { name: 'organizations', ...counts.organizations },
    { name: 'ledgers', ...counts.ledgers },
    { name: 'reservations', ...counts.reservations },
    { name: 'keys', ...counts.keys },
    { name: 'idempotency_keys', ...counts.idempotencyKeys },
    { name: 'webhooks', ...counts.webhooks },
    { name: 'deliveries', ...counts.deliveries },
  ];
  const document = Object.fromEntries(rows.map(({ name, ...count }) => [name, count]));
  return printResult(run, document, () =>
    printTable(run.terminal, rows, [
      { title: 'WHAT', text: ({ name }) => name.replace('_', ' ') },
      { title: 'FOUND', text: ({ found }) => `${found}`, align: 'right' },
      { title: 'IMPORTED', text: ({ imported }) => `${imported}`, align: 'right' },
      { title: 'IN DATABASE', text: ({ present }) => `${present}`, align: 'right' },
    ]),
  );
}
