/** The keys that work everywhere on the page. Inputs keep those that they need themselves. */
import { takeUndoKey } from '../components/undo.tsx';
import { fps, frame, isMuted, lastFrame, seek, toggle } from './stage/player.ts';
import { redo, undo } from './state.ts';

/** Seconds that an arrow key goes. */
const STEP_SEC = 1;

export function listenToKeys(): void {
  addEventListener('keydown', onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
  if (takeUndoKey(event, { undo, redo })) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !isFree(event)) return;
  const act = ACTIONS[event.key === 'M' ? 'm' : event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  ' ': toggle,
  ArrowRight: () => seek(frame.value + STEP_SEC * fps.value),
  ArrowLeft: () => seek(frame.value - STEP_SEC * fps.value),
  Home: () => seek(0),
  End: () => seek(lastFrame.value),
  '.': () => seek(frame.value + 1),
  ',': () => seek(frame.value - 1),
  m: () => {
    isMuted.value = !isMuted.value;
  },
};

/** True when the focused element has no use for the key. */
function isFree({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return true;
  if (target.matches('.scrubber')) return true;
  if (target.matches('input, textarea, select, [contenteditable], video, audio')) return false;
  return key !== ' ' || !target.matches('button, a, summary, [role="button"]');
}
