/** Builds photos and images in their boxes: covering, whole on a mat, whole on the page, or in justified rows. Pure. */
import type { ImageElement, MosaicElement, PhotoElement } from '../../template/elements.ts';
import { intersection, spaceBefore, toPx } from '../box.ts';
import { nearView } from '../scenes/close-up.ts';
import {
  hasPanRoom,
  inViewOf,
  isPanorama,
  MAX_ENLARGEMENT,
  restingPart,
  viewAbove,
} from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import { CAMERA_HEADROOM, type PhotoPlace, placeMosaic, placePhoto } from './place-photo.ts';
import type { BuiltElement, LayerDraft, PhotoDraft, SceneContext, ScenePhoto } from './scene-context.ts';

export function buildPhoto(element: PhotoElement, context: SceneContext): BuiltElement {
  const photo = context.photos[element.photo];
  if (!photo) return { layers: [], fits: false };
  const host = toPx(element.box, context.frame);
  const place = placePhoto(element, photo, host);
  const aimed =
    element.subjectAbove === undefined ? { photo } : aimAbove(element.subjectAbove, photo, place, context);
  const { id, camera = 'move', maxEnlargement } = element;
  const base = { id, ...aimed, camera, ...(maxEnlargement !== undefined && { maxEnlargement }) };
  // An altered photo is never seen in part, beside which its label would not be seen whole.
  const motion = photo.label === undefined ? element : {};
  const lines =
    element.print && place.isPrint ? printLines(element.id, place.box, element.print, context) : [];
  const layers = [...lines, ...placedLayers(base, place, context)].map((layer) =>
    animated(element.mask ? { ...layer, mask: toLayerMask(element.mask) } : layer, motion, {
      host,
      fps: context.fps,
    }),
  );
  return { layers: withNextViews(layers, element, place, context), fits: place.fits };
}

/**
 * Other views over the photo, the best first, which fill the same place: of them the scene keeps one at most. The same photo is
 * shown nearer, after a cut: dissolved into itself it would look like a fault.
 */
function withNextViews(
  layers: LayerDraft[],
  element: PhotoElement,
  { box, mat }: PhotoPlace,
  context: SceneContext,
): LayerDraft[] {
  const { photos = [], dissolveSec = 0 } = context.photos[element.photo]?.next ?? {};
  const first = layers.find((layer): layer is PhotoDraft => layer.type === 'photo');
  if (first === undefined || mat !== undefined || element.fit === 'plate') return layers;
  const turn = (of: 'first' | 'next', sec = dissolveSec) => ({ turn: { of, dissolveSec: sec } });
  const views = photos.flatMap((photo): PhotoDraft[] => {
    if (photo.digest === first.digest) {
      const near = nearerLayer(first, element, context);
      return near ? [{ ...near, id: `${element.id}-next`, ...turn('next', 0) }] : [];
    }
    const place = placePhoto(element, photo, toPx(element.box, context.frame));
    // Half a scene is too short to cross a panorama.
    if (!place.fits || place.mat !== undefined || isPanorama(photo)) return [];
    const aimed =
      element.subjectAbove === undefined ? { photo } : aimAbove(element.subjectAbove, photo, place, context);
    const { mask, maxEnlargement } = first;
    return [
      {
        ...{ ...(mask && { mask }), ...(maxEnlargement !== undefined && { maxEnlargement }) },
        ...{ type: 'photo', id: `${element.id}-next`, digest: photo.digest, box, ...aimed, ...turn('next') },
        camera: element.camera ?? 'move',
      },
    ];
  });
  if (views.length === 0) return layers;
  return [...layers.map((layer) => (layer === first ? { ...layer, ...turn('first') } : layer)), ...views];
}

/** The same photo nearer, in the same place; none where words stand on it. */
function nearerLayer(
  layer: PhotoDraft,
  { subjectAbove }: PhotoElement,
  { lightOf }: SceneContext,
): PhotoDraft | undefined {
  const { photo, box, maxEnlargement = MAX_ENLARGEMENT } = layer;
  if (subjectAbove !== undefined) return undefined;
  const isCrossed = layer.camera === 'pan' && hasPanRoom(layer);
  const near = nearView({
    photo,
    box,
    approach: isCrossed ? 1 : (photo.next?.approach ?? 1),
    maxEnlargement: maxEnlargement / CAMERA_HEADROOM,
    light: lightOf?.(photo),
  });
  if (near === undefined) return undefined;
  const { subject: _, bareFrom: __, ...free } = photo;
  return { ...layer, photo: { ...free, focus: near.focus }, closer: near.closer };
}

/** All photos of the scene; ids are `photo-1`, `photo-2` … */
export function buildMosaic(element: MosaicElement, context: SceneContext): BuiltElement {
  const places = placeMosaic(element, context.photos, context.frame);
  const layers = context.photos.flatMap((photo, index) => {
    const base = { id: `${element.id}-${index + 1}`, photo, camera: 'move' as const };
    return placedLayers(base, places[index]!, context);
  });
  return { layers, fits: true };
}

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

type RestingPhoto = Pick<PhotoDraft, 'photo' | 'box' | 'closer'>;

