/** The whole photo with the point that stays in view, which is dragged or moved by keys, and what each shape keeps. */
import type { KeptPart } from '../../../video/stage/kept-part.ts';
import type { FocusHand } from './crop-frame.tsx';
import { clamp } from './crops.ts';
import { followHand, type HandPlace } from './follow-hand.ts';

const STEP = 0.01;
const LARGE_STEP = 0.1;

interface FocusPointProps extends FocusHand {
  readonly label: string;
  /** False: it is automatic. */
  readonly isChosen: boolean;
  /** Of the photo: width by height. */
  readonly aspect: number;
}

export function FocusPoint(props: FocusPointProps) {
  const { crops, label, isChosen, aspect, onMove, onPut, onCancel, children } = props;
  const { x, y } = crops.focus;
  const [acrossPercent, downPercent] = [Math.round(100 * x), Math.round(100 * y)];
  const onPointerDown = (event: PointerEvent) => {
    const inside = (at: HandPlace) => ({ x: clamp(at.x, 0, 1), y: clamp(at.y, 0, 1) });
    followHand(event, { onMove: (at) => onMove(inside(at)), onDrop: (at) => onPut(inside(at)), onCancel });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [dx, dy] = DIRECTIONS[event.key] ?? [0, 0];
    if ((dx === 0 && dy === 0) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onPut({ x: clamp(x + dx * step, 0, 1), y: clamp(y + dy * step, 0, 1) });
  };
  return (
    <div class="focus-photo" style={{ aspectRatio: String(aspect) }} onPointerDown={onPointerDown}>
      {children}
      <Outline part={crops.parts['1920:1080']} words="16:9" />
      <Outline part={crops.parts['1080:1920']} words="9:16" />
      {/* A slider of two directions: screen readers hand it all arrow keys. */}
      <div
        class="focus-point"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={acrossPercent}
        aria-valuetext={`${isChosen ? '' : 'automatic, '}${acrossPercent} % from the left, ${downPercent} % from the top`}
        data-chosen={isChosen}
        style={{ left: `${100 * x}%`, top: `${100 * y}%` }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

const DIRECTIONS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Outline({ part, words }: { readonly part: KeptPart; readonly words: string }) {
  const { left, top, width, height } = part;
  const style = {
    left: `${100 * left}%`,
    top: `${100 * top}%`,
    width: `${100 * width}%`,
    height: `${100 * height}%`,
  };
  return (
    <span class="focus-outline" data-words={words} style={style} aria-hidden="true">
      {words}
    </span>
  );
}
