/** Prints what became of each record as it is imported: lines for people, or one JSON document. */
import type { LeftOut } from '../../listing/mls/findings.ts';
import { toErrorDocument, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText, escapeUnsafeJson } from '../terminal/escape-text.ts';
import { SCHEMA_VERSION } from '../terminal/print-json.ts';
import type { ImportEntry } from './import-records.ts';
import { type ImportCounts, ImportTally } from './import-tally.ts';

/** Under this many records their own lines say what is missing. */
const MANY_RECORDS = 10;
const LABEL_WIDTH = 11;
const COUNT_WIDTH = 4;

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
  return run.output.json ? jsonPrinter(run) : textPrinter(run, listingsOnStdout);
}

function jsonPrinter({ terminal }: CommandRun): ImportPrinter {
  const tally = new ImportTally();
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) terminal.print(`{\n  "schema_version": ${SCHEMA_VERSION},\n  "listings": [`);
    isOpen = true;
  };
  const close = (facts: object): void => {
    open();
    const rest = JSON.stringify({ counts: tally.counts, missing: tally.missing, ...facts }, null, 2).slice(1);
    terminal.print(`  ],${escapeUnsafeJson(rest)}`);
  };
  let isFirst = true;
  return {
    counts: tally.counts,
    print(entry) {
      open();
      tally.add(entry);
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

function textPrinter(run: CommandRun, listingsOnStdout: boolean): ImportPrinter {
  const tally = new ImportTally();
  const { terminal, output } = run;
  const write = (line: string): void => (listingsOnStdout ? terminal.log(line) : terminal.print(line));
  const styles = listingsOnStdout ? terminal.styles.err : terminal.styles.out;
  const paint = {
    written: styles.green,
    unchanged: styles.green,
    kept: styles.yellow,
    skipped: styles.dim,
    invalid: styles.red.bold,
  };
  const label = (text: string): string => text.padEnd(LABEL_WIDTH);
  /** Where each field came from where it was printed first: later lines say what differs. */
  const usual = new Map<string, string>();
  const differing = (from: ImportEntry['from']): string[] =>
    Object.entries(from).flatMap(([field, source]) => {
      if (!output.verbose && usual.get(field) === source) return [];
      if (!usual.has(field)) usual.set(field, source);
      return [`${field}: ${source}`];
    });
  const detail = (name: string, parts: readonly string[]): void => {
    if (parts.length > 0)
      write(`  ${styles.dim(name.padEnd(LABEL_WIDTH - 2))}${parts.map(escapeText).join('; ')}`);
  };
  return {
    counts: tally.counts,
    print(entry) {
      tally.add(entry);
      if (output.quiet && entry.state !== 'invalid') return;
      const head = paint[entry.state](label(entry.state));
      write(`${head}${escapeText(headline(entry))}`);
      if (output.quiet) return;
      detail('from', differing(entry.from));
      detail(
        'missing',
        entry.missing.map(({ field, expected }) => `${field} (${expected.join(' or ')})`),
      );
      detail('left out', groupLeftOut(entry.left_out));
      for (const note of entry.notes) detail('note', [note]);
    },
    end() {
      run.info(tally.summary());
      const total = Object.values(tally.counts).reduce((sum, count) => sum + count, 0);
      if (total < MANY_RECORDS) return;
      for (const [name, counted] of Object.entries(tally.attention))
        for (const [what, count] of counted)
          run.info(
            `  ${name.padEnd(LABEL_WIDTH - 2)}${String(count).padStart(COUNT_WIDTH)} × ${escapeText(what)}`,
          );
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
