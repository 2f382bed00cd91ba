/** The forms of the studio, in the order of their tabs. A new form is a file in this folder and a line here. */
import { computed } from '@preact/signals';
import { AGENTS } from '../../components/forms/agents-form.tsx';
import type { Form } from '../../components/forms/form.ts';
import { isNarrow, photosForm } from '../../components/forms/photos-form.ts';
import { PROPERTY } from '../../components/forms/property-form.tsx';
import { PhotosPanel } from '../../components/photos/photos-panel.tsx';
import { MUSIC } from './music-form.tsx';
import { TEMPLATE } from './template-form.tsx';

const FORMS: readonly Form[] = [PROPERTY, AGENTS, TEMPLATE, MUSIC];
const NARROW: readonly Form[] = [photosForm(() => PhotosPanel({})), ...FORMS];

export const forms = computed(() => (isNarrow.value ? NARROW : FORMS));
