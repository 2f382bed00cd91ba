/** Writes the bundle of a failed command and says where it is; its own failure is told and changes nothing. */
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import type { FailedRun } from './write-bundle.ts';

/** See the file's head. */
export async function reportBundle(run: CommandRun, failed: FailedRun): Promise<void> {
  const { err } = run.terminal.styles;
  try {
    const { writeBundle } = await import('./write-bundle.ts');
    const file = await writeBundle(run, failed);
    run.terminal.log(`${err.bold('bundle:')} ${escapeText(file)}`);
    run.terminal.log(
      '  it holds the listings and their pictures, no secrets; look through it before you share it',
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    run.terminal.log(`${err.yellow('warning:')} no bundle could be written: ${escapeText(reason)}`);
  }
}
