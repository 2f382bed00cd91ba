/** Undo and redo: the buttons, and the keys that work everywhere on the page. */
import { IconButton } from './icon-button.tsx';

export interface UndoSteps {
  /** Labels of the steps; null: there is none. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  readonly undo: () => void;
  readonly redo: () => void;
}

export function UndoButtons({ undoLabel, redoLabel, undo, redo }: UndoSteps) {
  return (
    <>
      <IconButton
        icon="undo"
        label={undoLabel === null ? 'Nothing to undo' : `Undo: ${undoLabel}`}
        keys="Ctrl+Z"
        isDisabled={undoLabel === null}
        onClick={undo}
      />
      <IconButton
        icon="redo"
        label={redoLabel === null ? 'Nothing to redo' : `Redo: ${redoLabel}`}
        keys="Ctrl+Shift+Z"
        isDisabled={redoLabel === null}
        onClick={redo}
      />
    </>
  );
}

/** @returns Whether the key was one of them. */
export function takeUndoKey(event: KeyboardEvent, { undo, redo }: Pick<UndoSteps, 'undo' | 'redo'>): boolean {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return false;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) redo();
  else undo();
  return true;
}
