/** What a `create` says when all is over: the summary, the manifest, the JUnit report, the annotations of CI. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { logError } from '../tasks/run-task.ts';
import type { ListingResult } from './listing-result.ts';
import { prepareFile, writeWhole } from './prepare-file.ts';
import { printSummary } from './print-summary.ts';
import type { Shard } from './shard.ts';

export interface BatchFacts {
  /** Several listings, or a shard of them. */
  readonly isBatch: boolean;
  readonly exitCode: number;
  readonly startedMs: number;
  /** Absolute folder of all results. */
  readonly out: string;
  readonly shard: Shard | null;
  /** Absolute path of the JUnit file. */
  readonly report: string | null;
  /** False where stderr is for events alone. */
  readonly mayAnnotate: boolean;
}

/** @returns The exit code: 3 when a file that was asked for could not be written. */
export async function reportBatch(
  run: CommandRun,
  ends: readonly ListingResult[],
  facts: BatchFacts,
): Promise<number> {
  const endedMs = run.host.nowMs();
  const durationSec = Math.max(0, endedMs - facts.startedMs) / 1000;
  const [startedAt, endedAt] = [new Date(facts.startedMs), new Date(endedMs)];
  let exitCode = facts.exitCode;
  const attempt = async (file: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      logError(run, file, error);
      if (exitCode < error.exitCode) exitCode = error.exitCode;
    }
  };
  if (facts.isBatch && !run.output.json) printSummary(run, ends, durationSec);
  if (facts.report !== null) {
    const file = facts.report;
    await attempt(file, async () => {
      const { toJunitXml } = await import('./junit-xml.ts');
      await prepareFile(file, '--report');
      await writeWhole(file, toJunitXml(ends, { startedAt, durationSec }));
    });
  }
  if (facts.isBatch && ends.some(({ task }) => task !== null)) {
    const { manifestName, toManifest } = await import('./manifest.ts');
    const file = path.join(facts.out, manifestName(facts.shard));
    await attempt(file, async () => {
      const generator = `listing-video ${run.host.version}`;
      const { shard, out } = facts;
      const manifest = toManifest(ends, { generator, startedAt, endedAt, shard, exitCode, out });
      await mkdir(out, { recursive: true });
      await writeWhole(file, `${JSON.stringify(manifest, null, 2)}\n`);
      run.info(`manifest: ${file}`);
    });
  }
  if (facts.mayAnnotate && run.host.env.GITHUB_ACTIONS === 'true') await annotate(run, ends);
  return exitCode;
}

async function annotate(run: CommandRun, ends: readonly ListingResult[]): Promise<void> {
  const { toAnnotations } = await import('./github-annotations.ts');
  const { cwd } = await run.host.machine();
  const workspace = run.host.env.GITHUB_WORKSPACE;
  for (const line of await toAnnotations(ends, { cwd, workspace })) run.terminal.command(line);
}
