/** How the photos are shown: choices of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import { view } from '../listing.ts';
import { assetsOf } from './photo-edits.ts';

export type PhotoLayout = 'list' | 'grid';

/**
 * Remembered in a cookie: the studio has another port each time, and a browser keeps all other memory apart for each
 * port.
 */
const COOKIE = 'photo-layout';
const YEAR_SEC = 365 * 86_400;

const layout = signal<PhotoLayout>(document.cookie.split('; ').includes(`${COOKIE}=grid`) ? 'grid' : 'list');

export const photoLayout = computed(() => layout.value);

export function chooseLayout(chosen: PhotoLayout): void {
  layout.value = chosen;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https.
  document.cookie = `${COOKIE}=${chosen}; path=/; max-age=${YEAR_SEC}; samesite=strict`;
}

const opened = signal(0);

/** Index of the photo whose caption and facts are below the grid. */
export const openedPhoto = computed(() =>
  Math.max(0, Math.min(opened.value, assetsOf(view.value?.listing ?? {}).length - 1)),
);

/** In the list the fields of all photos are on the page. */
export function openPhoto(index: number): void {
  opened.value = index;
}
