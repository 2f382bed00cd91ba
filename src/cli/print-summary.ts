/** The table that ends a batch, on stderr: every listing, what became of it, and why. */
import type { TaskRecord } from '../task/task.ts';
import type { CommandRun } from './command-run.ts';
import { escapeText } from './escape-text.ts';
import type { InvalidListing } from './judge-batch.ts';
import type { ListingVerdictOfFile } from './read-listing.ts';
import { formatTable } from './table.ts';
import { toTaskDocument } from './task-document.ts';

/** A task that has ended, with the file it came from. */
export interface EndedTask {
  readonly file: string;
  readonly task: TaskRecord;
}

/** Prints one row per listing; nothing under `--quiet`. */
export function printSummary(
  run: CommandRun,
  verdicts: readonly ListingVerdictOfFile[],
  ended: readonly EndedTask[],
  invalid: readonly InvalidListing[],
): void {
  if (run.output.quiet) return;
  const { err } = run.terminal.styles;
  const rows = verdicts.map(({ file }) => {
    const task = ended.find((entry) => entry.file === file)?.task;
    const bad = invalid.find((entry) => entry.file === file);
    const state = task?.state ?? (bad ? 'INVALID' : 'NOT STARTED');
    const first = bad?.detail[0];
    const note =
      task?.failure?.message ??
      (first ? first.msg : task ? `${toTaskDocument(task).results.length} videos` : '');
    return { file, state, note };
  });
  const lines = formatTable(
    rows,
    [
      { title: 'LISTING', text: (row) => escapeText(row.file), shrinks: true },
      {
        title: 'RESULT',
        text: (row) => row.state,
        paint: (text, row) => (row.state === 'SUCCEEDED' ? err.green(text) : err.red(text)),
      },
      { title: 'NOTE', text: (row) => escapeText(row.note), shrinks: true },
    ],
    run.terminal.stderrIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  run.terminal.note('');
  for (const line of lines) run.terminal.note(line);
}
