/** Where the text of the listing can come from: a file, the example, or the listing that was sent last. */
import { FileButton } from '../../../components/file-button.tsx';
import { draft, say } from './draft.ts';
import { type SentDraft, sentDrafts } from './sent-drafts.ts';

interface ListingSourcesProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string, announcement: string) => void;
  readonly onLast: (last: SentDraft) => void;
}

export function ListingSources({ onFiles, onText, onLast }: ListingSourcesProps) {
  const [last] = sentDrafts.value;
  return (
    <div class="panel-head">
      <label id="listing-label" for="listing-text">
        Listing
      </label>
      <FileButton label="Choose a listing file" accept=".json,application/json" isQuiet onFiles={onFiles}>
        Choose a listing file
      </FileButton>
      <button type="button" class="quiet" onClick={() => void insertExample(onText)}>
        Insert an example
      </button>
      {draft.value === '' && last !== undefined && (
        <button type="button" class="quiet" onClick={() => onLast(last)}>
          Use the last listing again
        </button>
      )}
    </div>
  );
}

async function insertExample(onText: ListingSourcesProps['onText']): Promise<void> {
  try {
    const response = await fetch(new URL('page/example/listing.json', document.baseURI.split('#')[0]));
    onText(await response.text(), 'Example inserted.');
  } catch {
    say('No connection', 'The example could not be loaded.');
  }
}
