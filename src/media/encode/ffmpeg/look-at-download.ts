/**
 * Asks the host of a download for its size, before anybody agrees to it. A network without the host is noticed here.
 */

import { explainNetworkError } from '../../../platform/network/explain-network-error.ts';
import { systemNetworkDeps } from '../../../platform/network/guarded-connector.ts';
import { createHttpClient } from '../../../platform/network/http-client.ts';
import { openAnswer } from '../../../platform/network/open-answer.ts';
import type { Proxies } from '../../../platform/network/proxies.ts';
import { type FfmpegDownload, notInstalled, shownUrl } from './ffmpeg-package.ts';

export interface DownloadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly proxies: Proxies | null;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

/**
 * @returns Bytes of the download; null when the host does not say.
 * @throws {@link ListingVideoError} `ffmpeg_not_installed`; the signal's reason.
 */
export async function sizeOfDownload(
  { url }: FfmpegDownload,
  { proxies, signal }: DownloadOptions,
): Promise<number | null> {
  const client = createHttpClient({
    policy: { allowPrivate: true, allowFrom: [] },
    proxies,
    connectTimeoutMs: 10_000,
    network: systemNetworkDeps,
  });
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { status, headers, discard } = await openAnswer({
        sender: client.senderFor(at),
        method: 'HEAD',
        url: at,
        headers: { 'user-agent': 'listing-video' },
        signal: limited,
      });
      discard();
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        at = followed(headers.location, at);
        continue;
      }
      if (status >= 400)
        throw notInstalled(`${at.host} answers with HTTP status ${status} for ${shownUrl({ url })}`);
      const length = Number(headers['content-length'] ?? 0);
      return length > 0 ? length : null;
    }
    throw notInstalled(`${url.host} redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    signal.throwIfAborted();
    const reason = limited.aborted ? 'no answer' : explainNetworkError(error)?.detail;
    if (reason === undefined) throw error;
    throw notInstalled(
      `${url.host} cannot be reached: ${reason}`,
      'behind a proxy set HTTPS_PROXY, and for certificates of your office NODE_EXTRA_CA_CERTS',
      error,
    );
  } finally {
    await client.close();
  }
}

/** @throws {@link ListingVideoError} `ffmpeg_not_installed` for an address that no browser would follow either. */
function followed(location: string, from: URL): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to !== null && /^https?:$/.test(to.protocol)) return to;
  throw notInstalled(`${from.host} redirects to an address that is no http or https URL`);
}
