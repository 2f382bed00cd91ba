/** Tells of what a list leaves out because its file is damaged. */
import type { StoreWarning } from '../../task/task-store.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';

/** One line on stderr for each; what could be read is listed all the same. */
export function warnOfUnreadable(run: CommandRun, warnings: readonly StoreWarning[]): void {
  // The message names the file.
  for (const { message } of warnings) {
    run.info(`${run.terminal.styles.err.yellow('warning:')} ${escapeText(message)}`);
  }
}
