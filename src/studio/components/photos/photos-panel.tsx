/** The photos of the listing in their order, those left out, and the place where more are dropped in. */
import type { ComponentChildren } from 'preact';
import { countWords } from '../../../listing/words/count-words.ts';
import type { LeftOutPhoto } from '../../editor/protocol.ts';
import { announce } from '../announce.tsx';
import { FileButton } from '../file-button.tsx';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { edit, showMoreLeftOut, view, violationsOf } from '../listing.ts';
import { useFileDrop } from '../use-file-drop.ts';
import { sentence } from '../words.ts';
import { FocusDialog } from './focus-dialog.tsx';
import { OriginalDialog } from './original-dialog.tsx';
import { OriginalsField } from './originals-field.tsx';
import { PhotoCard } from './photo-card.tsx';
import { PhotoDetails } from './photo-details.tsx';
import { addPhotos, assetsOf } from './photo-edits.ts';
import { UsualLabels } from './photo-facts.tsx';
import { chooseLayout, openedPhoto, photoLayout } from './photo-view.ts';
import { FilePicture, fileNameOf, Picture } from './pictures.tsx';
import { removeUpload, retryUpload, type Upload, uploadPhotos, uploads } from './uploads.ts';

const ACCEPT = 'image/*,.heic,.heif,.avif,.tif,.tiff';

interface PhotosPanelProps {
  /** What can be dropped in. */
  readonly hint?: ComponentChildren;
  readonly onFiles?: (files: readonly File[]) => void;
}

export function PhotosPanel({ hint, onFiles = uploadPhotos }: PhotosPanelProps) {
  const { listing, photos, left_out, left_out_more = 0 } = view.value!;
  const byUrl = new Map(photos.map((photo) => [photo.url, photo]));
  const cards = withKeys(assetsOf(listing).map(({ url }) => (typeof url === 'string' ? url : ''))).map(
    ({ key, url }, index, { length: count }) => ({
      ...{ key, index, count, url },
      photo: photos[index]?.url === url ? photos[index]! : (byUrl.get(url) ?? null),
    }),
  );
  const isGrid = photoLayout.value === 'grid';
  const opened = isGrid ? cards[openedPhoto.value] : undefined;
  const dropped = photos.filter((photo) => photo.state === 'dropped').length;
  const reading = photos.filter((photo) => photo.state === 'reading').length;
  return (
    <section class="photos" aria-label="Photos" {...useFileDrop(onFiles)}>
      <header class="panel-head">
        <h2>Photos</h2>
        <p class="soft">{cards.length}</p>
        <IconButton
          icon="grid"
          label="Show the photos as a grid"
          isPressed={isGrid}
          onClick={() => chooseLayout(isGrid ? 'list' : 'grid')}
        />
        <FileButton id="add-photos" label="Add photos" accept={ACCEPT} isMultiple onFiles={onFiles}>
          <Icon name="add" /> Add photos
        </FileButton>
      </header>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {violationsOf(['assets']).map(({ message }) => (
        <p class="fault" key={message} data-path="/assets" tabIndex={-1}>
          {sentence(message)}
        </p>
      ))}
      {reading > 0 && <p class="soft">Reading {countWords(reading, 'photo')} …</p>}
      {dropped > 0 && <p class="fault">{countWords(dropped, 'photo')} cannot be used</p>}
      <ol class="photo-list" data-layout={photoLayout.value} aria-label="Photos in their order">
        {cards.map(({ key, ...card }) => (
          <PhotoCard key={key} {...card} />
        ))}
      </ol>
      {opened !== undefined && <PhotoDetails {...opened} />}
      {uploads.value.length > 0 && (
        <ul class="uploads" aria-label="Photos that are added">
          {uploads.value.map((upload) => (
            <UploadCard key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
      {cards.length + uploads.value.length === 0 && (
        <p class="photos-empty">Drop photos here, or add them with the button above.</p>
      )}
      <OriginalsField />
      {left_out.length > 0 && <LeftOut photos={left_out} more={left_out_more} />}
      <UsualLabels />
      <OriginalDialog />
      <FocusDialog />
    </section>
  );
}

function UploadCard({ upload: { key, file, state, percent, problem } }: { readonly upload: Upload }) {
  return (
    <li class="photo" data-state={state}>
      <span class="photo-image">
        <FilePicture file={file} />
      </span>
      <div class="photo-body">
        <p class="photo-head">
          <span class="photo-name" title={file.name}>
            {file.name}
          </span>
          <IconButton
            icon="out"
            label={`Remove ${file.name}`}
            onClick={() => {
              removeUpload(key);
              document.getElementById('add-photos')?.focus();
            }}
          />
        </p>
        {problem === null ? (
          <progress max={100} value={percent} aria-label={`Sending ${file.name}`} />
        ) : (
          <p class="fault">
            {problem}{' '}
            <button
              type="button"
              class="quiet"
              aria-label={`Send again: ${file.name}`}
              onClick={() => retryUpload(key)}
            >
              Send again
            </button>
          </p>
        )}
      </div>
    </li>
  );
}

interface LeftOutProps {
  readonly photos: readonly LeftOutPhoto[];
  /** How many are not shown. */
  readonly more: number;
}

function LeftOut({ photos, more }: LeftOutProps) {
  const bringBack = (chosen: readonly LeftOutPhoto[], words: string) => {
    const assets = chosen.map(({ asset }) => asset);
    edit(
      chosen.length === 1 ? 'Bring back photo' : 'Bring back photos',
      addPhotos(view.value!.listing, assets),
    );
    announce(words);
    document.getElementById('add-photos')?.focus();
  };
  return (
    <section class="left-out" aria-label="Left out">
      <h3>Left out</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.url}>
            <Picture url={photo.url} digest={photo.digest} />
            <span class="photo-name" title={fileNameOf(photo.url)}>
              {fileNameOf(photo.url)}
            </span>
            <button
              type="button"
              aria-label={`Bring back ${fileNameOf(photo.url)}`}
              onClick={() => bringBack([photo], `${fileNameOf(photo.url)} is back, as the last photo.`)}
            >
              Bring back
            </button>
          </li>
        ))}
      </ul>
      {photos.length > 1 && (
        <button
          type="button"
          class="quiet"
          onClick={() => bringBack(photos, `${countWords(photos.length, 'photo')} are back, as the last.`)}
        >
          {more > 0 ? `Bring these ${photos.length} back` : 'Bring all back'}
        </button>
      )}
      {more > 0 && (
        <button type="button" class="quiet" onClick={showMoreLeftOut}>
          Show more: {countWords(more, 'photo')} left
        </button>
      )}
    </section>
  );
}

/** A photo that is listed twice has two keys. */
function withKeys(urls: readonly string[]): { readonly key: string; readonly url: string }[] {
  const seen = new Map<string, number>();
  return urls.map((url) => {
    const count = seen.get(url) ?? 0;
    seen.set(url, count + 1);
    return { key: `${url} ${count}`, url };
  });
}
