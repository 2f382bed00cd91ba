/**
 * Where a server keeps the files of its tasks, and which of them the web may have: one folder per task below one per
 * organization, in `<home>/files`. How a file is sent is the server's affair.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { UNGUESSABLE_NAME } from '../plan/name-files.ts';
import { REPORT_NAME } from './publish-videos.ts';
import type { Report, ReportFile } from './report.ts';

/** Whose files, and which task's. Both are names of our own making, fit for a path. */
export interface FileOwner {
  readonly organizationId: string;
  readonly taskId: string;
}

export interface FileStorage {
  /** Absolute folder of all files. */
  readonly root: string;
  /** Absolute folder that the task publishes into. */
  folderOf(owner: FileOwner): string;
  /**
   * The path below `root`, with slashes, that a URL path names (what follows `/files/`); null for anything that was never
   * meant for the web: other names, other depths, reports.
   */
  locate(urlPath: string): string | null;
  /**
   * Size and SHA-256 of a file as its task's report has them; null when there is no report, or it does not know the file.
   *
   * @param name - As {@link FileStorage.locate} returns it.
   */
  describe(name: string): Promise<ReportFile | null>;
  /** The tasks that have a folder here, whether they still exist or not. */
  owners(): AsyncGenerator<FileOwner, void>;
  /** Removes a task's folder with all that is in it. */
  remove(owner: FileOwner): Promise<void>;
}

/** A file name that cannot lead out of its folder nor hide: what organizations and tasks are called. */
const SEGMENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Touches nothing until it is used. */
export function createFileStorage(home: string): FileStorage {
  const root = path.join(home, 'files');
  const reports = rememberReports(root);
  const folderOf = ({ organizationId, taskId }: FileOwner): string => {
    if (!SEGMENT.test(organizationId) || !SEGMENT.test(taskId)) {
      throw new TypeError('the names of an organization and a task must be fit for a path');
    }
    return path.join(root, organizationId, taskId);
  };
  return {
    root,
    folderOf,
    locate: (urlPath) => {
      const [organizationId = '', taskId = '', name = '', ...rest] = urlPath.split('/');
      const isMeant =
        rest.length === 0 &&
        SEGMENT.test(organizationId) &&
        SEGMENT.test(taskId) &&
        UNGUESSABLE_NAME.test(name);
      return isMeant ? `${organizationId}/${taskId}/${name}` : null;
    },
    async describe(name) {
      const files = await reports(path.posix.dirname(name));
      return files.get(path.posix.basename(name)) ?? null;
    },
    async *owners() {
      for (const organizationId of await namesIn(root)) {
        for (const taskId of await namesIn(path.join(root, organizationId))) {
          yield { organizationId, taskId };
        }
      }
    },
    remove: (owner) => rm(folderOf(owner), { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && SEGMENT.test(entry.name)).map(({ name }) => name);
}

/** Tasks whose files are asked for at the same time, as by players that fetch them piece by piece. */
const MOST_REPORTS = 64;

interface RememberedReport {
  readonly mtimeMs: number;
  readonly files: ReadonlyMap<string, ReportFile>;
}

/** The files of a task's report by name. A report holds stills and is read once, not at every range of a film. */
function rememberReports(root: string): (folder: string) => Promise<ReadonlyMap<string, ReportFile>> {
  const known = new Map<string, RememberedReport>();
  return async (folder) => {
    const report = path.join(root, folder, REPORT_NAME);
    try {
      const { mtimeMs } = await stat(report);
      const remembered = known.get(folder);
      if (remembered?.mtimeMs === mtimeMs) return remembered.files;
      const { videos } = JSON.parse(await readFile(report, 'utf8')) as Report;
      const files = videos.flatMap(({ video, poster, preview }) => [video, poster, preview]);
      const named = files.flatMap((file) => (file === null ? [] : [[file.file, file] as const]));
      known.delete(folder);
      known.set(folder, { mtimeMs, files: new Map(named) });
      const [oldest] = known.keys();
      if (known.size > MOST_REPORTS && oldest !== undefined) known.delete(oldest);
      return new Map(named);
    } catch {
      // No report yet, or none that can be read: the file is served all the same.
      return new Map();
    }
  };
}
