/**
 * Pictures of photos: the server's thumbnail, or where it has none the file itself, as far as it was dropped in here.
 */
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StudioImage } from '../../editor/protocol.ts';

/** Twice the width at which a picture is shown in a list. */
const WIDTH_PX = 400;

/** Files of this session, by what the listing calls them. */
const files = signal<ReadonlyMap<string, File>>(new Map());
const drawn = new WeakMap<File, Promise<ImageBitmap | null>>();
/** One after the other: each decodes a whole photo. */
let lastDrawn: Promise<unknown> = Promise.resolve();

export function rememberFile(url: string, file: File): void {
  files.value = new Map(files.peek()).set(url, file);
}

/** The name of the file in an address or path, as people wrote it. */
export function fileNameOf(url: string): string {
  const known = files.value.get(url);
  if (known !== undefined) return known.name;
  const last = url.split(/[?#]/)[0]?.split(/[/\\]/).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last;
  }
}

interface PictureProps extends Partial<Pick<StudioImage, 'url' | 'digest'>> {
  readonly isLarge?: boolean;
}

export function Picture({ url, digest, isLarge = false }: PictureProps) {
  const file = url === undefined ? undefined : files.value.get(url);
  if (digest) {
    const src = `/api/thumbnails/${digest}${isLarge ? '?size=large' : ''}`;
    return <img src={src} alt="" draggable={false} loading="lazy" />;
  }
  return file === undefined ? <span class="photo-blank" /> : <FilePicture file={file} />;
}

/** The proportions of a photo that was dropped in here, width by height; null: they are not known (yet). */
export function useFileAspect(url: string | null): number | null {
  const file = url === null ? undefined : files.value.get(url);
  const [known, setKnown] = useState<{ readonly file: File; readonly aspect: number } | null>(null);
  useEffect(() => {
    if (file === undefined) return;
    void draw(file).then((bitmap) => {
      if (bitmap !== null) setKnown({ file, aspect: bitmap.width / bitmap.height });
    });
  }, [file]);
  return known !== null && known.file === file ? known.aspect : null;
}

/** Whether {@link Picture} can show something. */
export function hasPicture(url: string, digest: string | null): boolean {
  return digest !== null || files.value.has(url);
}

/** Drawn on a canvas: an address of the file would have to be allowed by the page's policy. */
export function FilePicture({ file }: { readonly file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isShown = true;
    void draw(file).then((bitmap) => {
      const to = canvas.current;
      if (!isShown || bitmap === null || to === null) return;
      to.width = bitmap.width;
      to.height = bitmap.height;
      to.getContext('2d')?.drawImage(bitmap, 0, 0);
    });
    return () => {
      isShown = false;
    };
  }, [file]);
  return <canvas ref={canvas} class="photo-blank" />;
}

/** Null for a format that the browser cannot show. The server decides whether it can be used. */
function draw(file: File): Promise<ImageBitmap | null> {
  const known = drawn.get(file);
  if (known !== undefined) return known;
  const bitmap = lastDrawn
    .then(() => createImageBitmap(file, { resizeWidth: WIDTH_PX, resizeQuality: 'medium' }))
    .catch(() => null);
  drawn.set(file, bitmap);
  lastDrawn = bitmap;
  return bitmap;
}
