/** The work of `create`: all inputs are read and judged first, then each sound listing is run as a task. */
import type { Settings } from '../settings/setting-table.ts';
import type { JsonValue, TaskRecord } from '../task/task.ts';
import type { VideoTaskPayload } from '../video/video-task.ts';
import { toErrorDocument, toListingVideoError } from './cli-error.ts';
import { collectInputs } from './collect-inputs.ts';
import type { CommandRun } from './command-run.ts';
import { formatVerdict } from './format-verdict.ts';
import { type InvalidListing, invalidListingError, judgeBatch } from './judge-batch.ts';
import { printDryRuns } from './print-dry-run.ts';
import { printJson } from './print-json.ts';
import { type BrokenOff, type EndedTask, printSummary } from './print-summary.ts';
import { type ListingVerdictOfFile, readListing } from './read-listing.ts';
import { exitCodeOf, noteEndedTask, noteError, printEndedTask, runTask } from './run-task.ts';
import { reportOf, toTaskDocument, unbrandedOf } from './task-document.ts';
import { toTaskOptions } from './task-options.ts';

/** Runs the command; returns its exit code. */
export async function createVideos(run: CommandRun): Promise<number> {
  if (run.options.watch !== true) return createOnce(run);
  const { watchVideos } = await import('./watch-videos.ts');
  return watchVideos(run, createOnce);
}

async function createOnce(run: CommandRun): Promise<number> {
  const settings = await run.settings();
  const options = toTaskOptions(run.options, settings, await musicOrder(run, settings));
  const verdicts = await readAll(run);
  // An invalid listing is told whatever the state of the store, so it is opened for sound ones only.
  const hasSound = verdicts.some(({ listing }) => listing !== null);
  const templateIds = hasSound ? await (await run.studio()).templateIds() : [];
  const { sound, invalid } = await judgeBatch(verdicts, { options, out: settings.out, templateIds });
  const isBatch = verdicts.length > 1;

  await printFindings(run, verdicts, invalid);
  if (!isBatch && invalid.length > 0) throw invalidListingError(invalid);
  if (run.options.dryRun === true) return printDryRuns(run, sound, isBatch ? invalid : null);

  const ended: EndedTask[] = [];
  const broken: BrokenOff[] = [];
  for (const { file, payload } of sound) {
    if (run.signal.aborted) break;
    try {
      const task = await runListing(run, file, payload);
      ended.push({ file, task });
      await (run.output.json ? noteEndedTask : printEndedTask)(run, task, file);
    } catch (thrown) {
      if (!isBatch) throw thrown;
      const error = toListingVideoError(thrown);
      broken.push({ file, error });
      noteError(run, file, error);
      // What is wrong with the environment is wrong for every listing.
      if (error.exitCode === 3) break;
    }
  }
  if (run.output.json) {
    const data = ended.map(({ file, task }) => ({
      ...toTaskDocument(task),
      listing_file: file,
      report: reportOf(task),
      ...(options.alsoUnbranded === true ? { unbranded: unbrandedOf(task) } : {}),
    }));
    const errors = broken.map(({ file, error }) => ({ listing_file: file, ...toErrorDocument(error) }));
    printJson(run.terminal, {
      data,
      has_more: false,
      ...(isBatch ? { invalid } : {}),
      ...(errors.length > 0 ? { errors } : {}),
    });
  } else if (isBatch) {
    printSummary(run, verdicts, { ended, broken, invalid });
  }
  const codes = [
    ...ended.map(({ task }) => exitCodeOf(task, run.signal.aborted)),
    ...broken.map(({ error }) => error.exitCode),
  ];
  return exitCode(run, codes, sound.length, invalid.length);
}

/**
 * 130 before 3 before 1; 2 when nothing could be started.
 *
 * @param codes - Of the listings that were begun.
 */
function exitCode(
  run: CommandRun,
  codes: readonly number[],
  soundCount: number,
  invalidCount: number,
): number {
  if (run.signal.aborted && (codes.length < soundCount || codes.includes(130))) return 130;
  if (soundCount === 0) return 2;
  if (soundCount === 1 && invalidCount === 0) return codes[0]!;
  if (codes.includes(3)) return 3;
  return invalidCount > 0 || codes.some((code) => code !== 0) ? 1 : 0;
}

async function musicOrder(run: CommandRun, { music, templatesDir }: Settings): Promise<string | undefined> {
  if (music === undefined) return undefined;
  const { readMusicOrder } = await import('./music-order.ts');
  const { cwd } = await run.host.machine();
  const templatesDirs = templatesDir === undefined ? [] : [templatesDir];
  return readMusicOrder(music, { cwd, templatesDirs, signal: run.signal });
}

async function readAll(run: CommandRun): Promise<ListingVerdictOfFile[]> {
  const { cwd } = await run.host.machine();
  const verdicts: ListingVerdictOfFile[] = [];
  for (const input of await collectInputs(run.args, cwd)) {
    run.signal.throwIfAborted();
    verdicts.push(await readListing(input, { cwd, stdin: run.terminal.stdin, signal: run.signal }));
  }
  return verdicts;
}

async function runListing(run: CommandRun, file: string, payload: VideoTaskPayload): Promise<TaskRecord> {
  const { engine } = await run.studio();
  const task = await engine.submit({
    origin: 'cli',
    organizationId: null,
    payload: payload as unknown as JsonValue,
  });
  return runTask(run, task.id, file);
}

/** Warnings of every listing, and what is wrong with the invalid ones, on stderr. */
async function printFindings(
  run: CommandRun,
  verdicts: readonly ListingVerdictOfFile[],
  invalid: readonly InvalidListing[],
): Promise<void> {
  for (const verdict of verdicts) {
    const found = invalid.find(({ file }) => file === verdict.file);
    if (found ? run.output.json : run.output.quiet || verdict.warnings.length === 0) continue;
    const shown = found ? { ...verdict, listing: null, detail: found.detail } : { ...verdict };
    const lines = await formatVerdict(shown, run.terminal.styles.err, run.terminal.stderrIsTty, {
      isHeadless: !found,
    });
    for (const line of lines) run.terminal.note(line);
  }
}
