/** How far down a form is scrolled: in the section of the forms, or on a narrow page below its tabs. */

/** Px below the tabs that are hidden above. */
export function formScroll(section: HTMLElement): number {
  return scrollsByItself(section) ? section.scrollTop : Math.max(0, hiddenAbove(section));
}

/** Of rounding, px. */
const TOLERANCE = 2;

/** A page whose forms begin further down stays where it is. */
export function scrollForm(section: HTMLElement, px: number): void {
  if (scrollsByItself(section)) section.scrollTop = px;
  else if (hiddenAbove(section) > -TOLERANCE)
    scrollBy({ top: px - hiddenAbove(section), behavior: 'instant' });
}

function scrollsByItself(section: HTMLElement): boolean {
  return /^(auto|scroll)$/.test(getComputedStyle(section).overflowY);
}

/** Less than 0 while the tabs are not yet at the top of the page. */
function hiddenAbove(section: HTMLElement): number {
  return topOfPage() - section.getBoundingClientRect().top;
}

/** Where the page begins below its head, which stays. */
function topOfPage(): number {
  const head = document.querySelector('.head');
  const stays = head !== null && getComputedStyle(head).position === 'sticky';
  return stays ? head.getBoundingClientRect().bottom : 0;
}
