/** What happened: a change that was refused, a file that another program changed, a render that was interrupted. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from '../components/announce.tsx';
import { Dialog } from '../components/dialog.tsx';
import { startRender } from './render-panel.tsx';
import { answerConflict, refusal, request, state } from './state.ts';

const RELOADED =
  'The file was changed by another program. The studio shows it now; undo brings your version back.';

/** The time of the change whose notice was closed. */
const closed = signal<string | null>(null);

export function Notices() {
  const { reloaded, render } = state.value!;
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
      {render?.state === 'interrupted' && (
        <Notice
          kind="plain"
          action={
            <button type="button" class="primary" onClick={() => startRender(render.request)}>
              Continue
            </button>
          }
          onClose={() => void request('DELETE', 'renders/current')}
        >
          The last render was interrupted. Its finished parts are kept.
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
  readonly action?: ComponentChildren;
  readonly onClose: () => void;
}

function Notice({ kind, children, action, onClose }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind}>
      <p>{children}</p>
      {action}
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
