/** Uploads the files of this machine that a listing names, without those that an interrupted command has uploaded. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Listing, Violation } from '../../listing/listing.ts';
import { listLocalFiles } from '../../listing/rules/find-local-files.ts';
import { valueError } from '../../listing/rules/violation.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { type LocalImage, type LocalImages, readLocalImage } from '../../video/uploads/read-local-image.ts';
import type { ApiClient } from './api-client.ts';
import type { TaskRequest } from './request-body.ts';
import type { ResumeState, UploadedFile } from './resume-state.ts';

/** An upload that ends sooner is not used: its task must still be accepted. */
const MIN_LIFE_MS = 3_600_000;

/**
 * Reads every file of this machine that the listing names.
 *
 * @throws {@link ListingVideoError} `invalid_listing` with a violation for each that is no photo.
 */
export async function readLocalImages(
  listing: Listing,
  baseDir: string | null,
  { server, signal }: { readonly server: string; readonly signal: AbortSignal },
): Promise<LocalImages> {
  const images = new Map<string, LocalImage>();
  const problems = new Map<string, string>();
  for (const url of new Set(listLocalFiles(listing).map((file) => file.url))) {
    const image = await readLocalImage(url, baseDir, signal);
    if (typeof image === 'string') problems.set(url, image);
    else images.set(url, image);
  }
  if (problems.size > 0) throw unusableFiles(listing, problems, server);
  return images;
}

export interface UploadRequest extends Pick<TaskRequest, 'listing' | 'images'> {
  readonly server: string;
  readonly client: Pick<ApiClient, 'uploadAsset'>;
  readonly resumeState: Pick<ResumeState, 'read' | 'write'>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** Called with the share that is sent, 0 to 1, before the first file and after each; not without files to send. */
  readonly onUploaded: (share: number) => void;
}

/**
 * Uploads what the server does not have yet.
 *
 * @returns URLs at the server by the paths in the listing. `isNew`: an earlier command has not uploaded them all.
 * @throws {@link ListingVideoError} `invalid_listing` with a violation for each file that the server cannot use, and
 *   the errors of the client.
 */
export async function uploadFiles(request: UploadRequest) {
  const { listing, images, server, client, resumeState, nowMs, signal, onUploaded } = request;
  const isUsable = (upload: UploadedFile) =>
    upload.server === server && upload.expiresMs - nowMs > MIN_LIFE_MS;
  const { uploads: earlier } = await resumeState.read();
  const uploads = new Map(earlier.filter(isUsable).map((upload) => [upload.sha256, upload]));
  const bySha256 = new Map([...images].map(([url, image]) => [image.sha256, { url, image }] as const));
  const missing = [...bySha256.values()].filter(({ image }) => !uploads.has(image.sha256));
  if (missing.length > 0) onUploaded(0);
  let sent = 0;
  const problems = new Map<string, string>();
  let saved: Promise<void> = Promise.resolve();
  const failed = new AbortController();
  const sendOne = async (url: string, image: LocalImage): Promise<void> => {
    const read = () => {
      // The others would fail too, or wait for nothing.
      failed.signal.throwIfAborted();
      return readUnchanged(image);
    };
    const stored = await client.uploadAsset(read, signal);
    sent += 1;
    onUploaded(sent / missing.length);
    if (typeof stored === 'string') {
      problems.set(url, stored);
      return;
    }
    uploads.set(image.sha256, { server, sha256: image.sha256, ...stored });
    saved = saved.then(() => resumeState.write({ uploads: [...uploads.values()] }));
    await saved;
  };
  const sending = missing.map(({ url, image }) =>
    sendOne(url, image).catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(sending);
  failed.signal.throwIfAborted();
  if (problems.size > 0) throw unusableFiles(listing, problems, server);
  const urls = [...images].map(([url, { sha256 }]) => [url, uploads.get(sha256)!.url] as const);
  return { uploads: [...uploads.values()], urls: new Map(urls), isNew: missing.length > 0 };
}

/** @throws {@link ListingVideoError} `input_unreadable` for a file that was changed since it was read. */
async function readUnchanged({ path, sha256 }: LocalImage): Promise<Buffer> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new ListingVideoError('input_unreadable', `${path} was changed while the command ran`, {
    hint: 'run the same command again',
    context: { file: path },
  });
}

function unusableFiles(
  listing: Listing,
  problems: ReadonlyMap<string, string>,
  server: string,
): ListingVideoError {
  const violations = listLocalFiles(listing).flatMap(({ place, url }): Violation[] => {
    const problem = problems.get(url);
    if (problem === undefined) return [];
    return [valueError(['body', ...place], url, `${url} cannot be used: ${problem}`)];
  });
  return new ListingVideoError('invalid_listing', `${server} cannot use files of the listing`, {
    context: { server, violations },
  });
}
