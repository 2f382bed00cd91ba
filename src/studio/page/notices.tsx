/** What happened: a refused change, one of the studio itself or of another program, a render that was interrupted. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { countWords } from '../../listing/words/count-words.ts';
import { announce } from '../components/announce.tsx';
import { Dialog } from '../components/dialog.tsx';
import { assetsOf, movePhoto } from '../components/photos/photo-edits.ts';
import { LEAVE_OUT, leftOut } from '../components/photos/photo-moves.ts';
import { fileNameOf } from '../components/photos/pictures.tsx';
import { sentence } from '../components/words.ts';
import { RELOAD_LABEL } from '../document/edit-history.ts';
import type { GuessedOpening } from '../editor/protocol.ts';
import { startRender } from './render-panel.tsx';
import { answerConflict, connection, edit, isAway, refusal, request, state, undo } from './state.ts';

const RELOADED = 'The file was changed by another program. The studio shows it now.';
const KEEP_MINE = 'Keep mine brings your version back, and keeps the other one beside the file.';

const KEEP_OPEN = 'Keep this page open: what you typed and is not saved yet is only here.';
const AWAY: Readonly<Record<string, string>> = {
  lost: `The studio has stopped. Start it again and open this listing: this page then connects and saves. ${KEEP_OPEN}`,
  stranger: `Another program answers at this address. Open the address that the studio printed. ${KEEP_OPEN}`,
};

/** The time of the change whose notice was closed. */
const closed = signal<string | null>(null);
/** How many versions were kept when their notice was closed. */
const closedKept = signal(0);
const areSkippedClosed = signal(false);
const isNotTakenClosed = signal(false);
/** Files of a folder that are named; a folder can have hundreds. */
const MAX_SHOWN_FILES = 5;
const closedGuess = signal<GuessedOpening | null>(null);

export function Notices() {
  const { reloaded, render, save, undo: undoLabel } = state.value!;
  useEffect(() => {
    if (reloaded !== null) announce(RELOADED);
  }, [reloaded]);
  const isNew = reloaded !== null && reloaded !== closed.value;
  const canKeepMine = undoLabel === RELOAD_LABEL;
  return (
    <div class="notices">
      {isAway.value && <Notice kind="bad">{AWAY[connection.value] ?? ''}</Notice>}
      {!isAway.value && save.state === 'failed' && save.message !== null && (
        <Notice kind="bad">{sentence(save.message)}</Notice>
      )}
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
      <OpeningNotice />
      <LeftOutNotice />
      <NotTakenNotice />
      <SkippedNotice />
      {render?.state === 'interrupted' && (
        <Notice
          kind="plain"
          action={
            <button
              type="button"
              class="primary"
              aria-disabled={isAway.value}
              onClick={() => startRender(render.request)}
            >
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
          action={
            canKeepMine && (
              <button type="button" aria-disabled={isAway.value} onClick={() => answerConflict('before')}>
                Keep mine
              </button>
            )
          }
          onClose={() => {
            closed.value = reloaded;
          }}
        >
          {RELOADED} {canKeepMine && KEEP_MINE}
        </Notice>
      )}
      <KeptNotice />
    </div>
  );
}

/** Until the person closes it, takes it back, or chooses another opening. */
function OpeningNotice() {
  const { guessed_opening: guess, listing } = state.value!;
  const isShown = guess !== null && guess !== closedGuess.value && assetsOf(listing)[0]?.url === guess.url;
  const words = isShown
    ? `${fileNameOf(guess.url)} looks like the outside by day: it opens the video now.`
    : '';
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  if (!isShown) return null;
  const undoGuess = () => {
    edit('Undo the opening', movePhoto(listing, 0, guess.from), {});
    announce(`${fileNameOf(guess.url)} is back in its place.`);
  };
  return (
    <Notice
      kind="plain"
      action={<UndoButton onUndo={undoGuess} />}
      onClose={() => {
        closedGuess.value = guess;
      }}
    >
      {words}
    </Notice>
  );
}

/** Until the next change. */
function LeftOutNotice() {
  const name = leftOut.value;
  if (name === '' || state.value!.undo !== LEAVE_OUT) return null;
  const close = () => {
    leftOut.value = '';
  };
  const bringBack = () => {
    close();
    undo();
  };
  return (
    <Notice kind="plain" action={<UndoButton onUndo={bringBack} />} onClose={close}>
      {name} is left out. It waits below the photos.
    </Notice>
  );
}

/** A folder can have more photos than a listing. */
function NotTakenNotice() {
  const { not_taken } = state.value!;
  if (not_taken === 0 || isNotTakenClosed.value) return null;
  return (
    <Notice
      kind="plain"
      onClose={() => {
        isNotTakenClosed.value = true;
      }}
    >
      The listing is full. {countWords(not_taken, 'more photo')} of this folder can be brought in below its
      photos, in place of others.
    </Notice>
  );
}

function SkippedNotice() {
  const { skipped } = state.value!;
  if (skipped.length === 0 || areSkippedClosed.value) return null;
  const files = skipped.map(({ file, reason }) => `${file} (${reason})`);
  const rest = files.length - MAX_SHOWN_FILES;
  const names = files.slice(0, MAX_SHOWN_FILES).join(', ');
  return (
    <Notice
      kind="plain"
      onClose={() => {
        areSkippedClosed.value = true;
      }}
    >
      Not in the video: {names}
      {rest > 0 && ` and ${countWords(rest, 'more file')}`}.
    </Notice>
  );
}

function KeptNotice() {
  const { kept } = state.value!;
  const rest = kept.length - MAX_SHOWN_FILES;
  const names = kept.slice(-MAX_SHOWN_FILES).join(', ');
  const words = `A version that is not in the file is kept beside it: ${names}${rest > 0 ? ` and ${countWords(rest, 'more file')}` : ''}.`;
  const isShown = kept.length > closedKept.value;
  useEffect(() => {
    if (isShown) announce(words);
  }, [kept.length]);
  if (!isShown) return null;
  return (
    <Notice
      kind="plain"
      onClose={() => {
        closedKept.value = kept.length;
      }}
    >
      {words}
    </Notice>
  );
}

function UndoButton({ onUndo }: { readonly onUndo: () => void }) {
  return (
    <button type="button" onClick={onUndo}>
      Undo
    </button>
  );
}

interface NoticeProps {
  readonly kind: 'bad' | 'plain';
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  /** Absent: it goes by itself. */
  readonly onClose?: () => void;
}

function Notice({ kind, children, action, onClose }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind}>
      <p>{children}</p>
      {action}
      {onClose !== undefined && (
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      )}
    </div>
  );
}

export function ConflictDialog() {
  return (
    <Dialog id="conflict" title="The file was changed by another program" isOpen={state.value!.conflict}>
      <p id="conflict-words">
        Your last changes are not saved yet. Keep your version, or reload the file. The version that you do
        not choose is kept beside the file, and its name is shown.
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => answerConflict('mine')}>
          Keep mine
        </button>
        <button type="button" onClick={() => answerConflict('theirs')}>
          Reload the file
        </button>
      </p>
    </Dialog>
  );
}
