/** The JSON document of a `create`: every task with its results; in a batch also what was invalid. */
import { toErrorDocument } from '../../cli-error.ts';
import type { Printer } from '../../command-run.ts';
import { type ListingResult, taskOf, toInvalidDocument } from '../../listings/listing-result.ts';
import { toTaskDocument } from '../../tasks/task-document.ts';
import { printJson } from '../../terminal/print-json.ts';
import type { CreateRequest } from '../create-request.ts';
import type { Reporter } from './reporter.ts';

export function jsonReporter({ options }: CreateRequest, { terminal }: Printer): Reporter {
  const hasUnbranded = options.alsoUnbranded === true;
  return {
    finish({ listings, isBatch, isComplete, error }) {
      // With an error the document is that of the error.
      if (!isComplete || error !== null) return;
      const data = listings.flatMap((result) => toDocument(result, hasUnbranded));
      const invalid = listings.flatMap((result) =>
        result.kind === 'invalid' || result.kind === 'rejected' ? [toInvalidDocument(result)] : [],
      );
      const errors = listings.flatMap((result) =>
        result.kind === 'failed'
          ? [{ listing_file: result.source.file, ...toErrorDocument(result.error) }]
          : [],
      );
      printJson(terminal, {
        data,
        has_more: false,
        ...(isBatch ? { invalid } : {}),
        ...(errors.length > 0 ? { errors } : {}),
      });
    },
  };
}

function toDocument(result: ListingResult, hasUnbranded: boolean): object[] {
  const task = taskOf(result);
  if (task === null) return [];
  const { also_ratio: alsoRatio, also_for: alsoFor, unbranded = [], report = null } = task.outcome ?? {};
  return [
    {
      ...{ ...toTaskDocument(task), listing_file: result.source.file, report },
      ...(alsoRatio && { also_ratio: alsoRatio }),
      ...(alsoFor && { also_for: alsoFor }),
      ...(hasUnbranded ? { unbranded } : {}),
    },
  ];
}
