/** Shows on stderr how each listing gets on, and how it ended. */
import { logValidation } from '../../listings/format-validation.ts';
import { logError, logWarning, showEndedTask } from '../../tasks/log-task.ts';
import { onInterrupt } from '../../terminal/interrupts.ts';
import type { CreateDeps, CreateRequest } from '../create-request.ts';
import { describeWait } from '../next-listing.ts';
import { createProgressView, type ProgressView } from './progress-views.ts';
import type { ListingChange, Reporter } from './reporter.ts';

type Ended = Extract<ListingChange, { readonly kind: 'ended' }>;

export function progressReporter(
  { reading: { cwd }, settings: { pictures } }: CreateRequest,
  { printer, signal, nowMs }: CreateDeps,
): Reporter {
  const { terminal, output, info } = printer;
  const begun = new Map<string, Promise<void>>();
  let view: ProgressView | null = null;
  let isBatch = false;
  let warnings: BatchWarnings | null = null;
  let release = (): void => {};

  const begin = (file: string): Promise<void> => {
    const known = begun.get(file) ?? Promise.resolve(view?.begin(file));
    begun.set(file, known);
    return known;
  };
  const logEnd = async ({ result, report }: Ended): Promise<void> => {
    const { file } = result.source;
    if (result.kind === 'failed') {
      // The error of a single listing ends the command, which prints it then.
      if (isBatch) logError(printer, file, result.error);
    } else if (result.kind === 'rejected') {
      // Its warnings were logged before it was sent.
      if (!output.json)
        await logValidation(terminal, { ...result, source: { ...result.source, warnings: [] } });
    } else if ('task' in result) {
      const warn = warnings === null ? undefined : (warning: string) => warnings?.add(file, warning);
      await showEndedTask(printer, result.task, { label: file, report, warn, cwd, pictures });
    }
  };
  return {
    async start(batch) {
      const total = batch.listings.filter(({ kind }) => kind === 'ready').length;
      isBatch = batch.isBatch;
      if (total === 0) return;
      view = await createProgressView(terminal, { total, isQuiet: output.quiet, nowMs });
      release = onInterrupt({ signal, info }, () => view?.stop());
      if (isBatch && !output.verbose) warnings = new BatchWarnings();
    },
    async change(change) {
      if (view === null) return;
      if (change.kind === 'ended') {
        const { kind, source } = change.result;
        // What is wrong with an invalid listing was logged before.
        if (kind !== 'invalid') await view.end(source.file, kind === 'succeeded', () => logEnd(change));
        return;
      }
      const { file } = change.listing.source;
      if (change.kind === 'waiting') view.log(describeWait(change.listing, change.holder));
      else if (change.kind === 'progress') view.update(file, change.progress);
      else if (change.kind === 'accepted') await begin(file);
      else if (change.kind === 'sending' && terminal.canAnimate) {
        await begin(file);
        view.update(file, change.progress);
      }
    },
    finish() {
      release();
      view?.stop();
      for (const sentence of warnings?.sentences() ?? []) logWarning(printer, sentence);
    },
  };
}

/** So many kinds are kept: a warning can quote a listing. */
const MAX_KINDS = 200;

/** The warnings of a batch, each kind once: two hundred alike would hide the one that matters. */
class BatchWarnings {
  /** Per kind its first message, and all files. */
  readonly #kinds = new Map<string, { readonly message: string; readonly files: Set<string> }>();

  /** @param file - Names the listing. */
  add(file: string, message: string): void {
    // Without the names of files and agents: `the caption of photo 1 is not shown`.
    const kind = message.replace(/(\bphoto \d+) \([^)]*\)/g, '$1');
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.files.add(file);
    else if (this.#kinds.size < MAX_KINDS) this.#kinds.set(kind, { message, files: new Set([file]) });
  }

  /** One sentence for each kind: the most frequent first. */
  sentences(): string[] {
    const sorted = [...this.#kinds].sort(([, a], [, b]) => b.files.size - a.files.size);
    return sorted.map(([kind, { message, files }]) =>
      files.size === 1 ? `${[...files][0]}: ${message}` : `${files.size} listings: ${kind}`,
    );
  }
}
