/** A tab with a form. */
import type { ComponentType } from 'preact';
import type { ListingPath } from '../../editor/protocol.ts';

export interface Form {
  readonly id: string;
  readonly title: string;
  readonly View: ComponentType;
  /**
   * True for a field of the listing that this form shows. A click on a violation opens the last form that has its
   * field, and focuses the element there whose `data-path` has the JSON Pointer of the field
   * (`/agents/0/phones/0/number`), or else of the nearest holder of it. An element of several fields has their pointers
   * with spaces between them.
   */
  readonly has: (path: ListingPath) => boolean;
  /** Opens the part of the form that has the field. */
  readonly reveal?: (path: ListingPath) => void;
}

/** Where the public finds the photos as they were before they were altered. */
export const ORIGINALS_LAYER = 'originals_url';

/** A caption of one agent, which is in the panel of photos. */
export function isCaption(path: ListingPath): boolean {
  return /^caption_\d+$/.test(String(path[4]));
}

/** A text of one agent's videos that is in the panel of photos. */
export function isPhotoText(path: ListingPath): boolean {
  return isCaption(path) || path[4] === ORIGINALS_LAYER;
}

/** What the panel of photos shows. */
export function isOfPhotos(path: ListingPath): boolean {
  return path[0] === 'assets' || isPhotoText(path);
}
