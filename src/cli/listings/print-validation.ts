/** Tells on stderr what was found in a listing. */
import type { CommandRun } from '../command-run.ts';
import { formatVerdict } from './format-validation.ts';

/** @param isHeadless - Leaves out the line that names a valid file. */
export async function noteVerdict(
  { terminal }: CommandRun,
  verdict: Parameters<typeof formatVerdict>[0],
  isHeadless: boolean,
): Promise<void> {
  const lines = await formatVerdict(verdict, terminal.styles.err, terminal.stderrIsTty, { isHeadless });
  for (const line of lines) terminal.note(line);
}
