/** Where the focus of a photo is chosen: the point that stays in view in every crop and camera move. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Focus } from '../../../listing/listing.ts';
import type { StudioPhoto } from '../../editor/protocol.ts';
import { announce } from '../announce.tsx';
import { Dialog } from '../dialog.tsx';
import { edit, view } from '../listing.ts';
import { CropFrame } from './crop-frame.tsx';
import { toCrops } from './crops.ts';
import { FocusPoint } from './focus-point.tsx';
import { assetsOf, focusOf, setFocus } from './photo-edits.ts';
import { fileNameOf, Picture, useFileAspect } from './pictures.tsx';

/** Index of the photo; null: the dialog is closed. */
const chosenFor = signal<number | null>(null);

export function chooseFocus(index: number): void {
  chosenFor.value = index;
}

export function FocusDialog() {
  const index = chosenFor.value;
  const { listing, photos } = view.value!;
  const url = index === null ? undefined : assetsOf(listing)[index]?.url;
  const isOpen = index !== null && typeof url === 'string';
  const close = () => {
    chosenFor.value = null;
  };
  return (
    <Dialog id="focus" title={`Focus of photo ${(index ?? 0) + 1}`} isOpen={isOpen} onClose={close}>
      <p id="focus-words" class="soft">
        Drag the photo in a frame, or the point on the whole photo. The point stays in view in every crop and
        camera move.
      </p>
      {isOpen && (
        <FocusEditor
          key={url}
          index={index}
          url={url}
          photo={photos.find((each) => each.url === url) ?? null}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

interface FocusEditorProps {
  readonly index: number;
  readonly url: string;
  /** Null where nothing has looked at it. */
  readonly photo: StudioPhoto | null;
  readonly onClose: () => void;
}

function FocusEditor({ index, url, photo, onClose }: FocusEditorProps) {
  const { listing } = view.value!;
  const [draft, setDraft] = useState<Focus | null>(null);
  const fileAspect = useFileAspect(url);
  const { width_px: width, height_px: height } = photo ?? {};
  const aspect = width && height ? width / height : (fileAspect ?? 1.5);
  const guess = photo?.guess ?? null;
  const chosen = focusOf(listing, index);
  const crops = toCrops(aspect, draft ?? chosen, guess);
  const put = (focus: Focus | null) => {
    setDraft(null);
    edit(`Focus of photo ${index + 1}`, setFocus(view.value!.listing, index, focus), { isTyping: true });
  };
  const hand = { crops, onMove: setDraft, onPut: put, onCancel: () => setDraft(null) };
  const picture = <Picture url={url} digest={photo?.digest ?? null} isLarge />;
  const isChosen = draft !== null || chosen !== null;
  const toAutomatic = () => {
    put(null);
    announce('The focus is automatic again.');
  };
  return (
    <div class="focus-editor">
      <FocusPoint {...hand} label={`Focus of ${fileNameOf(url)}`} isChosen={isChosen} aspect={aspect}>
        {picture}
      </FocusPoint>
      <div class="crop-frames">
        <CropFrame {...hand} ratio="1920:1080" title="Wide, 16:9">
          {picture}
        </CropFrame>
        <CropFrame {...hand} ratio="1080:1920" title="Vertical, 9:16">
          {picture}
        </CropFrame>
      </div>
      <p class="hint">
        {isChosen
          ? 'Chosen by hand.'
          : guess === null
            ? 'Automatic: the point is found when the video is made. The frames show the middle.'
            : 'Automatic: this is what the program found.'}{' '}
        The arrow keys move the point, with Shift in larger steps. Templates that show the whole photo ignore
        it.
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
        <button
          type="button"
          aria-disabled={chosen === null}
          onClick={() => chosen !== null && toAutomatic()}
        >
          Back to automatic
        </button>
      </p>
    </div>
  );
}
