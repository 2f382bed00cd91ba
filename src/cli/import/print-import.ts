/** Prints what became of each record as it is imported: lines for people, or one JSON document. */
import type { LeftOut } from '../../listing/mls/findings.ts';
import { toErrorDocument, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText, escapeUnsafeJson } from '../terminal/escape-text.ts';
import { SCHEMA_VERSION } from '../terminal/print-json.ts';
import type { ImportEntry } from './import-records.ts';

/** How many records ended in each state. */
export type ImportCounts = Record<ImportEntry['state'], number>;

const STATES: readonly ImportEntry['state'][] = ['written', 'unchanged', 'kept', 'skipped', 'invalid'];
const LABEL_WIDTH = 11;

/** Prints entries one by one: a feed has more of them than memory. */
export interface ImportPrinter {
  readonly counts: Readonly<ImportCounts>;
  print(entry: ImportEntry): void;
  /** @param facts - About the whole import, for the end of the document. */
  end(facts: object): void;
  /** Completes the document of `--json`, so that it stays one. Rethrows in other modes. @returns The exit code. */
  fail(error: unknown): number;
}

/** @param listingsOnStdout - Then the report goes to stderr. */
export function openImportPrinter(run: CommandRun, listingsOnStdout: boolean): ImportPrinter {
  const counts: ImportCounts = { written: 0, unchanged: 0, kept: 0, skipped: 0, invalid: 0 };
  return run.output.json ? jsonPrinter(run, counts) : textPrinter(run, counts, listingsOnStdout);
}

function jsonPrinter({ terminal }: CommandRun, counts: ImportCounts): ImportPrinter {
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) terminal.print(`{\n  "schema_version": ${SCHEMA_VERSION},\n  "listings": [`);
    isOpen = true;
  };
  const close = (facts: object): void => {
    open();
    const rest = JSON.stringify({ counts, ...facts }, null, 2).slice(1);
    terminal.print(`  ],${escapeUnsafeJson(rest)}`);
  };
  let isFirst = true;
  return {
    counts,
    print(entry) {
      open();
      counts[entry.state] += 1;
      terminal.print(`${isFirst ? '    ' : '  , '}${escapeUnsafeJson(JSON.stringify(entry))}`);
      isFirst = false;
    },
    end: close,
    fail(thrown) {
      if (!isOpen) throw thrown;
      const error = toListingVideoError(thrown);
      close(toErrorDocument(error));
      return error.exitCode;
    },
  };
}

function textPrinter(run: CommandRun, counts: ImportCounts, listingsOnStdout: boolean): ImportPrinter {
  const { terminal, output } = run;
  const write = (line: string): void => (listingsOnStdout ? run.info(line) : terminal.print(line));
  const styles = listingsOnStdout ? terminal.styles.err : terminal.styles.out;
  const paint = {
    written: styles.green,
    unchanged: styles.green,
    kept: styles.yellow,
    skipped: styles.dim,
    invalid: styles.red.bold,
  };
  const label = (text: string): string => text.padEnd(LABEL_WIDTH);
  const detail = (name: string, parts: readonly string[]): void => {
    if (parts.length > 0)
      write(`  ${styles.dim(name.padEnd(LABEL_WIDTH - 2))}${parts.map(escapeText).join('; ')}`);
  };
  return {
    counts,
    print(entry) {
      counts[entry.state] += 1;
      if (output.quiet && entry.state !== 'invalid') return;
      const head = paint[entry.state](label(entry.state));
      write(`${head}${escapeText(headline(entry))}`);
      detail(
        'from',
        Object.entries(entry.from).map(([field, source]) => `${field}: ${source}`),
      );
      detail(
        'missing',
        entry.missing.map(({ field, expected }) => `${field} (${expected.join(' or ')})`),
      );
      detail('left out', groupLeftOut(entry.left_out));
      for (const note of entry.notes) detail('note', [note]);
    },
    end() {
      const total = STATES.reduce((sum, state) => sum + counts[state], 0);
      const parts = STATES.flatMap((state) => (counts[state] === 0 ? [] : [`${counts[state]} ${state}`]));
      run.info(`${total} record${total === 1 ? '' : 's'}: ${parts.join(', ')}`);
    },
    fail(error) {
      throw error;
    },
  };
}

function headline({ state, file, source, listing_id: id, photos, agents, reasons }: ImportEntry): string {
  const what = `${photos} photos, ${agents} agent${agents === 1 ? '' : 's'}`;
  const name = id === null ? source : `${source} (${id})`;
  if (state === 'written' || state === 'unchanged') return `${file ?? name}: ${what}`;
  return `${file ?? name}: ${reasons.join('; ')}`;
}

/** One part for each reason, with the places that it holds for: a property can have fifty documents. */
function groupLeftOut(leftOut: readonly LeftOut[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { source, reason } of leftOut) {
    const known = byReason.get(reason);
    if (known === undefined) byReason.set(reason, [source]);
    else known.push(source);
  }
  return [...byReason].map(([reason, sources]) => {
    const [first = ''] = sources;
    return sources.length === 1
      ? `${first}: ${reason}`
      : `${first} and ${sources.length - 1} more: ${reason}`;
  });
}
