/** How a new listing begins: photos that are dropped, chosen or in a folder, MLS data, or the sample. */
import { computed, signal } from '@preact/signals';
import { countWords } from '../../listing/words/count-words.ts';
import { purposeOf, useDroppedFiles } from '../components/fields/dropped-files.ts';
import { FileButton } from '../components/file-button.tsx';
import { clearUploads, unsentCount, uploadPhotos, uploads } from '../components/photos/uploads.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { busy, importFile, nameDraft, open, openDraft, refuse, street } from './state.ts';

const MLS_FILES = '.csv,.tsv,.txt,.json,.ndjson,text/csv,application/json';
const MLS_NAME = /\.(?:csv|tsv|txt|json|ndjson)$/i;

export const failedUploads = computed(() => uploads.value.filter(({ state }) => state === 'failed'));
/** Photos of the listing that is begun. */
const sentCount = signal(0);
const isChoosing = signal(false);

/** Opens the listing of the photos that could be used. */
export function openSent(): void {
  sentCount.value = 0;
  clearUploads();
  void openDraft();
}

/** Sends photos for a new listing. @param folder - Name of the folder that was dropped; may be empty. */
export function beginWith(files: readonly File[], folder = ''): void {
  if (busy.value !== null || files.length === 0) return;
  sentCount.value += files.length;
  nameDraft(folder);
  uploadPhotos(files);
}

function take(files: readonly File[]): void {
  const photos = files.filter((file) => purposeOf(file) === 'photo');
  const data = files.find((file) => MLS_NAME.test(file.name));
  if (photos.length > 0) beginWith(photos, folderOf(photos[0]!));
  else if (data !== undefined) void importFile(data);
  else if (files.length > 0) refuse(`${files[0]!.name} is neither a photo nor MLS data.`);
}

/** `webkitRelativePath` is empty for files that were dropped one by one. */
function folderOf(file: File): string {
  return file.webkitRelativePath.split('/').at(-2) ?? '';
}

export function NewListing({ folder }: { readonly folder: string }) {
  const isOver = useDroppedFiles(take);
  const isIdle = busy.value === null && unsentCount.value === 0;
  return (
    <section class="new" data-over={isOver} aria-labelledby="new-title">
      <div>
        <h1 id="new-title">Make a video of a house</h1>
        <p class="soft">Drop its photos anywhere on this page, or a folder of them.</p>
      </div>
      <div class="field">
        <label for="street">Street and number (optional)</label>
        <input
          id="street"
          autocomplete="off"
          maxLength={120}
          value={street.value}
          onInput={({ currentTarget }) => {
            street.value = currentTarget.value;
          }}
        />
      </div>
      <div class="actions">
        <button
          type="button"
          class="primary large"
          aria-disabled={!isIdle}
          onClick={() => {
            if (isIdle) isChoosing.value = true;
          }}
        >
          Choose photos…
        </button>
        <FileButton
          label="Import from MLS file…"
          accept={MLS_FILES}
          isBusy={!isIdle}
          onFiles={([file]) => {
            if (file !== undefined) void importFile(file);
          }}
        >
          Import from MLS file…
        </FileButton>
        <button
          type="button"
          aria-disabled={!isIdle}
          onClick={() => void (isIdle && open({ sample: true }, 'Copying the sample house …'))}
        >
          Try the sample house
        </button>
      </div>
      <Progress />
      <p class="hint">
        A new listing gets its own folder in {folder}, named for the address or the date. Photos that you drop
        are copied there. If you choose a folder, its photos stay where they are, and the listing and its
        videos go into the same folder. Your photos stay on this computer.
      </p>
      <FolderDialog
        isOpen={isChoosing.value}
        onClose={() => {
          isChoosing.value = false;
        }}
        onFiles={beginWith}
      />
    </section>
  );
}

function Progress() {
  const failed = failedUploads.value;
  const sent = sentCount.value - unsentCount.value;
  if (unsentCount.value > 0)
    return (
      <div class="sending">
        <p id="sending-words">
          Copying photos: {sent} of {sentCount.value}
        </p>
        <progress aria-labelledby="sending-words" max={sentCount.value} value={sent} />
      </div>
    );
  if (failed.length > 0) {
    const good = sentCount.value - failed.length;
    return (
      <div class="failed">
        <p class="fault">{countWords(failed.length, 'file')} cannot be used:</p>
        <ul>
          {failed.map(({ key, file, problem }) => (
            <li key={key}>
              {file.name}: {problem}
            </li>
          ))}
        </ul>
        <p class="actions">
          {good > 0 && (
            <button type="button" class="primary" onClick={openSent}>
              Continue with {countWords(good, 'photo')}
            </button>
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              sentCount.value = 0;
              clearUploads();
            }}
          >
            Close
          </button>
        </p>
      </div>
    );
  }
  return busy.value === null ? null : (
    <div class="sending">
      <p id="busy-words">{busy.value}</p>
      <progress aria-labelledby="busy-words" />
    </div>
  );
}
