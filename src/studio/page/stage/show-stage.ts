/** Brings the video into view when something was chosen that changes all of it, such as the template. */
import { isNarrow } from '../../components/forms/photos-form.ts';
import { goTo, isPlaying, lead } from './player.ts';

/** Where the video was out of sight, it comes back with the opening, which shows a look best. */
export function showStage(): void {
  const stage = document.getElementById('stage');
  const middle = stage?.parentElement;
  // In one column, the form that has the focus would go out of sight.
  if (isNarrow.value || !stage || !middle) return;
  const screens = stage.querySelector('.screens') ?? stage;
  const { top } = screens.getBoundingClientRect();
  if (top >= middle.getBoundingClientRect().top) return;
  stage.scrollIntoView({ block: 'start' });
  const opening = lead.value?.scenes[0];
  if (opening !== undefined && !isPlaying.value) goTo(opening);
}
