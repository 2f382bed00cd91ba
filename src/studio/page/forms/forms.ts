/** Registers the forms, in the order of their tabs. A new form is a file in this folder and a line here. */
import { AgentsForm, isAgentField, revealAgent } from '../../components/forms/agents-form.tsx';
import { DesignForm, isDesignField } from './design-form.tsx';
import type { Form } from '../../components/forms/form.ts';
import { isMusicField, MusicForm } from './music-form.tsx';
import { isPropertyField, PropertyForm } from '../../components/forms/property-form.tsx';

const CAPTION = /^caption_\d+$/;

export const FORMS: readonly Form[] = [
  { id: 'property', title: 'Property', View: PropertyForm, has: isPropertyField },
  {
    id: 'agents',
    title: 'Agents',
    View: AgentsForm,
    // Captions of one agent are in the panel of photos.
    has: (path) =>
      isAgentField(path) &&
      ![isPropertyField, isDesignField, isMusicField].some((has) => has(path)) &&
      !CAPTION.test(String(path[4])),
    reveal: revealAgent,
  },
  { id: 'design', title: 'Design', View: DesignForm, has: isDesignField },
  { id: 'music', title: 'Music', View: MusicForm, has: isMusicField },
];
