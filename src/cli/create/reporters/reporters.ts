/** The list of all outputs of `create`, and how they are called. */
import type { ListingVideoError } from '../../../platform/errors.ts';
import { toListingVideoError } from '../../cli-error.ts';
import type { Printer } from '../../command-run.ts';
import { exitCodeOfListings } from '../../exit-code.ts';
import { type AnnotationPlaces, toAnnotations } from '../../listings/github-annotations.ts';
import { logError } from '../../tasks/log-task.ts';
import type { CreateDeps, CreateRequest } from '../create-request.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { manifestReporter } from './manifest-file.ts';
import { progressReporter } from './progress.ts';
import type { Batch, BatchEnd, ListingChange, Reporter } from './reporter.ts';
import { summaryReporter } from './summary.ts';

/** In the order in which they finish. The events, which begin earlier, come last. */
export function createReporters(request: CreateRequest, deps: CreateDeps): Reporter[] {
  const { json, report, annotations } = request.outputs;
  if (request.isDryRun) return [];
  return [
    progressReporter(request, deps),
    ...(json ? [] : [summaryReporter(deps.printer)]),
    ...(report === null ? [] : [junitReporter(report)]),
    manifestReporter(request, deps),
    ...(annotations === null ? [] : [annotationsReporter(annotations, deps.printer)]),
    ...(json ? [jsonReporter(request, deps.printer)] : []),
  ];
}

function annotationsReporter(places: AnnotationPlaces, { terminal }: Printer): Reporter {
  return {
    finish({ listings, isComplete }) {
      if (!isComplete) return;
      for (const line of toAnnotations(listings, places)) terminal.command(line);
    },
  };
}

/** How a run of `create` ends. */
export interface Ending extends Batch {
  readonly error: ListingVideoError | null;
  readonly isInterrupted: boolean;
}

/** Calls each reporter. */
export class Reporters {
  #reporters: readonly Reporter[];
  #startedMs: number;
  #isFinished = false;
  readonly #nowMs: () => number;
  readonly #printer: Printer;

  /** @param first - Reporters that hear also of errors before the listings are read. */
  constructor(first: readonly Reporter[], { nowMs, printer }: Pick<CreateDeps, 'nowMs' | 'printer'>) {
    this.#reporters = first;
    this.#nowMs = nowMs;
    this.#printer = printer;
    this.#startedMs = nowMs();
  }

  /** Adds reporters before the others. */
  prepend(reporters: readonly Reporter[]): void {
    this.#reporters = [...reporters, ...this.#reporters];
  }

  async start(batch: Batch): Promise<void> {
    this.#startedMs = this.#nowMs();
    // The last one has the events: a program that follows them hears of the start before anything can fail.
    for (const reporter of this.#reporters.toReversed()) await reporter.start?.(batch);
  }

  async change(change: ListingChange): Promise<void> {
    await Promise.all(this.#reporters.map((reporter) => reporter.change?.(change)));
  }

  /** All listings have ended. @returns The exit code. */
  async finish(ending: Ending): Promise<number> {
    const writeErrors: ListingVideoError[] = [];
    const exitCode = (): number => {
      const facts = { isBatch: ending.isBatch, isInterrupted: ending.isInterrupted, isRendered: true };
      return ending.error?.exitCode ?? exitCodeOfListings(ending.listings, { ...facts, writeErrors });
    };
    await this.#finish(ending, true, exitCode, (error, { file = 'output' }) => {
      logError(this.#printer, file, error);
      writeErrors.push(error);
    });
    return exitCode();
  }

  /** The command has failed. Its error says more than those of the reporters; nothing happens after {@link finish}. */
  async fail(ending: Ending & { readonly error: ListingVideoError }): Promise<void> {
    if (!this.#isFinished)
      await this.#finish(
        ending,
        false,
        () => ending.error.exitCode,
        () => {},
      );
  }

  async #finish(
    ending: Ending,
    isComplete: boolean,
    exitCode: () => number,
    onError: (error: ListingVideoError, reporter: Reporter) => void,
  ): Promise<void> {
    this.#isFinished = true;
    const startedMs = this.#startedMs;
    const durationSec = Math.max(0, this.#nowMs() - startedMs) / 1000;
    for (const reporter of this.#reporters) {
      const end: BatchEnd = { ...ending, isComplete, startedMs, durationSec, exitCode: exitCode() };
      try {
        await reporter.finish?.(end);
      } catch (thrown) {
        onError(toListingVideoError(thrown), reporter);
      }
    }
  }
}
