/** Builds photos and images in their boxes: covering, whole on a mat, whole on the page, or in justified rows. Pure. */
import type { Photo } from '../../assets/photo.ts';
import type { ImageElement, MosaicElement, PhotoElement } from '../../template/elements.ts';
import { growBox, roundEdges, spaceBefore, toPx } from '../box.ts';
import { arrangeRows } from '../scenes/arrange-photos.ts';
import { canCover, restingPart, standWhole } from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import type { BuiltElement, LayerDraft, PhotoDraft, SceneContext } from './scene-context.ts';

/** Room for the camera, so that a moving photo also stays within the limit of enlargement. */
const CAMERA_HEADROOM = 1.04;
/** Width of the mat around a photo that stands whole, as a share of the box's shorter side. */
const MAT = 0.05;
const DEFAULT_CROP_LOSS = 0.45;

/** The photo in its box. A `cover` that would crop or enlarge too much does not fit. */
export function buildPhoto(element: PhotoElement, context: SceneContext): BuiltElement {
  const photo = context.photos[element.photo];
  if (!photo) return { layers: [], fits: false };
  const box = toPx(element.box, context.frame);
  const camera = element.camera ?? 'move';
  const base = { id: element.id, photo, camera };
  const moved = (layers: readonly LayerDraft[]): LayerDraft[] =>
    layers.map((layer) =>
      animated(element.mask ? { ...layer, mask: toLayerMask(element.mask) } : layer, element, {
        host: box,
        fps: context.fps,
      }),
    );
  const headroom = camera === 'move' ? CAMERA_HEADROOM : 1;
  const covers = canCoverMoving(photo, box, element.maxCropLoss ?? DEFAULT_CROP_LOSS, headroom);
  if (element.fit === 'plate') {
    return {
      layers: moved([draft(base, roundEdges(standWhole(photo, box, headroom, element.maxCropLoss ?? 0)))]),
      fits: true,
    };
  }
  if (covers) return { layers: moved([draft(base, box)]), fits: true };
  return { layers: moved(onMat(base, photo, box, context, headroom)), fits: element.fit === 'mat' };
}

/** All photos of the scene; ids are `photo-1`, `photo-2` … */
export function buildMosaic(element: MosaicElement, context: SceneContext): BuiltElement {
  const area = toPx(element.box, context.frame);
  const boxes = arrangeRows(context.photos, {
    area,
    gapPx: element.gap,
    fit: element.fit,
    maxCropLoss: element.maxCropLoss ?? 0,
  });
  const layers = context.photos.flatMap((photo, index): LayerDraft[] => {
    const box = boxes[index]!;
    const base = { id: `${element.id}-${index + 1}`, photo, camera: 'move' as const };
    if (canCoverMoving(photo, box, DEFAULT_CROP_LOSS, CAMERA_HEADROOM)) return [draft(base, box)];
    return onMat(base, photo, box, context, CAMERA_HEADROOM);
  });
  return { layers, fits: true };
}

/** The image of an image data layer, whole in its box. */
export function buildImage(element: ImageElement, context: SceneContext): BuiltElement {
  const image = context.images.get(element.layer);
  if (!image) return { layers: [], fits: true };
  const area = toPx(element.box, context.frame);
  const scale = Math.min(area.w / image.widthPx, area.h / image.heightPx);
  const w = Math.round(image.widthPx * scale);
  const h = Math.round(image.heightPx * scale);
  const x = Math.round(area.x + spaceBefore(area.w - w, element.align));
  const y = Math.round(area.y + spaceBefore(area.h - h, element.anchor));
  const layer: LayerDraft = { type: 'graphic', id: element.id, digest: image.digest, box: { x, y, w, h } };
  return { layers: [animated(layer, element, { fps: context.fps })], fits: true };
}

/** Size of the area around a photo's focus that must stay visible, as a share of the frame's shorter side. */
const ATTENTION = 0.1;

/** True when the photo's focus lies under or too near one of the boxes, before the camera moves. */
export function hidesAttention(
  { photo, box }: Pick<PhotoDraft, 'photo' | 'box'>,
  over: readonly Box[],
  frame: { readonly w: number; readonly h: number },
): boolean {
  const { left, top, width, height } = restingPart(photo, box);
  const x = box.x + ((photo.focus.x - left) / width) * box.w;
  const y = box.y + ((photo.focus.y - top) / height) * box.h;
  const room = (ATTENTION * Math.min(frame.w, frame.h)) / 2;
  return over.some(
    (cover) =>
      x > cover.x - room &&
      x < cover.x + cover.w + room &&
      y > cover.y - room &&
      y < cover.y + cover.h + room,
  );
}

function canCoverMoving(photo: Photo, box: Box, maxCropLoss: number, headroom: number): boolean {
  return canCover(
    { widthPx: photo.widthPx / headroom, heightPx: photo.heightPx / headroom },
    box,
    maxCropLoss,
  );
}

type DraftBase = Pick<PhotoDraft, 'id' | 'photo' | 'camera'>;

function draft(base: DraftBase, box: Box): PhotoDraft {
  return { ...base, type: 'photo', digest: base.photo.digest, box };
}

function onMat(
  base: DraftBase,
  photo: Photo,
  box: Box,
  context: SceneContext,
  headroom: number,
): LayerDraft[] {
  const inset = Math.round(Math.min(box.w, box.h) * MAT);
  return [
    fillLayer(`${base.id}-mat`, box, context.palette.tint),
    draft(base, roundEdges(standWhole(photo, growBox(box, -inset), headroom))),
  ];
}
