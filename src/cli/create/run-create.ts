/** The work of `create`: all inputs are read and judged first, then each valid listing is run as a task. */
import path from 'node:path';
import type { Settings } from '../../settings/setting-table.ts';
import { templatesDirsOf } from '../../settings/setting-table.ts';
import { toErrorDocument, toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { logValidation } from '../listings/print-validation.ts';
import { type ListingVerdictOfFile, readListings, withText } from '../listings/read-listing.ts';
import { invalidListingError, type JudgedListing, validateBatch } from '../listings/validate-batch.ts';
import { reportOf, toTaskDocument, unbrandedOf } from '../tasks/task-document.ts';
import { printJson } from '../terminal/print-json.ts';
import { type BatchEvents, createBatchEvents } from './batch-events.ts';
import { fitForServer } from './fit-for-server.ts';
import { failureOf, type ListingResult } from './listing-result.ts';
import { type EventFile, openEventFile } from './open-event-file.ts';
import { prepareFile } from './prepare-file.ts';
import { printDryRuns } from './print-dry-run.ts';
import { reportBatch } from './report-batch.ts';
import { exitCodeOfEnd, runBatch } from './run-batch.ts';
import { pickShard, type Shard } from './shard.ts';
import { toTaskOptions } from './task-options.ts';

/** The options of `create` that are about the run and not about its videos. */
interface BatchOptions {
  readonly isFailFast: boolean;
  readonly shard: Shard | null;
  /** Absolute path of the JUnit file. */
  readonly report: string | null;
  /** Absolute. */
  readonly eventsFile: string | null;
  readonly eventsOnStderr: boolean;
}

/** Runs the command; returns its exit code. */
export async function createVideos(run: CommandRun): Promise<number> {
  if (run.options.watch !== true) return createOnce(run);
  await fitForServer(run);
  const { watchVideos } = await import('./watch-listings.ts');
  return watchVideos(run, createOnce);
}

async function createOnce(run: CommandRun): Promise<number> {
  const options = await toBatchOptions(run);
  let file: EventFile | null = null;
  const events = createBatchEvents({
    write: (line) => {
      file?.write(line);
      if (options.eventsOnStderr) run.terminal.stderr.write(`${line}\n`);
    },
    nowMs: run.host.nowMs,
    generator: `listing-video ${run.host.version}`,
  });
  let ends: readonly ListingResult[] = [];
  try {
    file = await openEvents(run, options);
    const exitCode = await createAll(run, options, events, (known) => {
      ends = known;
    });
    events.finished(exitCode, ends, null);
    return exitCode;
  } catch (thrown) {
    const error = toListingVideoError(thrown);
    const { code, message, hint } = error;
    const facts = { code, message, ...(hint === undefined ? {} : { hint }) };
    events.finished(error.exitCode, ends, facts);
    throw thrown;
  } finally {
    await file?.close();
  }
}

async function createAll(
  run: CommandRun,
  options: BatchOptions,
  events: BatchEvents,
  onEnds: (ends: readonly ListingResult[]) => void,
): Promise<number> {
  const tells = options.report !== null || options.eventsFile !== null || options.eventsOnStderr;
  if (run.options.dryRun === true && tells) {
    throw usageError(
      '--dry-run makes no tasks to report on',
      'leave out --report and --events, or use --json',
    );
  }
  const settings = await run.settings();
  const server = await fitForServer(run);
  if (options.report !== null) await prepareFile(options.report, '--report');
  const { judged: all, count } = await validateAll(run, settings, server);
  const isBatch = count > 1 || options.shard !== null;
  const judged = options.shard === null ? all : pickShard(all, options.shard);
  const invalid = judged.flatMap((each) => each.invalid ?? []);
  const valid = judged.flatMap((each) => each.valid ?? []);

  await printFindings(run, judged);
  if (run.options.dryRun === true) {
    if (!isBatch && invalid.length > 0) throw invalidListingError(invalid);
    return printDryRuns(run, valid, isBatch ? invalid : null);
  }
  const startedMs = run.host.nowMs();
  events.started(judged.length, options.shard);
  if (judged.length === 0) run.info('no listing falls into this shard');
  const ends = await runBatch(run, { judged, isFailFast: options.isFailFast, isBatch, events });
  onEnds(ends);
  const exitCode = exitCodeOfBatch(run, ends, isBatch);
  const told = await reportBatch(run, ends, {
    ...{ isBatch, exitCode, startedMs, out: settings.out },
    ...{ shard: options.shard, report: options.report, mayAnnotate: !options.eventsOnStderr },
  });
  const [only] = ends;
  if (!isBatch && only) {
    // What this machine finds valid, only the server does not.
    if (only.invalid !== null) throw invalidListingError([only.invalid], only.verdict.listing && server);
    if (only.error !== null) throw only.error;
  }
  if (run.output.json) printBatch(run, ends, isBatch);
  return told;
}

/** The listings of all words, judged together: also those that another shard makes, since names must not meet. */
async function validateAll(
  run: CommandRun,
  settings: Settings,
  server: string | null,
): Promise<{ judged: JudgedListing[]; count: number }> {
  const options = toTaskOptions(run.options, settings, await musicOption(run, settings));
  const verdicts = await readAll(run);
  // An invalid listing is told whatever the state of the store, so it is opened for valid ones only.
  const hasSound = verdicts.some(({ listing }) => listing !== null);
  const templateIds = hasSound ? await (await run.backend()).templateIds() : [];
  const judged = await validateBatch(verdicts, { options, out: settings.out, templateIds, server });
  return { judged, count: verdicts.length };
}

async function musicOption(run: CommandRun, settings: Settings): Promise<string | undefined> {
  const { music } = settings;
  if (music === undefined) return undefined;
  const { readMusicOption } = await import('./read-music-option.ts');
  const { cwd } = await run.host.machine();
  return readMusicOption(music, { cwd, templatesDirs: templatesDirsOf(settings), signal: run.signal });
}

async function readAll(run: CommandRun): Promise<ListingVerdictOfFile[]> {
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs(run.args, cwd);
  return readListings(inputs, { cwd, stdin: run.terminal.stdin, signal: run.signal });
}

async function toBatchOptions({ options, host }: CommandRun): Promise<BatchOptions> {
  const { cwd } = await host.machine();
  const pathOf = (word: unknown): string | null =>
    typeof word === 'string' ? path.resolve(cwd, word) : null;
  return {
    isFailFast: options.failFast === true,
    shard: (options.shard as Shard | undefined) ?? null,
    report: pathOf(options.report ?? options.reportJunit),
    eventsFile: pathOf(options.eventsFile),
    eventsOnStderr: options.events === 'ndjson',
  };
}

async function openEvents(run: CommandRun, { eventsFile }: BatchOptions): Promise<EventFile | null> {
  if (eventsFile === null) return null;
  await prepareFile(eventsFile, '--events-file');
  return openEventFile(eventsFile, (error) => {
    run.terminal.log(`warning: ${eventsFile} takes no more events (${error.code ?? error.message})`);
  });
}

/** 130 before 3 before 1; 2 when nothing could be started; of one listing alone its own. */
function exitCodeOfBatch(run: CommandRun, ends: readonly ListingResult[], isBatch: boolean): number {
  const isInterrupted = run.signal.aborted;
  const valid = ends.filter(({ invalid }) => invalid === null);
  const codes = valid.flatMap((end) => exitCodeOfEnd(end, isInterrupted) ?? []);
  if (isInterrupted && (codes.length < valid.length || codes.includes(130))) return 130;
  if (ends.length > 0 && valid.length === 0) return 2;
  if (!isBatch) return codes[0] ?? 0;
  if (codes.includes(3)) return 3;
  const isNothingStarted = ends.every(({ task }) => task === null) && codes.every((code) => code === 2);
  if (isNothingStarted && codes.length > 0) return 2;
  return ends.some((end) => end.state !== 'SUCCEEDED' || failureOf(end) !== null) ? 1 : 0;
}

function printBatch(run: CommandRun, ends: readonly ListingResult[], isBatch: boolean): void {
  const data = ends.flatMap(({ file, task }) =>
    task === null
      ? []
      : [
          {
            ...toTaskDocument(task),
            listing_file: file,
            report: reportOf(task),
            ...(run.options.alsoUnbranded === true ? { unbranded: unbrandedOf(task) } : {}),
          },
        ],
  );
  const errors = ends.flatMap(({ file, error }) =>
    error === null ? [] : [{ listing_file: file, ...toErrorDocument(error) }],
  );
  printJson(run.terminal, {
    data,
    has_more: false,
    ...(isBatch ? { invalid: ends.flatMap(({ invalid }) => invalid ?? []) } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** Warnings of every listing, and what is wrong with the invalid ones, on stderr. */
async function printFindings(run: CommandRun, judged: readonly JudgedListing[]): Promise<void> {
  for (const { verdict, invalid } of judged) {
    if (invalid ? run.output.json : run.output.quiet || verdict.warnings.length === 0) continue;
    const shown = invalid
      ? { ...(await withText(verdict)), listing: null, detail: invalid.detail }
      : { ...verdict };
    await logValidation(run, shown, !invalid);
  }
}
