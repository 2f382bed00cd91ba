/** The name, the actions and the caption of one photo, or why it is not in the video. */
import type { StudioPhoto } from '../../editor/protocol.ts';
import { IconButton } from '../icon-button.tsx';
import { reasonWords } from '../words.ts';
import { PhotoCaption } from './photo-caption.tsx';
import { leaveOutPhoto, movePhotoTo } from './photo-moves.ts';
import { fileNameOf } from './pictures.tsx';

export interface PhotoProps {
  readonly index: number;
  readonly count: number;
  readonly url: string;
  /** Null until the studio has looked at it. */
  readonly photo: StudioPhoto | null;
}

export function PhotoBody({ index, count, url, photo }: PhotoProps) {
  const number = index + 1;
  const name = fileNameOf(url);
  return (
    <div class="photo-body">
      <p class="photo-head">
        <span class="photo-name" title={name}>
          {index === 0 ? 'Opening' : name}
        </span>
        <span class="photo-actions">
          {index > 0 && (
            <IconButton
              icon="opening"
              label={`Make photo ${number} the opening`}
              onClick={() => movePhotoTo(index, 0)}
            />
          )}
          <span class="touch-only">
            <IconButton
              icon="up"
              label={`Move photo ${number} up`}
              isDisabled={index === 0}
              onClick={() => movePhotoTo(index, index - 1)}
            />
            <IconButton
              icon="down"
              label={`Move photo ${number} down`}
              isDisabled={number === count}
              onClick={() => movePhotoTo(index, index + 1)}
            />
          </span>
          <IconButton icon="out" label={`Leave out photo ${number}`} onClick={() => leaveOutPhoto(index)} />
        </span>
      </p>
      {photo?.state === 'dropped' ? (
        <p class="fault">Not in the video. {reasonWords(photo.problem ?? 'It cannot be used.')}</p>
      ) : (
        <PhotoCaption index={index} />
      )}
    </div>
  );
}
