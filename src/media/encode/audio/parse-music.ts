/** Parses a value of `music`. Pure: it does not check whether the soundtrack or file exists. */
import { fileURLToPath } from 'node:url';

export type MusicWish =
  | { readonly kind: 'none' }
  /** A soundtrack's name, in small letters. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  /** An address, which is never fetched. */
  | { readonly kind: 'address' };

/** `none`, a name (a bare word), or a path (with a dot or slash, also a `file:` URL). */
export function parseMusic(value: string): MusicWish {
  const word = value.trim();
  if (/^none$/i.test(word)) return { kind: 'none' };
  if (/^file:/i.test(word)) {
    try {
      return { kind: 'path', path: fileURLToPath(word) };
    } catch {
      return { kind: 'address' };
    }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return { kind: 'address' };
  if (/[./\\]/.test(word)) return { kind: 'path', path: word };
  return { kind: 'name', name: word.toLowerCase() };
}
