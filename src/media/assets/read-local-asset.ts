/** Reads an asset from the user's disk: only regular files, which cannot block, and only up to the size limit. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatBytes, formatExcess } from './asset-limits.ts';
import { SNIFF_BYTES } from './decode/sniff-format.ts';
import type { SourceFile } from './fetch-asset.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** True for a URL of the network, also with a scheme that is refused. A `file:` URL and everything else is a path. */
export function isNetworkUrl(url: string): boolean {
  return !/^file:/i.test(url) && /^(https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(url);
}

/**
 * The path that `url` names, or null for a network URL.
 *
 * A `file:` URL and everything without `scheme://` are paths; relative ones resolve against `baseDir`.
 *
 * @throws {@link UnusableAsset} `blocked_address` when `baseDir` is null, `unreachable` when it is not a valid path.
 */
export function toLocalPath(url: string, baseDir: string | null): string | null {
  if (isNetworkUrl(url)) return null;
  if (baseDir === null) throw new UnusableAsset('blocked_address', 'local files are not allowed here');
  if (url.includes('\0') || url === '') throw new UnusableAsset('unreachable', 'not a file name');
  if (!/^file:/i.test(url)) return resolve(baseDir, url);
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new UnusableAsset('unreachable', 'not the URL of a local file', { cause });
  }
}

/** As {@link toLocalPath}, but null also for a URL that names no file. */
export function localPathOf(url: string, baseDir: string | null): string | null {
  try {
    return toLocalPath(url, baseDir);
  } catch (error) {
    if (error instanceof UnusableAsset) return null;
    throw error;
  }
}

/**
 * Opens a local file and reads its size and hash. The file is not copied.
 *
 * @throws {@link UnusableAsset} `unreachable` or `too_large`.
 */
export async function readLocalAsset(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<SourceFile> {
  const file = await openRegularFile(path);
  try {
    const hash = createHash('sha256');
    const head: Buffer[] = [];
    let sizeBytes = 0;
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      if (sizeBytes < SNIFF_BYTES) head.push(Buffer.from(chunk.subarray(0, SNIFF_BYTES - sizeBytes)));
      hash.update(chunk);
      sizeBytes += bytesRead;
      if (sizeBytes > maxBytes) {
        const { size } = await file.stat();
        throw new UnusableAsset('too_large', formatExcess(size, maxBytes, formatBytes));
      }
    }
    return { path, sizeBytes, sha256: hash.digest('hex'), head: Buffer.concat(head) };
  } catch (cause) {
    throw explain(cause);
  } finally {
    await file.close();
  }
}

/**
 * The first {@link SNIFF_BYTES} bytes of a local file, or all of a shorter one.
 *
 * @throws {@link UnusableAsset} `unreachable`.
 */
export async function readLocalHead(path: string): Promise<Buffer> {
  const file = await openRegularFile(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw explain(cause);
  } finally {
    await file.close();
  }
}

async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    // Checked before opening, because opening some devices has effects, and again after, because the file can have
    // changed. With O_NONBLOCK a FIFO without a writer does not block.
    requireRegular(await stat(path));
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      requireRegular(await file.stat());
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (cause) {
    throw explain(cause);
  }
}

function requireRegular(stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isDirectory()) throw new UnusableAsset('unreachable', 'a folder, not a file');
  if (!stats.isFile()) throw new UnusableAsset('unreachable', 'not a regular file');
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  ENOTDIR: 'file not found',
  EACCES: 'no permission to read the file',
  EPERM: 'no permission to read the file',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the file name is too long',
};

function explain(cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (cause instanceof UnusableAsset || code === undefined || typeof code !== 'string') return cause;
  return new UnusableAsset('unreachable', EXPLANATIONS[code] ?? `the file cannot be read (${code})`, {
    cause,
  });
}
