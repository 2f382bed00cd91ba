/** The head of the page: which listing, whether it is saved, undo and redo, and Render. */
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { listingValue } from '../components/listing.ts';
import { UndoButtons } from '../components/undo.tsx';
import type { StudioRender } from '../editor/protocol.ts';
import { startRender } from './render-panel.tsx';
import { isAway, isSaving, redo, state, undo } from './state.ts';

export function Head() {
  const { all_listings, file, undo: undoLabel, redo: redoLabel, render } = state.value!;
  const street = listingValue(['address', 'street']);
  const id = listingValue(['id']);
  const title = [street, id, 'Listing'].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  ) as string;
  useLayoutEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  const isRendering = render?.state === 'running' && !isAway.value;
  return (
    <header class="head">
      {all_listings === null ? (
        <p class="brand">Listing video</p>
      ) : (
        <a class="button quiet" href={all_listings} aria-label="All listings">
          <Icon name="left" />
          <span class="wide-only">All listings</span>
        </a>
      )}
      <h1 title={file.path}>{title}</h1>
      <SaveState />
      <div class="head-actions">
        <UndoButtons undoLabel={undoLabel} redoLabel={redoLabel} undo={undo} redo={redo} />
        <button
          type="button"
          class="primary"
          // Not `disabled`, which would lose the focus.
          aria-disabled={isRendering || isAway.value}
          onClick={() => {
            if (!isRendering) startRender();
          }}
        >
          {isRendering ? <RenderState render={render} /> : 'Render'}
        </button>
      </div>
    </header>
  );
}

function RenderState({ render: { stage, percent } }: { readonly render: StudioRender }) {
  if (stage === 'lock') return <>Waiting</>;
  return (
    <span>
      <span class="wide-only">Rendering, </span>
      {Math.floor(percent)} %
    </span>
  );
}

function SaveState() {
  const { save } = state.value!;
  const [kind, words] = isAway.value
    ? ['failed', isSaving.value ? 'Not saved' : 'Not connected']
    : save.state === 'failed'
      ? ['failed', 'Not saved']
      : isSaving.value
        ? ['saving', 'Saving …']
        : ['saved', 'Saved'];
  return (
    <p class="save-state" data-kind={kind} role={kind === 'failed' ? 'alert' : undefined}>
      {words}
    </p>
  );
}
