/** The form for a listing: from photos, or pasted, picked or dropped as JSON. Mistakes are shown beside their lines. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { afterRender } from '../../../../studio/components/after-render.ts';
import { readAccount, takesPhotos } from '../../../../studio/serve-page/browser/account.ts';
import { taskAddress } from '../../../../studio/serve-page/browser/address.ts';
import { announce } from '../../../../studio/components/announce.tsx';
import { ApiProblem, ask } from '../../../../studio/serve-page/browser/api.ts';
import { useTitle } from '../../../../studio/serve-page/browser/title.ts';
import { clearDraft, draft, keyFor } from './draft.ts';
import { FactsForm } from './facts-form.tsx';
import { FileButton } from './file-button.tsx';
import { type Findings, fault, findFault, type Mistake, toFindings } from '../../../../studio/serve-page/browser/new-video/findings.ts';
import { FindingsPanel } from './findings-panel.tsx';
import { JsonEditor, scrollToPlace, selectSpan } from '../../../../studio/serve-page/browser/new-video/json-editor.tsx';
import { PhotoTray } from './photo-tray.tsx';
import { addPhotos, clearPhotos, listAll, photos, unsentCount } from './photos.ts';
import { purposeOf, useDroppedFiles } from '../../../../studio/serve-page/browser/new-video/dropped-files.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function NewVideo() {
  const field = useRef<HTMLTextAreaElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [findings, setFindings] = useState<Findings | null>(null);
  const [isSending, setSending] = useState(false);
  useTitle('New video');
  const isDropping = useDroppedFiles(takeFiles);
  // Mistakes are about the text that was sent.
  const notes = findings !== null && findings.text === draft.value ? findings.mistakes : [];

  useLayoutEffect(() => {
    if (findings === null) return;
    announce(`${findings.heading}.`, { isUrgent: true });
    const [first] = findings.mistakes;
    if (first !== undefined && field.current !== null) scrollToPlace(field.current, first.start);
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [findings]);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const text = draft.value.replace(/^\uFEFF/, '');
    draft.value = text;
    const found = photosFault() ?? findFault(text);
    setFindings(found);
    if (found !== null) return;
    setSending(true);
    try {
      const headers = { 'idempotency-key': keyFor(text) };
      const { body } = await ask<{ id: string }>('v1/tasks', { method: 'POST', body: text, headers });
      clearDraft();
      clearPhotos();
      announce('The task was created.');
      location.hash = taskAddress(body.id);
      void readAccount();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setFindings(toFindings(error, text));
    } finally {
      setSending(false);
    }
  }

  function takeFiles(files: readonly File[]): void {
    const chosen = files.filter((file) => purposeOf(file) === 'photo');
    const listings = files.filter((file) => purposeOf(file) === 'listing');
    const other = files.find((file) => purposeOf(file) === null);
    takeListing(listings);
    if (chosen.length > 0 && takesPhotos.value) addPhotos(chosen);
    if (chosen.length > 0 && !takesPhotos.value) {
      const words = 'Put them where the service can fetch them, and name their URLs in the listing.';
      setFindings(fault('This service takes no photos', words));
    } else if (other !== undefined) {
      setFindings(fault('This file cannot be used', `${other.name} is neither a photo nor a listing.`));
    }
  }

  function takeListing([file]: readonly File[]): void {
    if (file !== undefined) void readFile(file);
  }

  async function readFile(file: File): Promise<void> {
    if (file.size > MAX_FILE_BYTES) {
      const words = `${file.name} is larger than 4 MiB, the limit for a listing.`;
      return setFindings(fault('This file is too large', words));
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      replaceText(text, `${file.name} loaded.`);
    } catch {
      setFindings(fault('This file cannot be read', `${file.name} is not UTF-8 text.`));
    }
  }

  async function insertExample(): Promise<void> {
    try {
      const response = await fetch(new URL('page/example/listing.json', document.baseURI.split('#')[0]));
      replaceText(await response.text(), 'Example inserted.');
    } catch {
      setFindings(fault('No connection', 'The example could not be loaded.'));
    }
  }

  function replaceText(text: string, announcement: string): void {
    draft.value = text;
    // Photos that are here already belong to the listing that comes now.
    listAll();
    setFindings(null);
    announce(announcement);
    afterRender(() => {
      field.current?.focus();
      field.current?.setSelectionRange(0, 0);
    });
  }

  function open({ start, end }: Mistake): void {
    if (field.current !== null) selectSpan(field.current, start, end);
  }

  return (
    <section aria-labelledby="view-title" class={isDropping ? 'dropping' : undefined}>
      <h1 id="view-title" tabIndex={-1}>
        New video
      </h1>
      <p class="lede">You get one video for each agent of the listing.</p>
      <form class="listing-form" onSubmit={submit}>
        {takesPhotos.value && <PhotoTray findings={findings} onFiles={takeFiles} />}
        <div class={takesPhotos.value ? 'listing-parts' : undefined}>
          {takesPhotos.value && <FactsForm findings={findings} />}
          <div class="listing-text">
            <div class="label-line">
              <label id="listing-label" for="listing-text">
                Listing
              </label>
              <div class="ways">
                <FileButton
                  id="listing-file"
                  label="Choose a listing file"
                  accept=".json,application/json"
                  isQuiet
                  onFiles={takeListing}
                />
                <button type="button" class="quiet" onClick={insertExample}>
                  Insert an example
                </button>
              </div>
            </div>
            <JsonEditor
              id="listing-text"
              labelId="listing-label"
              describedBy="listing-help"
              text={draft.value}
              notes={notes.map(({ line, note }) => ({ line, text: note }))}
              field={field}
              onText={(text) => {
                draft.value = text;
              }}
            />
            <p id="listing-help" class="hint">
              JSON, pasted here or dropped as a file anywhere on this page: 5 to 100 photos by their URLs, and
              1 to 20 agents. Fields and limits are in the <a href="docs">API reference</a>.
            </p>
          </div>
        </div>
        <p class="actions">
          {/* Not `disabled`, which would lose the focus. */}
          <button type="submit" class="primary" aria-disabled={isSending}>
            {isSending ? 'Sending…' : 'Create the videos'}
          </button>
        </p>
      </form>
      <FindingsPanel findings={findings} panel={panel} onOpen={open} />
    </section>
  );
}

/** Why the photos cannot be sent with the listing yet; null if they can. */
function photosFault(): Findings | null {
  if (unsentCount.value > 0) {
    const words = 'Create the videos when all photos are there. It takes a moment.';
    return fault('Photos are still on their way', words);
  }
  const failed = photos.value.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  const names = failed.slice(0, 3).map(({ file }) => file.name);
  return fault('Some photos were not taken', `Send them again or remove them: ${names.join(', ')}.`);
}
