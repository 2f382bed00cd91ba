/** The photos that are sent to the server: chosen or dropped, with their progress and faults, in the order of the listing. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../../../studio/components/icon-button.tsx';
import { countWords } from '../../../../studio/serve-page/browser/words.ts';
import { draftListing } from './draft.ts';
import { FileButton } from './file-button.tsx';
import { type Findings, faultsAt } from '../../../../studio/serve-page/browser/new-video/findings.ts';
import { listAll, movePhoto, type Photo, photos, removePhoto, retryPhoto, unlisted } from './photos.ts';

/** What the browser offers to choose. The server looks at the bytes. */
const ACCEPTED = 'image/*,.heic,.heif,.avif,.tif,.tiff';
const PICKER_ID = 'photo-files';
/** Marks what is dragged as a photo of this tray. */
const DRAG_TYPE = 'text/x-listing-photo';

/** The buttons of a photo, in their order. */
const ACTIONS = ['earlier', 'later', 'remove'] as const;

type Focus = { readonly key: number; readonly action: (typeof ACTIONS)[number] } | null;

interface PhotoTrayProps {
  readonly findings: Findings | null;
  readonly onFiles: (files: readonly File[]) => void;
}

export function PhotoTray({ findings, onFiles }: PhotoTrayProps) {
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<Focus>(null);
  const [draggedOver, setDraggedOver] = useState<number | null>(null);
  const all = photos.value;

  // A button that moved in the document has lost the focus.
  useLayoutEffect(() => {
    if (focus.current === null) return;
    const { key, action } = focus.current;
    focus.current = null;
    const buttons = list.current?.querySelectorAll<HTMLElement>(`[data-key="${key}"] .photo-actions button`);
    const button = buttons?.[ACTIONS.indexOf(action)];
    (button ?? document.getElementById(PICKER_ID))?.focus();
  });

  const move = (key: number, to: number, action: 'earlier' | 'later') => {
    if (to < 0 || to >= all.length) return;
    focus.current = { key, action };
    movePhoto(key, to);
  };
  const remove = (index: number) => {
    const next = all[index + 1] ?? all[index - 1];
    focus.current = { key: next?.key ?? -1, action: 'remove' };
    removePhoto(all[index]!.key);
  };
  return (
    <section class="photos" aria-labelledby="photos-title">
      <div class="label-line">
        <h2 id="photos-title">Photos</h2>
        {all.length > 0 && (
          <span class="hint">{countWords(all.length, 'photo')} in the order of the video</span>
        )}
      </div>
      <div class="pick">
        <FileButton
          id={PICKER_ID}
          label="Choose photos"
          accept={ACCEPTED}
          isMultiple
          describedBy="photos-help"
          onFiles={onFiles}
        />
        <p id="photos-help" class="hint">
          or drop them anywhere on this page. At least 5, each up to 25 MB.
        </p>
      </div>
      {all.length > 0 && (
        <ol class="tray" ref={list} aria-label="Photos">
          {all.map((photo, index) => (
            <PhotoCard
              key={photo.key}
              photo={photo}
              index={index}
              count={all.length}
              isTarget={draggedOver === photo.key}
              onMove={(to, action) => move(photo.key, to, action)}
              onRemove={() => remove(index)}
              onDragOver={setDraggedOver}
            />
          ))}
        </ol>
      )}
      {faultsAt(findings, draftListing.value, ['assets']).map((words) => (
        <p class="fault" key={words}>
          {words}
        </p>
      ))}
      <Unlisted />
    </section>
  );
}

interface PhotoCardProps {
  readonly photo: Photo;
  readonly index: number;
  readonly count: number;
  /** A dragged photo would take its place. */
  readonly isTarget: boolean;
  readonly onMove: (to: number, action: 'earlier' | 'later') => void;
  readonly onRemove: () => void;
  readonly onDragOver: (key: number | null) => void;
}

function PhotoCard({ photo, index, count, isTarget, onMove, onRemove, onDragOver }: PhotoCardProps) {
  const { key, file, state, fault } = photo;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    if (event.key === 'ArrowLeft') onMove(index - 1, 'earlier');
    else onMove(index + 1, 'later');
  };
  return (
    <li
      class={isTarget ? 'photo target' : 'photo'}
      data-key={key}
      data-state={state}
      draggable
      onKeyDown={onKeyDown}
      onDragStart={(event) => event.dataTransfer?.setData(DRAG_TYPE, String(key))}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(DRAG_TYPE)) return;
        event.preventDefault();
        onDragOver(key);
      }}
      onDragLeave={() => onDragOver(null)}
      onDrop={(event) => {
        onDragOver(null);
        const dragged = event.dataTransfer?.getData(DRAG_TYPE);
        if (!dragged) return;
        event.preventDefault();
        movePhoto(Number(dragged), index);
      }}
    >
      <Thumbnail photo={photo} number={index + 1} />
      <p class="photo-name" title={file.name}>
        {file.name}
      </p>
      {fault !== null && (
        <p class="fault">
          {fault}{' '}
          <button
            type="button"
            class="quiet"
            aria-label={`Send ${file.name} again`}
            onClick={() => retryPhoto(key)}
          >
            Send again
          </button>
        </p>
      )}
      <p class="photo-actions">
        <IconButton
          icon="left"
          label={`Move ${file.name} earlier`}
          keys="Alt+←"
          isDisabled={index === 0}
          onClick={() => onMove(index - 1, 'earlier')}
        />
        <IconButton
          icon="right"
          label={`Move ${file.name} later`}
          keys="Alt+→"
          isDisabled={index === count - 1}
          onClick={() => onMove(index + 1, 'later')}
        />
        <IconButton icon="out" label={`Remove ${file.name}`} onClick={onRemove} />
      </p>
    </li>
  );
}

/** Drawn on a canvas: an address of the file would have to be allowed by the page's policy. */
function Thumbnail({
  photo: { thumbnail, state, percent, file },
  number,
}: {
  readonly photo: Photo;
  readonly number: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (thumbnail === null || canvas.current === null) return;
    canvas.current.width = thumbnail.width;
    canvas.current.height = thumbnail.height;
    canvas.current.getContext('2d')?.drawImage(thumbnail, 0, 0);
  }, [thumbnail]);
  return (
    <div class="thumbnail">
      {thumbnail !== null && <canvas ref={canvas} />}
      {thumbnail === null && state === 'ready' && <span class="hint">No preview</span>}
      <span class="photo-number">{number === 1 ? '1 · Opening' : number}</span>
      {state === 'sending' && <progress max={100} value={percent} aria-label={`Sending ${file.name}`} />}
      {state === 'waiting' && <span class="spoken">Waiting to be sent</span>}
    </div>
  );
}

function Unlisted() {
  const [isRefused, setRefused] = useState(false);
  const count = unlisted.value.length;
  if (count === 0) return null;
  return (
    <p class="unlisted">
      {countWords(count, 'photo')} {count === 1 ? 'is' : 'are'} not in the listing below.{' '}
      <button type="button" onClick={() => setRefused(!listAll())}>
        Put {count === 1 ? 'it' : 'them'} in
      </button>
      {isRefused && (
        <span class="fault" role="alert">
          {' '}
          The listing is not JSON yet: correct it first.
        </span>
      )}
    </p>
  );
}
