/** Where the original of an altered photo is chosen: from the photos that are there, or a file. */
import { signal } from '@preact/signals';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { Dialog } from '../dialog.tsx';
import { FileDrop } from '../fields/file-drop.tsx';
import { toElementId } from '../forms/target.ts';
import { edit, view } from '../listing.ts';
import { assetsOf, setOriginal } from './photo-edits.ts';
import { fileNameOf, Picture } from './pictures.tsx';

/** Index of the altered photo; null: the dialog is closed. */
const chosenFor = signal<number | null>(null);

export function chooseOriginal(index: number): void {
  chosenFor.value = index;
}

export function OriginalDialog() {
  const index = chosenFor.value;
  const title = `Original of photo ${(index ?? 0) + 1}`;
  const close = () => {
    chosenFor.value = null;
  };
  const take = (url: string) => {
    // The person can have closed the dialog while a file was on its way.
    if (index === null || assetsOf(view.value!.listing)[index] === undefined) return;
    edit(`Add original of photo ${index + 1}`, setOriginal(view.value!.listing, index, url));
    announce(`${fileNameOf(url)} is the original of photo ${index + 1}.`);
    close();
    afterRender(() => document.getElementById(toElementId(['assets', index, 'original']))?.focus());
  };
  return (
    <Dialog id="original" title={title} isOpen={index !== null} onClose={close}>
      <p id="original-words" class="soft">
        The photo as it was before the change. The video shows it right after the altered one, in the same
        place, and nowhere else.
      </p>
      {index !== null && (
        <FileDrop
          purpose="photo"
          accept="image/*,.heic,.heif,.avif,.tif,.tiff"
          label="Choose a file"
          of={title}
          onAdded={take}
          action={
            <button type="button" class="quiet" onClick={close}>
              Cancel
            </button>
          }
        >
          <Candidates index={index} onTake={take} />
          <span class="hint">Choose a photo above, or drop a file here.</span>
        </FileDrop>
      )}
    </Dialog>
  );
}

interface CandidatesProps {
  /** Of the altered photo. */
  readonly index: number;
  readonly onTake: (url: string) => void;
}

/** Photos that were left out come first: an original is often one. */
function Candidates({ index, onTake }: CandidatesProps) {
  const { listing, left_out, photos } = view.value!;
  const listed = assetsOf(listing).flatMap(({ url, altered }, place) =>
    typeof url !== 'string' || place === index || (altered !== undefined && altered !== false)
      ? []
      : [{ url, digest: photos.find((photo) => photo.url === url)?.digest ?? null }],
  );
  const candidates = [...left_out, ...listed];
  if (candidates.length === 0) return null;
  return (
    <ul class="candidates" aria-label="Photos of this listing, and photos that were left out">
      {candidates.map(({ url, digest }) => (
        <li key={url}>
          <button type="button" onClick={() => onTake(url)}>
            <span class="candidate-image">
              <Picture url={url} digest={digest} />
            </span>
            <span class="photo-name">{fileNameOf(url)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
