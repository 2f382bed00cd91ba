/**
 * Brings the photos of a feed to this disk, `<listing>/photos/`: feeds forbid links to theirs. Each appears only when it
 * is whole. One that is there is not fetched again.
 */
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import type { Listing } from '../../../listing/listing.ts';
import type { MlsRecord } from '../../../listing/mls/mls-record.ts';
import { DEFAULT_ASSET_LIMITS, formatBytes } from '../../../media/assets/asset-limits.ts';
import { explainFormat, sniffFormat } from '../../../media/assets/decode/sniff-format.ts';
import {
  type AssetFetcher,
  createAssetFetcher,
  createPhotoClient,
} from '../../../media/assets/fetch-asset.ts';
import { UnusableAsset } from '../../../media/assets/unusable-asset.ts';
import { outputUnwritable } from '../../../platform/disk/disk-error.ts';
import { makeFolder, namesIn } from '../../../platform/disk/folder.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { AddressPolicy } from '../../../platform/network/guard-address.ts';
import {
  backOffMs,
  type NetworkDeps,
  systemNetworkDeps,
} from '../../../platform/network/guarded-connector.ts';
import type { Proxies } from '../../../platform/network/proxies.ts';
import type { CommandRun } from '../../command-run.ts';
import type { BroughtPhotos, PhotoSource } from '../import-records.ts';
import { type FetchedPhoto, localizeListing, urlsOf } from './localize-listing.ts';
import { byStem, mediaByUrl, photoFileName, photoStem } from './photo-name.ts';

const FOLDER = 'photos';
const FOLDER_MODE = 0o777;
/** From all hosts together: each photo is held in memory while it arrives. */
const AT_ONCE = 8;
/** Listings in a row none of whose photos came: the host of the photos is away. */
const MAX_WITHOUT_PHOTOS = 3;

export interface PhotoCounts {
  fetched: number;
  present: number;
  failed: number;
  bytes: number;
}

export interface PhotoStore {
  readonly counts: Readonly<PhotoCounts>;
  readonly bring: PhotoSource;
  close(): Promise<void>;
}

export interface PhotoStoreOptions {
  /** Absolute folder for photos that are not whole yet, on the disk of the listings. */
  readonly staging: string;
  readonly policy: AddressPolicy;
  readonly proxies: Proxies | null;
  /** The token, on the feed's own host. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>;
  /** Called for a property that lacks a photo which can come later. */
  readonly onLacking: (record: MlsRecord) => void;
}

export function openPhotoStore(run: CommandRun, options: PhotoStoreOptions): PhotoStore {
  const { staging, policy, proxies, headersFor, onLacking } = options;
  const { signal, host } = run;
  const limits = DEFAULT_ASSET_LIMITS;
  const network: NetworkDeps = {
    ...systemNetworkDeps,
    backOff: (nextTry, waiting, retryAfterMs) => host.delay(backOffMs(nextTry, retryAfterMs), waiting),
  };
  const client = createPhotoClient({ limits, policy, proxies, network });
  const limit = pLimit(AT_ONCE);
  const counts: PhotoCounts = { fetched: 0, present: 0, failed: 0, bytes: 0 };
  let number = 0;
  let withoutPhotos = 0;

  /** @returns The name of the file. @throws UnusableAsset. */
  const fetchOne = async (
    fetcher: AssetFetcher,
    url: string,
    stem: string,
    folder: string,
  ): Promise<string> => {
    number += 1;
    const aside = path.join(staging, String(number));
    try {
      const { head, sizeBytes } = await fetcher.fetch(url, aside, signal);
      const format = sniffFormat(head);
      if (format.kind !== 'supported') throw new UnusableAsset('not_an_image', explainFormat(format)!);
      const name = photoFileName(stem, format.format);
      await rename(aside, path.join(folder, name));
      counts.fetched += 1;
      counts.bytes += sizeBytes;
      return name;
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  };

  const bring = async (
    record: MlsRecord,
    listing: Listing,
    listingFolder: string,
  ): Promise<BroughtPhotos> => {
    const folder = path.join(listingFolder, FOLDER);
    const media = mediaByUrl(record);
    const urls = urlsOf(listing);
    const names = await namesIn(folder);
    const present = byStem(names);
    if (urls.length > 0) await makeFolder(folder, false, FOLDER_MODE);
    const fetcher = createAssetFetcher({
      ...{ limits, policy, proxies, network, client, headersFor },
      photoCount: urls.length,
    });
    const used = new Set<string>();
    const places = new Map<string, FetchedPhoto>();
    let passing = 0;
    const place = async (url: string): Promise<void> => {
      const stem = photoStem(url, media.get(url)?.record, record);
      const found = present.get(stem);
      try {
        // A power failure can leave an empty file.
        const isWhole = found !== undefined && (await stat(path.join(folder, found))).size > 0;
        const name = isWhole ? found : await fetchOne(fetcher, url, stem, folder);
        if (isWhole) counts.present += 1;
        used.add(name);
        places.set(url, { path: `${FOLDER}/${name}` });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UnusableAsset)) throw error;
        counts.failed += 1;
        if (error.mayPass) passing += 1;
        places.set(url, { problem: error.detail });
      }
    };
    const results = await Promise.allSettled(urls.map((url) => limit(() => place(url))));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined)
      throw failure.reason instanceof ListingVideoError || signal.aborted
        ? failure.reason
        : outputUnwritable(failure.reason, folder);
    if (passing > 0) onLacking(record);
    withoutPhotos = passing > 0 && passing === urls.length ? withoutPhotos + 1 : 0;
    if (withoutPhotos === MAX_WITHOUT_PHOTOS) throw photosAway([...places.values()]);
    const local = localizeListing(listing, places, (url) => media.get(url)?.source ?? null);
    return {
      ...local,
      discardOld: async () => {
        const old = [...present.values()].filter((name) => !used.has(name));
        await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
      },
    };
  };
  return { counts, bring, close: () => client.close() };
}

function photosAway(places: readonly FetchedPhoto[]): ListingVideoError {
  const reasons = places.flatMap((place) => ('problem' in place ? [place.problem] : []));
  return new ListingVideoError(
    'server_unreachable',
    `no photo of ${MAX_WITHOUT_PHOTOS} listings in a row could be fetched: ${reasons[0] ?? 'no reason'}`,
    { hint: 'check the network, then run the same command again: it continues' },
  );
}

/** `2,500 photos fetched (31 MiB), 12 already here, 1 not fetched`. */
export function photoWords({ fetched, present, failed, bytes }: Readonly<PhotoCounts>): string {
  const count = (number: number): string => number.toLocaleString('en');
  const parts = [
    `${count(fetched)} photo${fetched === 1 ? '' : 's'} fetched${fetched === 0 ? '' : ` (${formatBytes(bytes)})`}`,
  ];
  if (present > 0) parts.push(`${count(present)} already here`);
  if (failed > 0) parts.push(`${count(failed)} not fetched`);
  return parts.join(', ');
}
