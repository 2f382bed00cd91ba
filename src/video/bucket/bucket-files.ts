/**
 * The result files of a server's tasks in a bucket.
 *
 *     <prefix>/files/<organization>/<task>/<fence>/    the files of one attempt; the task's outcome names those that
 * count
 *
 * Files that an earlier run without a bucket left in the data folder stay there, and are served from there.
 */
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { exists } from '../../platform/disk/folder.ts';
import type { FileOwner, FileStorage } from '../publish/file-storage.ts';
import type { Bucket } from './bucket.ts';
import { openBucketAttempt } from './bucket-attempt.ts';
import { toBucketFault, toRefusalFault } from './bucket-fault.ts';
import { toOutcome } from './observe-request.ts';
import { openObject } from './open-object.ts';
import { retryStorage } from './retry-storage.ts';

/** How long a signed URL opens a file. A player asks the server again for each part that it loads later. */
const URL_EXPIRY_SEC = 15 * 60;
const ABOUT_FILE = new Set([200, 206, 304, 404, 412, 416]);
const REMOVAL_PATIENCE_MS = 3_000;

/** @param local - The files in the data folder. */
export function createBucketFiles(bucket: Bucket, local: FileStorage): FileStorage {
  const prefixOf = (owner: FileOwner) => {
    // Checks the ids.
    local.folderOf(owner);
    return `files/${owner.organizationId}/${owner.taskId}/`;
  };
  const removeAll = async (prefix: string, isRemoved: (key: string) => boolean): Promise<void> => {
    const options = { patienceMs: REMOVAL_PATIENCE_MS };
    const keys = await retryStorage(() => bucket.list(prefix), options);
    for (const key of keys.filter(isRemoved)) await retryStorage(() => bucket.remove(key), options);
  };
  const signed = (method: 'GET' | 'HEAD', key: string) =>
    bucket.signUrl({ method, key, expirySec: URL_EXPIRY_SEC });
  return {
    ...local,
    remoteOrigin: bucket.origin,
    async openAttempt(owner, fence, assertOwned, signal) {
      const staging = await local.openAttempt(owner, fence, assertOwned, signal);
      const keyPrefix = `${prefixOf(owner)}${fence}/`;
      return openBucketAttempt({ bucket, keyPrefix, staging, assertOwned, signal });
    },
    async removeUnused(task) {
      await local.removeUnused(task);
      const { fence, report, ...owner } = task;
      const kept = report === null ? null : path.basename(path.dirname(report));
      // The claim of the first attempt is 1, and its end 2: there was no other attempt, so no list is paid for.
      if (kept === '1' && fence <= 2) return;
      const prefix = prefixOf(owner);
      await removeAll(prefix, (key) => {
        const attempt = key.slice(prefix.length).split('/')[0] ?? '';
        return Number(attempt) < fence && attempt !== kept;
      });
    },
    async remove(owner) {
      await removeAll(prefixOf(owner), () => true);
      // The last, so that a failure before it is repeated with the task.
      await local.remove(owner);
    },
    async findRemote(name) {
      if (await exists(path.join(local.root, name))) return null;
      const key = `files/${name}`;
      return {
        signUrl: async (method) => (await signed(method, key)).href,
        async open(request) {
          try {
            const beganMs = performance.now();
            const answer = await openObject(await signed(request.method, key), request);
            const { statusCode: status = 0 } = answer;
            bucket.onRequest({
              kind: 'get',
              area: 'files',
              outcome: status === 304 ? 'succeeded' : toOutcome(status),
              // Until the answer begins: a client takes the rest at its own pace.
              durationSec: (performance.now() - beganMs) / 1000,
              sentBytes: 0,
              receivedBytes: request.method === 'GET' ? Number(answer.headers['content-length'] ?? 0) : 0,
            });
            if (!ABOUT_FILE.has(status)) {
              answer.destroy();
              throw toRefusalFault(bucket.name, { status, code: null });
            }
            return { status, headers: answer.headers, sha256: sha256Of(answer), body: answer };
          } catch (error) {
            throw toBucketFault(bucket.name, error);
          }
        },
      };
    },
  };
}

/** As `bucket-attempt.ts` stored it. */
function sha256Of({ headers }: IncomingMessage): string | null {
  const value = headers['x-amz-meta-sha256'];
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;
}
