/** Takes files that are dropped on an element. */
import type { TargetedDragEvent } from 'preact';
import { useState } from 'preact/hooks';

/** @returns What the element gets: its listeners, and `data-over` while files are held over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver,
    onDragOver(event: DragEvent) {
      // An element inside takes them.
      const isTaken = event.defaultPrevented;
      event.preventDefault();
      setOver(!isTaken && event.dataTransfer?.types.includes('Files') === true);
    },
    onDragLeave(event: TargetedDragEvent<HTMLElement>) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    // It goes on to the page, whose outline ends with it.
    onDrop(event: DragEvent) {
      setOver(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      onFiles([...(event.dataTransfer?.files ?? [])]);
    },
  };
}
