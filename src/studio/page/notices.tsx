/** What happened to the listing: a change that was refused, and a file that another program changed. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from '../components/announce.tsx';
import { Dialog } from '../components/dialog.tsx';
import { answerConflict, refusal, state } from './state.ts';

const RELOADED =
  'The file was changed by another program. The studio shows it now; undo brings your version back.';

/** The time of the change whose notice was closed. */
const closed = signal<string | null>(null);

export function Notices() {
  const { reloaded } = state.value!;
  useEffect(() => {
    if (reloaded !== null) announce(RELOADED);
  }, [reloaded]);
  const isNew = reloaded !== null && reloaded !== closed.value;
  return (
    <div class="notices">
      {refusal.value !== null && (
        <Notice
          kind="bad"
          onClose={() => {
            refusal.value = null;
          }}
        >
          {refusal.value}
        </Notice>
      )}
      {isNew && (
        <Notice
          kind="plain"
          onClose={() => {
            closed.value = reloaded;
          }}
        >
          {RELOADED}
        </Notice>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly kind: 'bad' | 'plain';
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

function Notice({ kind, children, onClose }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind}>
      <p>{children}</p>
      <button type="button" class="quiet" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

export function ConflictDialog() {
  return (
    <Dialog id="conflict" title="The file was changed by another program" isOpen={state.value!.conflict}>
      <p id="conflict-words">
        Your last changes are not saved yet. Keep your version, or take the file’s: undo brings back what you
        do not keep.
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => answerConflict('mine')}>
          Keep mine
        </button>
        <button type="button" onClick={() => answerConflict('theirs')}>
          Take the file’s
        </button>
      </p>
    </Dialog>
  );
}
