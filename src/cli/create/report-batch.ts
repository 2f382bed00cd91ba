/** Ends a `create`: prints the summary, writes manifest and JUnit report, and annotates the pull request in CI. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ListingVideoError } from '../../errors.ts';
import { toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { type ExitFacts, exitCodeOfListings } from '../exit-code.ts';
import { type ListingResult, taskOf } from '../listings/listing-result.ts';
import { logError } from '../tasks/log-task.ts';
import { prepareFile, writeWhole } from './prepare-file.ts';
import { printSummary } from './print-summary.ts';
import type { Shard } from './shard.ts';

export interface BatchFacts {
  readonly exit: ExitFacts;
  readonly startedMs: number;
  /** Absolute folder of all results. */
  readonly out: string;
  readonly shard: Shard | null;
  /** Absolute path of the JUnit file. */
  readonly report: string | null;
  /** False where stderr is for events alone. */
  readonly mayAnnotate: boolean;
}

/** @returns Why files could not be written, each logged. */
export async function reportBatch(
  run: CommandRun,
  results: readonly ListingResult[],
  { exit, startedMs, out, shard, report, mayAnnotate }: BatchFacts,
): Promise<ListingVideoError[]> {
  const endedMs = run.host.nowMs();
  const durationSec = Math.max(0, endedMs - startedMs) / 1000;
  const [startedAt, endedAt] = [new Date(startedMs), new Date(endedMs)];
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
      const { toJunitXml } = await import('./junit-xml.ts');
      await prepareFile(report, '--report');
      await writeWhole(report, toJunitXml(results, { startedAt, durationSec }));
    });
  }
  if (exit.isBatch && results.some((result) => taskOf(result) !== null)) {
    const { manifestName, toManifest } = await import('./manifest.ts');
    const file = path.join(out, manifestName(shard));
    const exitCode = exitCodeOfListings(results, { ...exit, writeErrors });
    await attempt(file, async () => {
      const generator = `listing-video ${run.host.version}`;
      const manifest = toManifest(results, { generator, startedAt, endedAt, shard, exitCode, out });
      await mkdir(out, { recursive: true });
      await writeWhole(file, `${JSON.stringify(manifest, null, 2)}\n`);
      run.info(`manifest: ${file}`);
    });
  }
  if (mayAnnotate && run.host.env.GITHUB_ACTIONS === 'true') {
    const { toAnnotations } = await import('../listings/github-annotations.ts');
    for (const line of await toAnnotations(run, results)) run.terminal.command(line);
  }
  return writeErrors;
}
