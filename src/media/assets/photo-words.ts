/** What viewers read with a photo, and whether two copies of a picture can share it. Pure. */

export interface PhotoWords {
  /** One for each video that is planned, in the same order for all photos; empty for none. */
  readonly captions?: readonly string[];
  /** What was changed; null for an unaltered photo. */
  readonly label?: string | null;
  /** As the listing says it. */
  readonly kind?: string | undefined;
}

/** @returns What a photo and its copy say together; null when viewers can tell them apart by it. */
export function mergeWords(photo: PhotoWords, copy: PhotoWords): Required<PhotoWords> | null {
  const [own = [], others = []] = [photo.captions, copy.captions];
  const length = Math.max(own.length, others.length);
  const captions = Array.from({ length }, (_, video) => mergeWord(own[video] ?? '', others[video] ?? ''));
  const label = mergeWord(photo.label ?? '', copy.label ?? '');
  const kind = mergeWord(photo.kind ?? '', copy.kind ?? '');
  if (captions.includes(null) || label === null || kind === null) return null;
  return { captions: captions as string[], label: label || null, kind: kind || undefined };
}

function mergeWord(word: string, other: string): string | null {
  const [own, others] = [word.trim(), other.trim()];
  return own === '' || others === '' || own === others ? own || others : null;
}
