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
      void filesOf(event.dataTransfer).then(onFiles);
    };
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}

/** The files, and those in folders, which a browser hands over only while the event lasts. */
async function filesOf(dropped: DataTransfer | null): Promise<readonly File[]> {
  const entries = [...(dropped?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return [...(dropped?.files ?? [])];
  const files = await Promise.all(entries.map((entry) => (entry === null ? [] : filesBelow(entry))));
  return files.flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    // Browsers set it for files of a folder that is chosen in a window.
    Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.slice(1) });
    return [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    // It gives some at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return files;
    for (const each of some) files.push(...(await filesBelow(each)));
  }
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
