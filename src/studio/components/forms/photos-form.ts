/** The photos as one of the tabs, on a narrow page: a column of them would stand before the other forms. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { type Form, isOfPhotos } from './form.ts';

/** As the style sheets of the pages have it: all in one column. */
const narrow = matchMedia('(max-width: 1023px)');
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** @param View - The panel of photos. */
export function photosForm(View: ComponentType): Form {
  return { id: 'photos', title: 'Photos', View, has: isOfPhotos };
}
