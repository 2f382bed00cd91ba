/** Prints the JSON document of a `create`. */
import { toErrorDocument } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { type ListingResult, taskOf, toInvalidDocument } from '../listings/listing-result.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import { printJson } from '../terminal/print-json.ts';
import type { CreateOptions } from './create-options.ts';

/** Every task with its results; in a batch also what was invalid. */
export function printBatch(
  run: CommandRun<CreateOptions>,
  results: readonly ListingResult[],
  isBatch: boolean,
): void {
  const data = results.flatMap((result) => {
    const task = taskOf(result);
    if (task === null) return [];
    const alsoRatio = task.outcome?.also_ratio;
    const unbranded = run.options.alsoUnbranded === true ? { unbranded: task.outcome?.unbranded ?? [] } : {};
    const report = task.outcome?.report ?? null;
    return [
      {
        ...toTaskDocument(task),
        listing_file: result.source.file,
        report,
        ...(alsoRatio && { also_ratio: alsoRatio }),
        ...unbranded,
      },
    ];
  });
  const invalid = results.flatMap((result) =>
    result.kind === 'invalid' || result.kind === 'rejected' ? [toInvalidDocument(result)] : [],
  );
  const errors = results.flatMap((result) =>
    result.kind === 'failed' ? [{ listing_file: result.source.file, ...toErrorDocument(result.error) }] : [],
  );
  printJson(run.terminal, {
    data,
    has_more: false,
    ...(isBatch ? { invalid } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  });
}
