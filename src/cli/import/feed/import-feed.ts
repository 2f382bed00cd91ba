/** The work of `import reso --url`: a feed is read to its end, or to where it is interrupted, and its photos with it. */
import path from 'node:path';
import { countWords } from '../../../listing/words/count-words.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { filePolicy } from '../../../platform/network/transport.ts';
import { lockFolder } from '../../../video/publish/folder-lock.ts';
import { proxiesOfUser } from '../../../wiring/choose-proxies.ts';
import { usageError } from '../../cli-error.ts';
import { finishImport, openTarget, readFilter } from '../import-options.ts';
import { importRecords } from '../import-records.ts';
import { type ResoRun, readResoContext } from '../reso-context.ts';
import { parseFeedUrl } from './feed-address.ts';
import { openFeedClient } from './feed-client.ts';
import { cursorFolder, type FeedCursor, readCursor, writeCursor } from './feed-cursor.ts';
import { FeedProgress } from './feed-progress.ts';
import { openPhotoStore, photoWords } from './photo-store.ts';
import { planReading, readSince } from './plan-reading.ts';
import { readFeed } from './read-feed.ts';
import { readToken } from './read-token.ts';

/** @throws ListingVideoError. */
export async function importFeed(run: ResoRun): Promise<number> {
  const { host, options } = run;
  if (options.ndjson !== undefined)
    throw usageError('--url cannot be combined with --ndjson: photos need a folder', 'use --out');
  const url = parseFeedUrl(options.url!);
  const token = readToken(options.tokenEnv, host.env);
  const filter = readFilter(options);
  const wanted = readSince(options.since, url);
  const proxies = proxiesOfUser(await run.settings(), host.env);
  const context = await readResoContext(run, []);
  const target = await openTarget(run, true);
  const { cwd } = await host.machine();
  const folder = cursorFolder(path.resolve(cwd, options.out), url, filter);
  const lock = await lockFolder(folder, null).catch(inUse);
  const client = openFeedClient(run, { origin: url.origin, token, proxies });
  try {
    const cursor = await readCursor(folder);
    const plan = planReading(cursor, wanted, host.nowMs());
    for (const line of plan.words) run.info(line);
    const progress = new FeedProgress(plan.since, plan.unfinished);
    const photos = openPhotoStore(run, {
      ...{ staging: lock.path, proxies, headersFor: client.headersFor },
      policy: filePolicy(url),
      onLacking: (record) => progress.hold(record),
    });
    let after = cursor;
    let isRead = false;
    const commit = async (unfinished: FeedCursor['unfinished']): Promise<void> => {
      await lock.assertHeld();
      after =
        unfinished === null
          ? { since: plan.nextSince(progress.nextSince()), unfinished }
          : { ...cursor, unfinished };
      await writeCursor(folder, url, after);
      isRead = unfinished === null;
    };
    const records = readFeed({
      ...{ client, url, progress, commit, info: run.info, nowMs: host.nowMs },
      since: plan.since,
      continueAt: plan.unfinished?.next ?? null,
    });
    const facts = (): object => ({
      feed: {
        ...{ pages: progress.pages, requests: client.requests, properties: progress.properties },
        ...{ photos: photos.counts, since: plan.since, next_since: after.since },
        is_continued: plan.unfinished !== null,
      },
    });
    try {
      const entries = importRecords(run, records, { filter, context, target, photos: photos.bring });
      return await finishImport(run, target, entries, facts);
    } finally {
      await photos.close();
      const goesOn = isRead ? '' : '; run the same command again: it continues';
      const read = `${countWords(progress.pages, 'page')} in ${countWords(client.requests, 'request')}`;
      run.info(`${read}; ${photoWords(photos.counts)}${goesOn}`);
    }
  } finally {
    client.close();
    await lock.close();
  }
}

/** @throws ListingVideoError `output_locked` with the words for an import. */
function inUse(error: unknown): never {
  if (!(error instanceof ListingVideoError) || error.code !== 'output_locked') throw error;
  const { pid } = error.context ?? {};
  throw new ListingVideoError(
    'output_locked',
    `${typeof pid === 'number' ? `process ${pid}` : 'another process'} is importing this feed into the same folder right now`,
    {
      cause: error,
      hint: 'wait until it is done, or choose another folder with --out',
      context: error.context,
    },
  );
}
