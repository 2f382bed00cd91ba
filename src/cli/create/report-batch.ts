/** Ends a `create`: prints the summary, writes manifest and JUnit report, and annotates the pull request in CI. */
import type { ListingVideoError } from '../../platform/errors.ts';
import { toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { type ExitFacts, exitCodeOfListings } from '../exit-code.ts';
import type { ListingResult } from '../listings/listing-result.ts';
import { logError } from '../tasks/log-task.ts';
import type { LiveManifest } from './reporters/manifest-file.ts';
import { prepareFile, writeWhole } from './prepare-file.ts';
import { printSummary } from './reporters/summary.ts';

export interface BatchFacts {
  readonly exit: ExitFacts;
  readonly startedMs: number;
  /** Null for a single listing. */
  readonly manifest: LiveManifest | null;
  /** Absolute path of the JUnit file. */
  readonly report: string | null;
  /** False where stderr is for events alone. */
  readonly mayAnnotate: boolean;
}

/** @returns Why files could not be written, each logged. */
export async function reportBatch(
  run: CommandRun,
  results: readonly ListingResult[],
  { exit, startedMs, manifest, report, mayAnnotate }: BatchFacts,
): Promise<ListingVideoError[]> {
  const endedMs = run.host.nowMs();
  const durationSec = Math.max(0, endedMs - startedMs) / 1000;
  const startedAt = new Date(startedMs);
  const writeErrors: ListingVideoError[] = [];
  const attempt = async (file: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      logError(run, file, error);
      writeErrors.push(error);
    }
  };
  if (exit.isBatch && !run.output.json) printSummary(run, results, durationSec);
  if (report !== null) {
    await attempt(report, async () => {
      const { toJunitXml } = await import('./reporters/junit.ts');
      await prepareFile(report, '--report');
      await writeWhole(report, toJunitXml(results, { startedAt, durationSec }));
    });
  }
  if (manifest !== null) {
    const exitCode = exitCodeOfListings(results, { ...exit, writeErrors });
    await attempt(manifest.file, async () => {
      await manifest.finish(results, exitCode);
      run.info(`manifest: ${manifest.file}`);
    });
  }
  if (mayAnnotate && run.host.env.GITHUB_ACTIONS === 'true') {
    const { toAnnotations } = await import('../listings/github-annotations.ts');
    for (const line of await toAnnotations(run, results)) run.terminal.command(line);
  }
  return writeErrors;
}
