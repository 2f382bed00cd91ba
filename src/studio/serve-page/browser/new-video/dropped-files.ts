/** Takes files that are dropped anywhere on the page. */
import { useLayoutEffect, useState } from 'preact/hooks';

/** @returns True while files are dragged over the page. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  // Before the view is seen: without these listeners the browser opens a dropped file in place of the page.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      // A field for files has taken them.
      if (event.defaultPrevented) return;
      event.preventDefault();
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}

const PHOTO_NAME = /\.(?:jpe?g|png|webp|avif|heic|heif|gif|tiff?)$/i;

/** What a file is for: a photo, or the listing. Null for anything else. */
export function purposeOf({ name, type }: File): 'photo' | 'listing' | null {
  // Browsers know no type for some photos, and systems know none for some listings.
  if (type.startsWith('image/') || PHOTO_NAME.test(name)) return 'photo';
  return type === 'application/json' || type === 'text/plain' || type === '' || /\.json$/i.test(name)
    ? 'listing'
    : null;
}
