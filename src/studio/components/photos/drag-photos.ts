/** Drags a photo to another place, by mouse, pen and finger. Escape gives up. */
import { signal } from '@preact/signals';

/** The photo that is dragged and the gap that it would go to: 0 is before the first. */
export const drag = signal<{ readonly from: number; readonly gap: number } | null>(null);

/** The pointer moves this far before a press becomes a drag, px. */
const START_PX = 6;
/** Distance from the edge of the list in which it scrolls, and px of each step. */
const EDGE_PX = 48;
const SCROLL_PX = 12;

/**
 * Follows the pointer from the press on a photo until it is let go.
 *
 * @param list - The element whose children are the photos.
 * @param isGrid - They stand in rows, not one below the other.
 * @param onDrop - Gets the new place, counted without the dragged photo.
 */
export function followDrag(
  down: PointerEvent,
  {
    list,
    from,
    isGrid,
    onDrop,
  }: {
    readonly list: HTMLElement;
    readonly from: number;
    readonly isGrid: boolean;
    readonly onDrop: (to: number) => void;
  },
): void {
  const handle = down.currentTarget as HTMLElement;
  const scroller = findScroller(list);
  let frame = 0;
  let [pointerX, pointerY] = [down.clientX, down.clientY];

  const look = () => {
    const rows = [...list.children].map((row) => row.getBoundingClientRect());
    const gap = rows.findIndex(({ top, left, width, height }) =>
      isGrid
        ? pointerY < top || (pointerY < top + height && pointerX < left + width / 2)
        : pointerY < top + height / 2,
    );
    drag.value = { from, gap: gap < 0 ? rows.length : gap };
  };
  const scroll = () => {
    const { top, bottom } = scroller.getBoundingClientRect();
    if (pointerY < Math.max(0, top) + EDGE_PX) scroller.scrollTop -= SCROLL_PX;
    else if (pointerY > Math.min(innerHeight, bottom) - EDGE_PX) scroller.scrollTop += SCROLL_PX;
    look();
    frame = requestAnimationFrame(scroll);
  };
  const move = (event: PointerEvent) => {
    [pointerX, pointerY] = [event.clientX, event.clientY];
    if (drag.value === null) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < START_PX) return;
      handle.setPointerCapture(down.pointerId);
      frame = requestAnimationFrame(scroll);
    }
    look();
  };
  const end = (event: Event) => {
    const at = drag.value;
    stop();
    if (at === null || event.type !== 'pointerup') return;
    // The click that follows would show the photo.
    const swallow = (click: Event) => click.stopPropagation();
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    const to = at.gap > from ? at.gap - 1 : at.gap;
    if (to !== from) onDrop(to);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') stop();
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    drag.value = null;
    removeEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel'] as const) removeEventListener(name, end);
    removeEventListener('keydown', key);
  };
  addEventListener('pointermove', move);
  for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, end);
  addEventListener('keydown', key);
}

/** The column in a wide window, the page in a narrow one. */
function findScroller(element: HTMLElement): Element {
  for (let each = element.parentElement; each !== null; each = each.parentElement) {
    if (getComputedStyle(each).overflowY === 'auto') return each;
  }
  return document.scrollingElement ?? document.documentElement;
}