/** Where places of the photo, shares of its sides, stand in the frame before the camera moves. */
function inFrame({ photo, box, closer }: RestingPhoto) {
  const { left, top, width, height } = restingPart(photo, box, closer);
  return {
    across: (x: number) => box.x + ((x - left) / width) * box.w,
    down: (y: number) => box.y + ((y - top) / height) * box.h,
  };
}

/** True when the photo's focus lies under or too near one of the boxes, before the camera moves. */
export function hidesAttention(
  photo: RestingPhoto,
  over: readonly Box[],
  frame: { readonly w: number; readonly h: number },
): boolean {
  const { across, down } = inFrame(photo);
  const { focus } = photo.photo;
  const [x, y] = [across(focus.x), down(focus.y)];
  const room = (ATTENTION * Math.min(frame.w, frame.h)) / 2;
  return over.some(
    (cover) =>
      x > cover.x - room &&
      x < cover.x + cover.w + room &&
      y > cover.y - room &&
      y < cover.y + cover.h + room,
  );
}

/** Of a house's height, what words can take from its roof or its foot: as much as a crop can cut off. */
const HIDDEN_HOUSE = 0.2;

/** True when one of the boxes takes more of the photo's house, before the camera moves. */
export function hidesHouse(photo: RestingPhoto, over: readonly Box[]): boolean {
  const { subject } = photo.photo;
  if (subject === undefined) return false;
  const { across, down } = inFrame(photo);
  const [x, y] = [across(subject.left), down(subject.top)];
  const house = { x, y, w: across(subject.right) - x, h: down(subject.bottom) - y };
  return over.some((cover) => {
    const fromRoof = cover.y + cover.h - house.y;
    const fromFoot = house.y + house.h - cover.y;
    return intersection(house, cover).w > 0 && Math.min(fromRoof, fromFoot) > HIDDEN_HOUSE * house.h;
  });
}

/** The view of a photo whose subject stands above a share of the frame. The listing's own focus stays as it is. */
function aimAbove(
  share: number,
  photo: ScenePhoto,
  { box, mat }: PhotoPlace,
  { frame }: SceneContext,
): Pick<PhotoDraft, 'photo' | 'closer'> {
  if (mat !== undefined || photo.keepsFocus) return { photo };
  const { subject: _, bareFrom: __, ...free } = photo;
  const { focus, closer } = viewAbove(photo, box, (share * frame.h - box.y) / box.h);
  return { photo: { ...free, focus }, closer };
}

type DraftBase = Pick<PhotoDraft, 'id' | 'photo' | 'camera' | 'closer' | 'maxEnlargement'>;

function placedLayers(base: DraftBase, place: PhotoPlace, context: SceneContext): LayerDraft[] {
  const { box, mat, isPanned } = place;
  const ownCamera = isPanned ? 'pan' : base.camera;
  // A photo and its original are compared: neither moves while one follows the other.
  const isCompared = base.photo.original !== undefined || base.photo.comparedAs !== undefined;
  const camera = isCompared ? 'still' : ownCamera;
  const photo: PhotoDraft = { ...base, camera, type: 'photo', digest: base.photo.digest, box };
  return [...matOf(base.id, mat, context), photo, ...originalLayers(photo, mat ?? box, context)];
}

/** A line around a photo, or a measure under it. */
function printLines(
  id: string,
  { x, y, w, h }: Box,
  { color, rule, gap, ticks }: NonNullable<PhotoElement['print']>,
  { palette }: SceneContext,
): LayerDraft[] {
  const far = gap + rule;
  const across = { x: x - far, y, w: w + 2 * far, h: rule };
  const down = { x, y: y - far, w: rule, h: h + 2 * far };
  const under = y + h + gap;
  const boxes: Box[] =
    ticks === undefined
      ? [
          { ...across, y: y - far },
          { ...across, y: under },
          { ...down, x: x - far },
          { ...down, x: x + w + gap },
        ]
      : [
          { x, y: under, w, h: rule },
          ...[x, x + w - rule].map((left) => ({ x: left, y: under - (ticks - rule) / 2, w: rule, h: ticks })),
        ];
  return boxes.map((box, index) => fillLayer(`${id}-line-${index + 1}`, box, palette[color]!));
}

function matOf(id: string, mat: Box | undefined, { palette }: SceneContext): LayerDraft[] {
  return mat === undefined ? [] : [fillLayer(`${id}-mat`, mat, palette.tint)];
}

/** The original of an altered photo, over it in the same frame and crop; a photo of another shape stands whole there. */
function originalLayers(altered: PhotoDraft, window: Box, context: SceneContext): LayerDraft[] {
  const { original } = altered.photo;
  if (original === undefined) return [];
  const id = `${altered.id}-original`;
  const base = { id, digest: original.digest, type: 'photo', camera: altered.camera } as const;
  const turn = { of: 'original', window } as const;
  const photo = inViewOf(altered.photo, original);
  if (photo !== null) return [{ ...base, photo, box: altered.box, followsCamera: true, turn }];
  const place = placePhoto({ fit: 'mat', camera: altered.camera }, original, window);
  const layers = [...matOf(id, place.mat, context), { ...base, photo: original, box: place.box }];
  return layers.map((layer) => ({ ...layer, turn }));
}
