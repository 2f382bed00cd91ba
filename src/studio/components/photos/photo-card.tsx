/** One photo in the list, with all that it says, or in the grid, where the picture stands alone. */
import { Icon } from '../icon.tsx';
import { showPhoto } from '../listing.ts';
import { drag, followDrag } from './drag-photos.ts';
import { PhotoBody, type PhotoProps } from './photo-body.tsx';
import { PhotoFacts } from './photo-facts.tsx';
import { movePhotoTo } from './photo-moves.ts';
import { openedPhoto, openPhoto, photoLayout } from './photo-view.ts';
import { fileNameOf, Picture } from './pictures.tsx';

export function PhotoCard(props: PhotoProps) {
  const { index, count, url, photo } = props;
  const number = index + 1;
  const isGrid = photoLayout.value === 'grid';
  const isOpened = isGrid && openedPhoto.value === index;
  const onPointerDown = (event: PointerEvent) => {
    const list = (event.currentTarget as HTMLElement).closest('ol');
    if (event.button !== 0 || list === null) return;
    followDrag(event, { list, from: index, isGrid, onDrop: (to) => movePhotoTo(index, to) });
  };
  const gap = drag.value === null || drag.value.from === index ? null : drag.value.gap;
  return (
    <li
      class="photo"
      onKeyDown={(event) => onKeyDown(event, index, isGrid)}
      data-dragged={drag.value?.from === index}
      data-gap={gap === index ? 'before' : gap === count && index === count - 1 ? 'after' : undefined}
      data-state={photo?.state ?? 'reading'}
      data-opened={isOpened}
    >
      <button
        type="button"
        class="photo-image"
        aria-label={`Photo ${number} of ${count}, ${fileNameOf(url)}${index === 0 ? ', the opening' : ''}. Alt with the arrow keys moves it.`}
        {...(isGrid && { 'aria-current': isOpened, tabIndex: isOpened ? 0 : -1, title: fileNameOf(url) })}
        data-path={`/assets/${index}`}
        onClick={() => showPhoto(index)}
        onFocus={() => openPhoto(index)}
        onPointerDown={onPointerDown}
      >
        <Picture url={url} digest={photo?.digest ?? null} />
        <span class="photo-number">{number}</span>
      </button>
      {!isGrid && (
        <>
          <PhotoBody {...props} />
          <PhotoFacts index={index} photo={photo} />
          <span class="photo-grip" aria-hidden="true" onPointerDown={onPointerDown}>
            <Icon name="grip" />
          </span>
        </>
      )}
    </li>
  );
}

/** With Alt a photo is moved; without it, arrows go from photo to photo in the grid. */
function onKeyDown(event: KeyboardEvent, index: number, isGrid: boolean): void {
  // These keys open the list of a choice.
  if (event.target instanceof HTMLElement && event.target.matches('select, [list]')) return;
  const photos = [...(event.currentTarget as HTMLElement).parentElement!.children] as HTMLElement[];
  const row = isGrid ? photos.filter(({ offsetTop }) => offsetTop === photos[0]!.offsetTop).length : 1;
  const steps: Record<string, number> = { ArrowUp: -row, ArrowLeft: -1, ArrowDown: row, ArrowRight: 1 };
  const ends: Record<string, number> = { Home: 0, ...(!event.altKey && { End: photos.length - 1 }) };
  const step = steps[event.key];
  const to = step === undefined ? ends[event.key] : index + step;
  if (to === undefined || event.ctrlKey || event.metaKey || !(event.altKey || isGrid)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.altKey) movePhotoTo(index, to);
  else photos[to]?.querySelector<HTMLElement>('.photo-image')?.focus();
}
