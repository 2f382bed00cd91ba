/** Prints what became of each record as it is imported: lines for people, or one JSON document. */
import { fieldWord, ITEM_WORDS } from '../../listing/field-word.ts';
import type { LeftOut } from '../../listing/mls/findings.ts';
import { toErrorDocument, toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText, escapeUnsafeJson } from '../terminal/escape-text.ts';
import { SCHEMA_VERSION } from '../terminal/print-json.ts';
import { stdoutWidth } from '../terminal/table.ts';
import { wrapBeside } from '../terminal/wrap-text.ts';
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
  // The report is data in a pipe; on a terminal a long line must not break within a word.
  const width = listingsOnStdout ? Number.POSITIVE_INFINITY : stdoutWidth(terminal);
  const detail = (name: string, text: string): void => {
    if (text === '') return;
    const label = `  ${styles.dim(name.padEnd(LABEL_WIDTH - 2))}`;
    for (const line of wrapBeside(label, escapeText(text), width)) write(line);
  };
  return {
    counts: tally.counts,
    print(entry) {
      tally.add(entry);
      if (output.quiet && entry.state !== 'invalid') return;
      const head = paint[entry.state](label(entry.state));
      write(`${head}${escapeText(headline(entry))}`);
      if (output.quiet) return;
      const { missing, notes } = entry;
      if (output.verbose) {
        for (const [field, source] of Object.entries(entry.from)) detail('from', `${field}: ${source}`);
        for (const { field, expected } of missing) detail('missing', `${field} (${expected.join(' or ')})`);
      } else detail('missing', [...new Set(missing.map(({ field }) => toWords(field)))].join(', '));
      for (const note of notes) detail('note', note);
      for (const text of groupLeftOut(entry.left_out)) detail('left out', text);
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

/** `portrait` of `agents[0].picture`, `portrait of agent 2` of `agents[1].picture`. */
function toWords(path: string): string {
  const [, agent, field = 'name'] = /^agents\[(\d+)\](?:\.(.*))?$/.exec(path) ?? [];
  if (agent === undefined) return fieldWord(path.slice(path.lastIndexOf('.') + 1));
  const word = ITEM_WORDS[field] ?? fieldWord(field);
  return Number(agent) === 0 ? word : `${word} of agent ${Number(agent) + 1}`;
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
