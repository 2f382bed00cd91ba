/** Registers the forms, in the order of their tabs. A new form is a file in this folder and a line here. */
import type { Form } from './form.ts';

export const FORMS: readonly Form[] = [];
