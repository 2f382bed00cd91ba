/** The photos of the listing in their order, those left out, and the place where more are dropped in. */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import type { LeftOutPhoto } from '../../editor/protocol.ts';
import { announce } from '../announce.ts';
import { edit, state, violationsOf } from '../state.ts';
import { countWords, sentence } from '../../components/words.ts';
import { PhotoCard } from '../../components/photos/photo-card.tsx';
import { addPhotos, assetsOf } from '../../components/photos/photo-edits.ts';
import { refused, upload, uploadPhotos } from './upload-photos.ts';

const ACCEPT = 'image/*,.heic,.heif,.avif';

/** Files are held over the panel. */
const isOver = signal(false);

export function PhotosPanel() {
  const { listing, photos, left_out } = state.value!;
  const assets = assetsOf(listing);
  const cards = withKeys(assets.map(({ url }) => (typeof url === 'string' ? url : '')));
  const byUrl = new Map(photos.map((photo) => [photo.url, photo]));
  const dropped = photos.filter((photo) => photo.state === 'dropped').length;
  const reading = photos.filter((photo) => photo.state === 'reading').length;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    void uploadPhotos([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <section
      class="photos"
      aria-label="Photos"
      data-over={isOver.value}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) isOver.value = false;
      }}
      onDrop={onDrop}
    >
      <header class="panel-head">
        <h2>Photos</h2>
        <p class="soft">{assets.length}</p>
        <AddButton />
      </header>
      {violationsOf(['assets']).map(({ message }) => (
        <p class="fault" key={message} data-path="/assets" tabIndex={-1}>
          {sentence(message)}
        </p>
      ))}
      {reading > 0 && <p class="reading">Reading {countWords(reading, 'photo')} …</p>}
      {dropped > 0 && <p class="dropped">{countWords(dropped, 'photo')} cannot be used</p>}
      <Uploading />
      <ol class="photo-list">
        {cards.map(({ key, url }, index) => (
          <PhotoCard
            key={key}
            index={index}
            count={cards.length}
            name={nameOf(url)}
            photo={photos[index]?.url === url ? photos[index]! : (byUrl.get(url) ?? null)}
          />
        ))}
      </ol>
      {assets.length === 0 && (
        <p class="photos-empty">Drop photos here, or add them with the button above.</p>
      )}
      {left_out.length > 0 && <LeftOut photos={left_out} />}
    </section>
  );
}

function AddButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        {...(upload.value === null ? {} : { 'aria-disabled': true })}
        onClick={() => {
          if (upload.value === null) input.current?.click();
        }}
      >
        <Icon name="add" /> Add photos
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPT}
        onChange={(event) => {
          void uploadPhotos([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function Uploading() {
  return (
    <>
      {upload.value !== null && (
        <p class="uploading">
          Adding photo {upload.value.done + 1} of {upload.value.count} …
          <progress max={upload.value.count} value={upload.value.done} aria-label="Photos added" />
        </p>
      )}
      {refused.value.length > 0 && (
        <div class="refused">
          <p>{countWords(refused.value.length, 'file')} could not be used:</p>
          <ul>
            {refused.value.map(({ name, message }) => (
              <li key={name}>
                <strong>{name}</strong> {sentence(message)}
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              refused.value = [];
            }}
          >
            Close
          </button>
        </div>
      )}
    </>
  );
}

function LeftOut({ photos }: { readonly photos: readonly LeftOutPhoto[] }) {
  return (
    <section class="left-out" aria-label="Left out">
      <h3>Left out</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.url}>
            {photo.digest ? (
              <img src={`/api/thumbnails/${photo.digest}`} alt="" loading="lazy" />
            ) : (
              <span class="photo-blank" />
            )}
            <span class="photo-name" title={nameOf(photo.url)}>
              {nameOf(photo.url)}
            </span>
            <button
              type="button"
              aria-label={`Bring back ${nameOf(photo.url)}`}
              onClick={() => {
                edit('Bring back photo', addPhotos(state.value!.listing, [photo.asset]));
                announce(`${nameOf(photo.url)} is back, as the last photo.`);
                document.querySelector<HTMLElement>('.photos button')?.focus();
              }}
            >
              Bring back
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The file name in an address or path, as people wrote it. */
function nameOf(url: string): string {
  const last = url.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last;
  }
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
