/**
 * The result files of a server's tasks, and which of them clients can request. The server sends them.
 *
 *     <home>/files/<organization>/<task>/<fence>/    files of one attempt; the task's outcome names those that count
 *     <home>/files/.staging/                         files that are being written
 */
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { removeAbandoned, removeEarlierAttempts } from '../../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { UNGUESSABLE_NAME } from '../plan/name-files.ts';
import { workRoot } from '../work-folder.ts';
import { openAttemptFolder } from './attempt-folder.ts';
import type { OutputFolder } from './output-folder.ts';
import { readReportFile } from './read-report.ts';
import { REPORT_NAME, type ReportFile } from './report.ts';

export interface FileOwner {
  readonly organizationId: string;
  readonly taskId: string;
}

export interface EndedTask extends FileOwner {
  /** Of the record that ended the task. Attempts that began later belong to a retry. */
  readonly fence: number;
  /** Path of report.json in the task's outcome; null for a task without results. */
  readonly report: string | null;
}

export interface FileStorage {
  readonly root: string;
  /** Absolute; each attempt publishes into a folder in it. @throws {@link ListingVideoError} `store_corrupt`. */
  folderOf(owner: FileOwner): string;
  /**
   * Opens the folder of one attempt at a task.
   *
   * @param assertOwned - Rejects when another process has taken the task.
   * @param signal - Ends an upload.
   * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
   */
  openAttempt(
    owner: FileOwner,
    fence: number,
    assertOwned: () => Promise<void>,
    signal?: AbortSignal,
  ): Promise<OutputFolder>;
  /**
   * Removes the files of all attempts that began before the task ended, except those of its outcome, and what those
   * attempts left half made on this disk: their process can have died on a machine that nobody can ask.
   */
  removeUnused(task: EndedTask): Promise<void>;
  removeAbandoned(): Promise<void>;
  /**
   * The path below `root`, with slashes, of a URL path after `/files/`. Null for files that are not public: other
   * names, other depths, reports.
   */
  locate(urlPath: string): string | null;
  /**
   * Size and SHA-256 of a file, from its task's report; null when no report lists it.
   *
   * @param name - As {@link FileStorage.locate} returns it.
   */
  describe(name: string): Promise<ReportFile | null>;
  remove(owner: FileOwner): Promise<void>;
  /**
   * Where a file is that is not below `root`; null for one that is. Absent: all files are below `root`.
   *
   * @param name - As {@link FileStorage.locate} returns it.
   */
  findRemote?(name: string): Promise<RemoteFile | null>;
  /** Origin of the URLs of such files. */
  readonly remoteOrigin?: string;
}

export interface RemoteFile {
  /** A URL that opens the file for 15 minutes, for everyone who has it. */
  signUrl(method: 'GET' | 'HEAD'): Promise<string>;
  /**
   * Opens the file, or a part of it. The status is 200, 206, 304, 404, 412 or 416. Read the body, or destroy it.
   *
   * @throws {@link ListingVideoError} `storage_unavailable`.
   */
  open(request: {
    readonly method: 'GET' | 'HEAD';
    /** Range and conditions. */
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<OpenedFile>;
}

export interface OpenedFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the whole file, hex; null if it is unknown. */
  readonly sha256: string | null;
  readonly body: Readable;
}

/** Ids of organizations and tasks: such a name cannot leave its folder and is not hidden. */
const SEGMENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const FENCE = /^[1-9][0-9]{0,8}$/;

/** @throws {@link ListingVideoError} For an edited record: another name could be that of a folder of others. */
function requireIds({ organizationId, taskId }: FileOwner): void {
  if (SEGMENT.test(organizationId) && SEGMENT.test(taskId)) return;
  const id = JSON.stringify(organizationId);
  throw new ListingVideoError(
    'store_corrupt',
    `task ${taskId} belongs to the organization ${id}, which is no id`,
    {
      hint: 'restore the record of the task from a backup; other tasks are not affected',
      context: { id: taskId },
    },
  );
}

/** Touches nothing until it is used. */
export function createFileStorage(home: string): FileStorage {
  const root = path.join(home, 'files');
  const stagingRoot = path.join(root, '.staging');
  const reports = cacheReports(root);
  const folderOf = (owner: FileOwner): string => {
    requireIds(owner);
    return path.join(root, owner.organizationId, owner.taskId);
  };
  return {
    root,
    folderOf,
    openAttempt: (owner, fence, assertOwned) =>
      openAttemptFolder({
        folder: path.join(folderOf(owner), String(fence)),
        stagingRoot,
        attempt: { taskId: owner.taskId, fence },
        assertOwned,
      }),
    async removeUnused({ fence, report, ...owner }) {
      const folder = folderOf(owner);
      const kept = report === null ? null : path.basename(path.dirname(report));
      for (const name of await readdir(folder).catch(() => [])) {
        if (FENCE.test(name) && Number(name) < fence && name !== kept)
          await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
      }
      if (kept === null) await rmdir(folder).catch(() => {});
      for (const unfinished of [stagingRoot, workRoot(home)])
        await removeEarlierAttempts(unfinished, { taskId: owner.taskId, fence });
    },
    removeAbandoned: () => removeAbandoned(stagingRoot),
    locate: (urlPath) => {
      const parts = urlPath.split('/');
      const [organizationId = '', taskId = '', fence = ''] = parts;
      const isPlace = parts.length === 3 || (parts.length === 4 && FENCE.test(fence));
      const isTask = SEGMENT.test(organizationId) && SEGMENT.test(taskId);
      return isPlace && isTask && UNGUESSABLE_NAME.test(parts.at(-1)!) ? urlPath : null;
    },
    describe: async (name) =>
      (await reports(path.posix.dirname(name))).get(path.posix.basename(name)) ?? null,
    remove: (owner) => rm(folderOf(owner), { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Tasks whose files are downloaded at the same time; players request a file piece by piece. */
const MAX_REPORTS = 64;

/** The files of a task's report by name. A report contains stills, so it is not read at every range of a video. */
function cacheReports(root: string): (folder: string) => Promise<ReadonlyMap<string, ReportFile>> {
  const known = new Map<string, { mtimeMs: number; files: ReadonlyMap<string, ReportFile> }>();
  return async (folder) => {
    const report = path.join(root, folder, REPORT_NAME);
    try {
      const { mtimeMs } = await stat(report);
      const cached = known.get(folder);
      if (cached?.mtimeMs === mtimeMs) return cached.files;
      const { videos = [] } = await readReportFile(report);
      const described = videos.flatMap(({ video, poster, preview }) => [video, poster, preview]);
      const files = new Map(described.flatMap((file) => (file === null ? [] : [[file.file, file] as const])));
      known.delete(folder);
      known.set(folder, { mtimeMs, files });
      const [oldest] = known.keys();
      if (known.size > MAX_REPORTS && oldest !== undefined) known.delete(oldest);
      return files;
    } catch {
      // Without a readable report the file is still served, without digest.
      return new Map();
    }
  };
}
