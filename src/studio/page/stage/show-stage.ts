/** Brings the video into view when something was chosen that changes all of it, such as the template. */
import { isNarrow } from '../../components/forms/photos-form.ts';
import { goTo, isPlaying, lead } from './player.ts';

/** Where the video was out of sight, it comes back with the opening, which shows a look best. */
export function showStage(): void {
  const middle = document.querySelector('.middle');
  const screens = document.querySelector('.screens');
  // In one column, the form that has the focus would go out of sight.
  if (isNarrow.value || middle === null || screens === null) return;
  // The notices stay over it.
  const { bottom } = document.querySelector('.notices')!.getBoundingClientRect();
  if (screens.getBoundingClientRect().top >= bottom) return;
  middle.scrollTo({ top: 0 });
  const opening = lead.value?.scenes.find(({ kind }) => kind === 'hero');
  if (opening !== undefined && !isPlaying.value) goTo(opening);
}
