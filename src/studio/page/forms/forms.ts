/** The forms of the studio, in the order of their tabs. A new form is a file in this folder and a line here. */
import { computed, signal } from '@preact/signals';
import { AGENTS } from '../../components/forms/agents-form.tsx';
import { type Form, isOfPhotos } from '../../components/forms/form.ts';
import { PROPERTY } from '../../components/forms/property-form.tsx';
import { PhotosPanel } from '../../components/photos/photos-panel.tsx';
import { MUSIC } from './music-form.tsx';
import { TEMPLATE } from './template-form.tsx';

const PHOTOS: Form = { id: 'photos', title: 'Photos', View: () => PhotosPanel({}), has: isOfPhotos };
const FORMS: readonly Form[] = [PROPERTY, AGENTS, TEMPLATE, MUSIC];

/** As layout.css has it: all in one column. */
const narrow = matchMedia('(max-width: 1023px)');
/** The photos are a tab then: a column of them would stand before the other forms. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

export const forms = computed(() => (isNarrow.value ? [PHOTOS, ...FORMS] : FORMS));
