/** Follows the pointer from a press on an element until it is let go. Escape gives up. */

export interface Hand {
  /** In px since the press, and in shares of the element from its upper left corner. */
  readonly onMove: (at: HandPlace) => void;
  readonly onDrop: (at: HandPlace) => void;
  readonly onCancel: () => void;
}

export interface HandPlace {
  readonly dx: number;
  readonly dy: number;
  readonly x: number;
  readonly y: number;
}

export function followHand(down: PointerEvent, { onMove, onDrop, onCancel }: Hand): void {
  if (down.button !== 0) return;
  const element = down.currentTarget as HTMLElement;
  const box = element.getBoundingClientRect();
  element.setPointerCapture(down.pointerId);
  const placeOf = ({ clientX, clientY }: PointerEvent): HandPlace => ({
    dx: clientX - down.clientX,
    dy: clientY - down.clientY,
    x: (clientX - box.left) / box.width,
    y: (clientY - box.top) / box.height,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const cancel = () => {
    stopping.abort();
    onCancel();
  };
  element.addEventListener('pointermove', (event) => onMove(placeOf(event)), { signal });
  element.addEventListener(
    'pointerup',
    (event) => {
      stopping.abort();
      onDrop(placeOf(event));
    },
    { signal },
  );
  element.addEventListener('pointercancel', cancel, { signal });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      // The dialog stays open.
      event.preventDefault();
      cancel();
    },
    { signal, capture: true },
  );
}
