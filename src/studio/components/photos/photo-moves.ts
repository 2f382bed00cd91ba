/** Puts photos in order and leaves them out. The focus and the details of the grid go with them. */
import { signal } from '@preact/signals';
import { announce } from '../announce.tsx';
import { edit, view } from '../listing.ts';
import { assetsOf, leaveOut, movePhoto } from './photo-edits.ts';
import { openPhoto } from './photo-view.ts';
import { fileNameOf } from './pictures.tsx';

/** Label of the step. */
export const LEAVE_OUT = 'Leave out photo';
/** Name of the photo that was left out last. */
export const leftOut = signal('');

export function movePhotoTo(from: number, to: number): void {
  const { listing } = view.value!;
  const { length } = assetsOf(listing);
  if (to === from || to < 0 || to >= length) return;
  const name = nameOf(from);
  edit('Move photo', movePhoto(listing, from, to));
  openPhoto(to);
  announce(to === 0 ? `${name} is the opening now.` : `${name} moved to place ${to + 1} of ${length}.`);
}

export function leaveOutPhoto(index: number): void {
  const { listing } = view.value!;
  // The next photo takes its place, and the focus.
  const isLast = index === assetsOf(listing).length - 1;
  const next = document.querySelectorAll<HTMLElement>('.photo .photo-image')[isLast ? index - 1 : index + 1];
  const name = nameOf(index);
  edit(LEAVE_OUT, leaveOut(listing, index));
  leftOut.value = name;
  announce(`${name} is left out. Undo brings it back.`);
  next?.focus();
}

function nameOf(index: number): string {
  return fileNameOf(String(assetsOf(view.value!.listing)[index]?.url ?? ''));
}
