/**
 * Makes file names from ids that clients choose. Pure: it does not check whether a name is taken on disk.
 *
 * A name is safe on Linux, macOS and Windows, is readable, and belongs to exactly one id. An id that is a safe name
 * stays unchanged. Other ids are cleaned and get `~` and a short hash. Cleaning removes every `~`, so no id can equal
 * the hashed name of another id.
 */
import { createHash } from 'node:crypto';

/** Under half of the 255 bytes that file systems allow: extensions and temporary suffixes must fit. */
const MAX_BYTES = 120;
const HASH_LENGTH = 12;

/** Names of devices in Windows, reserved with any extension and in any case. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

/**
 * The file name of one id. Two different ids never get the same name, but two names can differ only in case: use
 * {@link safeNames} for ids that share a folder.
 *
 * @returns At most 120 bytes of UTF-8, NFC, without separators, control characters, leading dots or dashes, trailing
 *   dots.
 */
export function safeName(id: string): string {
  const cleaned = clean(id);
  return cleaned === id ? id : withHash(cleaned, id, HASH_LENGTH);
}

/**
 * File names for ids that share a folder, in the same order, unique also on file systems that ignore case. Equal ids
 * get equal names. The order does not decide which ids get a hash.
 */
export function safeNames(ids: readonly string[]): string[] {
  const idsByKey = new Map<string, Set<string>>();
  for (const id of ids) {
    const key = foldCase(safeName(id));
    idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id));
  }
  return ids.map((id) => {
    const name = safeName(id);
    const sharing = idsByKey.get(foldCase(name))?.size ?? 0;
    if (sharing < 2) return name;
    // The ids differ only in case, or their short hashes collide on purpose.
    return withHash(clean(id), id, clean(id) === id ? HASH_LENGTH : 64);
  });
}

/** The name, always with its hash. Use it if the plain name is taken. */
export function hashedName(id: string): string {
  return withHash(clean(id), id, HASH_LENGTH);
}

/** A key that is equal for all names that some file system treats as equal. */
export function foldCase(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
}

function clean(id: string): string {
  const readable = id
    .normalize('NFC')
    // Letters, marks and digits of any script; @ and + let e-mail addresses through.
    .replace(/[^\p{L}\p{M}\p{N}._@+=,-]+/gu, '-')
    .replace(/^[-.]+/u, '')
    .replace(/[-.]+$/u, '');
  const named = RESERVED.test(readable) ? `id-${readable}` : readable;
  return shorten(named === '' ? 'id' : named, MAX_BYTES);
}

function withHash(cleaned: string, id: string, length: number): string {
  // UTF-16, because in UTF-8 all lone surrogates become the same bytes.
  const hash = createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, length);
  return `${shorten(cleaned, MAX_BYTES - length - 1)}~${hash}`;
}

/** Cuts the text between code points, without a trailing dot or dash. */
function shorten(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > maxBytes) return kept.replace(/[-.]+$/u, '');
    kept += char;
  }
  return kept;
}
