/** The form for a listing: photos and forms, and the JSON that they write. Mistakes are shown beside their lines. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { afterRender } from '../../../components/after-render.ts';
import { announce } from '../../../components/announce.tsx';
import { purposeOf, useDroppedFiles } from '../../../components/fields/dropped-files.ts';
import { FindingList } from '../../../components/finding-list.tsx';
import { FormTabs } from '../../../components/forms/form-tabs.tsx';
import { isNarrow, photosForm } from '../../../components/forms/photos-form.ts';
import { canEdit } from '../../../components/listing.ts';
import { PhotosPanel } from '../../../components/photos/photos-panel.tsx';
import { uploadPhotos } from '../../../components/photos/uploads.ts';
import { takeUndoKey, UndoButtons } from '../../../components/undo.tsx';
import { readAccount, takesPhotos } from '../account.ts';
import { taskAddress } from '../address.ts';
import { ApiProblem, ask } from '../api.ts';
import { readTemplates } from '../offered-templates.ts';
import { useTitle } from '../title.ts';
import { withBothShapes } from './both-shapes.ts';
import { BothShapesField, inBothShapes } from './both-shapes-field.tsx';
import {
  changeText,
  draft,
  findings,
  finishDraft,
  keyFor,
  openFindings,
  readListing,
  redo,
  replaceText,
  say,
  steps,
  takeSentAgain,
  undo,
  unknownProperties,
} from './draft.ts';
import { type Mistake, toFindings, type UnknownProperty } from './findings.ts';
import { FORMS, FoundProblem } from './found-problem.tsx';
import { JsonEditor, scrollToPlace, selectSpan } from './json-editor.tsx';
import { ListingSources } from './listing-sources.tsx';
import { agentCount, findSendingFault, saySlipsAgain } from './sending-faults.ts';
import type { SentDraft } from './sent-drafts.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function NewVideo() {
  const field = useRef<HTMLTextAreaElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isSending, setSending] = useState(false);
  const found = findings.value;
  const open = openFindings.value;
  useTitle('New video');
  const isDropping = useDroppedFiles(takeFiles);
  // One component for all renders: what is dropped needs no state of one.
  const Photos = useMemo(
    () => () => (
      <PhotosPanel
        hint="At least 5, each up to 25 MB. Drop them anywhere on this page."
        onFiles={takeFiles}
      />
    ),
    [],
  );
  // The places of mistakes are those in the text that was sent.
  const mistakes = open !== null && open.text === draft.value ? open.mistakes : [];
  const unknown = unknownProperties.value;
  const notes = [
    ...mistakes.map(({ line, note }) => ({ line, text: note })),
    ...unknown.map(({ line, words }) => ({ line, text: words, isWarning: true })),
  ];

  useLayoutEffect(() => {
    if (found === null) return;
    announce(`${found.heading}.`, { isUrgent: true });
    const [first] = found.mistakes;
    if (first !== undefined && field.current !== null) scrollToPlace(field.current, first.start);
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  useLayoutEffect(() => {
    if (takesPhotos.value) void readTemplates();
  }, [takesPhotos.value]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => void takeUndoKey(event, { undo, redo });
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const text = draft.value.replace(/^\uFEFF/, '');
    draft.value = text;
    findings.value = findSendingFault(text);
    if (findings.value !== null) return;
    setSending(true);
    const listing = readListing(text);
    try {
      const sent = inBothShapes.value && listing !== null ? JSON.stringify(withBothShapes(listing)) : text;
      const headers = { 'idempotency-key': keyFor(sent) };
      const { body } = await ask<{ id: string }>('v1/tasks', { method: 'POST', body: sent, headers });
      finishDraft(body.id);
      saySlipsAgain();
      announce('The task was created.');
      location.hash = taskAddress(body.id);
      void readAccount();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      findings.value = toFindings(error, text, listing, agentCount(listing));
    } finally {
      setSending(false);
    }
  }

  function takeFiles(files: readonly File[]): void {
    const photos = files.filter((file) => purposeOf(file) === 'photo');
    const other = files.find((file) => purposeOf(file) === null);
    void takeListing(files.filter((file) => purposeOf(file) === 'listing'));
    if (photos.length > 0 && takesPhotos.value) uploadPhotos(photos);
    if (photos.length > 0 && !takesPhotos.value) {
      const words = 'Put them where the service can fetch them, and name their URLs in the listing.';
      say('This service takes no photos', words);
    } else if (other !== undefined) {
      say('This file cannot be used', `${other.name} is neither a photo nor a listing.`);
    }
  }

  async function takeListing([file]: readonly File[]): Promise<void> {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      const words = `${file.name} is larger than 4 MiB, the limit for a listing.`;
      say('This file is too large', words);
      return;
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      take(text, `${file.name} loaded.`);
    } catch {
      say('This file cannot be read', `${file.name} is not UTF-8 text.`);
    }
  }

  function takeLastAgain(last: SentDraft): void {
    takeSentAgain(last);
    focusText();
  }

  function take(text: string, announcement: string): void {
    replaceText(text);
    findings.value = null;
    announce(announcement);
    focusText();
  }

  function focusText(): void {
    afterRender(() => {
      field.current?.focus();
      field.current?.setSelectionRange(0, 0);
    });
  }

  function openSpan({ start, end }: Pick<Mistake, 'start' | 'end'>): void {
    if (field.current !== null) selectSpan(field.current, start, end);
  }

  return (
    <section aria-labelledby="view-title" class={isDropping ? 'dropping' : undefined}>
      <div class="view-head">
        <h1 id="view-title" tabIndex={-1}>
          New video
        </h1>
        <div>
          <UndoButtons undoLabel={steps.value.undo} redoLabel={steps.value.redo} undo={undo} redo={redo} />
        </div>
      </div>
      <p class="soft">
        You get {inBothShapes.value ? 'two videos' : 'one video'} for each agent of the listing.
      </p>
      <form class="listing-form" onSubmit={submit}>
        {takesPhotos.value && (
          <>
            {!canEdit.value && <p class="fault">Correct the listing first: it is not JSON yet.</p>}
            <div class="listing-parts" inert={!canEdit.value}>
              {!isNarrow.value && <Photos />}
              <FormTabs forms={isNarrow.value ? [photosForm(Photos), ...FORMS] : FORMS} />
            </div>
          </>
        )}
        <ListingSources onFiles={takeListing} onText={take} onLast={takeLastAgain} />
        <JsonEditor
          id="listing-text"
          labelId="listing-label"
          describedBy="listing-help"
          text={draft.value}
          notes={notes}
          field={field}
          onText={(text) => changeText('Change the text', text, 'text')}
        />
        <p id="listing-help" class="hint">
          JSON, pasted here or dropped as a file anywhere on this page: 5 to 100 photos by their URLs, and 1
          to 20 agents. Fields and limits are in the <a href="docs">API reference</a>.
        </p>
        {unknown.length > 0 && <Unknown found={unknown} onOpen={openSpan} />}
        <BothShapesField />
        <p class="actions">
          {/* Not `disabled`, which would lose the focus. */}
          <button type="submit" class="primary" aria-disabled={isSending}>
            {isSending ? 'Sending…' : 'Create the videos'}
          </button>
        </p>
      </form>
      <div class="submit-result" tabIndex={-1} ref={panel}>
        {open !== null && <FoundProblem found={open} onOpen={openSpan} />}
      </div>
    </section>
  );
}

interface UnknownProps {
  readonly found: readonly UnknownProperty[];
  readonly onOpen: (span: UnknownProperty) => void;
}

function Unknown({ found, onOpen }: UnknownProps) {
  return (
    <FindingList
      findings={found.map((each) => ({
        kind: 'warning',
        place: `Line ${each.line}`,
        words: each.words,
        onOpen: () => onOpen(each),
      }))}
    />
  );
}
