/** Asks what to keep when the file and the studio changed the same fields. It stays until it is answered. */
import { useEffect, useRef } from 'preact/hooks';
import { answerConflict, state } from './state.ts';

export function ConflictDialog() {
  const conflict = state.value?.conflict ?? null;
  const dialog = useRef<HTMLDialogElement>(null);
  const isAsked = conflict !== null;
  useEffect(() => {
    if (isAsked) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isAsked]);
  return (
    <dialog
      ref={dialog}
      class="conflict"
      aria-labelledby="conflict-title"
      aria-describedby="conflict-words"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="conflict-title">The file changed in the same place</h2>
      <p id="conflict-words">
        Another program saved the listing, and changed what was also changed here. Undo brings back what you
        do not keep.
      </p>
      <ul>
        {conflict?.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <p class="dialog-actions">
        <button type="button" class="primary" onClick={() => answerConflict('mine')}>
          Keep mine
        </button>
        <button type="button" onClick={() => answerConflict('theirs')}>
          Take the file's
        </button>
      </p>
    </dialog>
  );
}
