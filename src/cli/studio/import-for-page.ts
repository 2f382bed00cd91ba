/** Imports a file of MLS data that was given to the start page: the command `import`, whose report the page shows. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { safeName } from '../../platform/disk/safe-name.ts';
import { openWorkFolder } from '../../video/work-folder.ts';
import type { StartRequest } from '../../wiring/open-start.ts';
import { type CommandRun, openCommandRun } from '../command-run.ts';
import { importCsv } from '../import/import-csv.ts';
import type { ImportOptions } from '../import/import-options.ts';
import { importReso } from '../import/import-reso.ts';
import { collectingTerminal } from '../terminal/collecting-terminal.ts';

type ImportEntries = Awaited<ReturnType<StartRequest['importFile']>>;

interface FileToImport {
  /** As the browser sends it: anything. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Absolute: where the listings go. */
  readonly folder: string;
}

/**
 * @returns What became of each record.
 * @throws {@link ListingVideoError} `input_unreadable` and the others of `import`.
 */
export async function importForPage(
  run: CommandRun,
  { name, bytes, folder }: FileToImport,
): Promise<ImportEntries> {
  const { home } = await run.settings();
  const printed: string[] = [];
  // The report of the command is on its stdout.
  const terminal = collectingTerminal({ onPrint: (text) => printed.push(text) });
  const work = await openWorkFolder(home);
  try {
    const file = safeName(path.basename(name) || 'mls');
    await writeFile(path.join(work.path, file), bytes);
    const machine = async () => ({ ...(await run.host.machine()), cwd: work.path });
    const output = { json: true, quiet: true, verbose: false, debug: false };
    const options = { ...run.options, out: folder } as ImportOptions & typeof run.options;
    const opened = openCommandRun({ ...run.host, terminal, machine }, output, [file], options);
    try {
      await (isJson(bytes) ? importReso(opened.run) : importCsv(opened.run));
    } finally {
      await opened.close();
    }
    const { listings, error } = JSON.parse(printed.join('')) as Report;
    if (error === undefined) return listings;
    // What came before the error is imported.
    return [...listings, { ...NOTHING, source: file, reasons: [error.message] }];
  } finally {
    await work.close();
  }
}

interface Report {
  readonly listings: ImportEntries;
  readonly error?: { readonly message: string };
}

const NOTHING = { state: 'invalid', listing_id: null, file: null, photos: 0 } as const;

/** By its first sign: a file of records is an object or an array. */
function isJson(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('utf8');
  return /^[\ufeff\s]*[[{]/.test(start);
}
