/** What happened: a change that was refused, and changes of the file from outside. Each stays until it is closed. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from './announce.ts';
import { refusal, state } from './state.ts';

/** The change from outside that was closed. */
const closed = signal<string | null>(null);

export function Notes() {
  const merged = state.value?.merged ?? null;
  const isNew = merged !== null && merged.at !== closed.value;
  useEffect(() => {
    if (isNew) announce('The file was changed by another program.');
  }, [merged?.at]);
  return (
    <div class="notes">
      {refusal.value !== null && (
        <Note
          kind="bad"
          onClose={() => {
            refusal.value = null;
          }}
        >
          {refusal.value}
        </Note>
      )}
      {isNew && (
        <Note
          kind="plain"
          onClose={() => {
            closed.value = merged.at;
          }}
        >
          The file was changed by another program, and the studio took it over: {merged.changes.join(', ')}.
        </Note>
      )}
    </div>
  );
}

interface NoteProps {
  readonly kind: 'bad' | 'plain';
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

function Note({ kind, children, onClose }: NoteProps) {
  return (
    <div class="note" data-kind={kind}>
      <p>{children}</p>
      <button type="button" class="quiet" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
