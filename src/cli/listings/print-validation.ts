/** Tells on stderr what was found in a listing. */
import type { CommandRun } from '../command-run.ts';
import { formatValidation } from './format-validation.ts';

/** @param isHeadless - Leaves out the line that names a valid file. */
export async function logValidation(
  { terminal }: CommandRun,
  verdict: Parameters<typeof formatValidation>[0],
  isHeadless: boolean,
): Promise<void> {
  const lines = await formatValidation(verdict, terminal.styles.err, terminal.stderrIsTty, { isHeadless });
  for (const line of lines) terminal.log(line);
}
