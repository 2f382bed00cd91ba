/** The forms of the studio, in the order of their tabs. A new form is a file in this folder and a line here. */
import { AGENTS } from '../../components/forms/agents-form.tsx';
import type { Form } from '../../components/forms/form.ts';
import { PROPERTY } from '../../components/forms/property-form.tsx';
import { DESIGN } from './design-form.tsx';
import { MUSIC } from './music-form.tsx';

export const FORMS: readonly Form[] = [PROPERTY, AGENTS, DESIGN, MUSIC];
