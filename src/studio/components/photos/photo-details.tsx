/** Below the grid: what the photo that was chosen there says. */
import { PhotoBody, type PhotoProps } from './photo-body.tsx';
import { PhotoFacts } from './photo-facts.tsx';

export function PhotoDetails(props: PhotoProps) {
  const { index, photo } = props;
  return (
    <section class="photo-details" aria-label={`Photo ${index + 1}`}>
      <PhotoBody {...props} />
      <PhotoFacts index={index} photo={photo} />
    </section>
  );
}
