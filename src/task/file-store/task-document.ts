/** `task.json`: one document per task. */
import { dirname } from 'node:path';
import { readDocument } from '../../disk/json-document.ts';
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { parseTaskRecord } from './task-record.ts';

/** The stored record, or null when there is no file. @throws {@link ListingVideoError} `store_corrupt`. */
export function readTaskDocument(path: string, id: string): Promise<TaskRecord | null> {
  return readDocument(path, {
    parse(text) {
      const parsed = parseTaskRecord(text, id);
      if ('problem' in parsed) throw storeCorrupt(id, path, parsed.problem);
      return parsed.task;
    },
    corrupt: (problem, cause) => storeCorrupt(id, path, problem, cause),
  });
}

/** The error for a task that cannot be read; it never concerns the others. */
export function storeCorrupt(id: string, path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    cause,
    hint: `Every other task is unaffected. Put the file back from a backup, or move the folder ${dirname(path)} away.`,
    context: { id, path, problem },
  });
}
