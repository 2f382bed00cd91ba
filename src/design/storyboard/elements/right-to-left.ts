/** Elements as they stand in scenes that are read from right to left. Pure. */
import type { Animations, Element } from '../../template/elements.ts';

/** Whether an element stands as in a scene that is read from right to left: some plates do in every scene. */
export function isMirrored(element: Element, isRtl: boolean): boolean {
  return isRtl || (element.type === 'plates' && element.side === 'right');
}

/** With its `rtl` fields; what comes from one side, or leaves to it, then does so on the other. */
export function fromRightToLeft(element: Element): Element {
  // Plates line by line mirror their place themselves.
  if (element.type === 'plates') {
    const items = element.items.map((item) => ({ ...item, ...turnedMoves(item) }));
    return { ...element, ...turnedMoves(element), items };
  }
  if (!('rtl' in element) || element.rtl === undefined) return element;
  const turned = { ...element, ...element.rtl, ...turnedMoves(element) };
  if (turned.type !== 'plate') return turned;
  const { tab } = turned;
  const [top, right, bottom, left] = turned.padding;
  return {
    ...turned,
    padding: turned.rtl?.padding ?? [top, left, bottom, right],
    ...(tab ? { tab: { ...tab, ...turnedMoves(tab) } } : {}),
  };
}

interface Moves {
  readonly enter?: Animations;
  readonly exit?: Animations;
}

function turnedMoves({ enter, exit }: Moves): Moves {
  return { ...(enter ? { enter: turned(enter) } : {}), ...(exit ? { exit: turned(exit) } : {}) };
}

function turned(moves: Animations): Animations {
  return moves.map((move) =>
    move.from === 'left'
      ? { ...move, from: 'right' }
      : move.from === 'right'
        ? { ...move, from: 'left' }
        : move,
  );
}
