/** Checks a finished storyboard by the rules of README.md. Used by tests and by `templates validate`. Pure. */
import type { Photo } from '../photo.ts';
import { contains, intersection, overlaps } from './box.ts';
import { CAMERA_HEADROOM } from './elements/place-photo.ts';
import type { PhotoLight } from './elements/scene-context.ts';
import { alphaAt, cellsIn } from './elements/scrim-element.ts';
import { LIMITS, type Limits } from './frame-limits.ts';
import { gradedLight } from './grade-photos.ts';
import { type AnnouncementRule, lintQrCodes } from './lint-announcements.ts';
import { lintArrivals } from './lint-arrivals.ts';
import { findSmallPhotos } from './lint-photo-share.ts';
import { contrastOfLuma, contrastRatio, lumaOf, MIN_CONTRAST, MIN_CONTRAST_LARGE } from './palette.ts';
import {
  cropLoss,
  isPanorama,
  MAX_ALONE,
  MAX_CLOSE_UP,
  MAX_ENLARGEMENT,
  MAX_LARGE,
} from './scenes/fit-photo.ts';
import { findOverlaps, paintedLayers, SHARED_PX } from './scenes/overlaps.ts';
import type { Box, FillLayer, Layer, PhotoLayer, Scene, Storyboard, TextLayer } from './storyboard.ts';
import { MIN_PAGE_SEC } from './timing/page-lengths.ts';
import { leastReadingSec, readableSec, unreadSec } from './timing/reading-time.ts';

type LintRule =
  | AnnouncementRule
  | 'safe-area'
  | 'overlap'
  | 'min-size'
  | 'contrast'
  | 'bare-photo'
  | 'licence-size'
  | 'office-size'
  | 'card-rest'
  | 'reading-time'
  | 'count-up'
  | 'broken-word'
  | 'crop-loss'
  | 'enlargement'
  | 'photo-share'
  | 'view-outside'
  | 'same-move'
  | 'camera-span'
  | 'late-text'
  | 'moving-texts'
  | 'font-weight'
  | 'font-italic'
  | 'font-letters';

export interface LintFinding {
  readonly rule: LintRule;
  readonly scene: string;
  readonly layer: string;
  readonly message: string;
}

const PANEL_LOSS = 0.45;
/** Of the height of a phone: a photo that is as high counts as one that fills it. */
const FILLED = 0.8;
const GROUND_LOSS = 0.65;
/** Scenes that photos share with words. */
const WITH_WORDS: ReadonlySet<Scene['kind']> = new Set(['hero', 'facts', 'card', 'closing']);
/** Scenes of one large photo; of several, each stands in a panel. */
const ALONE: ReadonlySet<Scene['kind']> = new Set(['hook', 'photo', 'closing'] as const);
/** Scenes of a phone in which a photo fills half of it or more. */
const HALF_OF_PHONE: ReadonlySet<Scene['kind']> = new Set(['pair', 'facts', 'closing'] as const);
/** A third of a panorama in the hook says more than a strip of it. */
const HOOK_LOSS = 0.82;
/** In a wide frame, a photo of 4:3 fills it alone: between bars it would be no beginning, and beside a column no scene. */
const WIDE_LOSS = 0.26;
/** Transitions and beats round a reading time by so much, s. */
const ROUNDED_SEC = 0.15;
const GROUND_SCRIM = 0.7;
const LARGE_PX = 48;
/** A camera that goes further than this share of what it shows crosses its photo; a lateral move goes 0.06 of it. */
const MIN_PAN = 0.065;
/** The tail of an italic can lean this far over the edge of its line, px. */
const OVERHANG_PX = 12;
const CARD_REST_SEC = 3;
const CARD_ENTRANCES_SEC = 0.8;
const LABELS = /^(label|caption|city|place|index|fact|email)/;
/** Under a scrim thinner than this a photo counts as bare. */
const MIN_SCRIM = 0.25;
const WHOLE_LINES = new Set(['phone', 'phone-2', 'office-phone']);
const CONTACT = new Set(['name', 'phone', 'phone-2', 'email']);

/**
 * @param photos - By digest, for the rules about crops and sharpness; absent photos are not checked.
 * @param lightOf - By digest, how light a photo is under type; without it contrast on photos is not measured.
 * @returns Every finding, in playing order; empty for a storyboard that keeps all rules.
 */
export function lintStoryboard(
  storyboard: Storyboard,
  photos: ReadonlyMap<string, LintedPhoto>,
  lightOf: (digest: string) => PhotoLight | undefined = () => undefined,
): LintFinding[] {
  const limits = LIMITS[storyboard.ratio];
  const findings: LintFinding[] = [];
  storyboard.scenes.forEach((scene, index) => {
    const report = (rule: LintRule, layer: string, message: string): void => {
      findings.push({ rule, scene: scene.id, layer, message });
    };
    for (const { id, other, sharedPx } of findOverlaps(paintedLayers(scene.layers), SHARED_PX))
      report('overlap', id, `shares ${sharedPx} px with ${other}`);
    lintTexts(scene, storyboard, limits, { photos, lightOf }, report);
    lintPhotos(scene, storyboard, limits, photos, report);
    const smallPhotos = findSmallPhotos(scene, storyboard, photos);
    if (smallPhotos) report('photo-share', scene.id, smallPhotos);
    lintArrivals(scene, storyboard.fps, report);
    lintQrCodes(scene, storyboard, report);
    const before = storyboard.scenes[index - 1];
    if (scene.kind === 'card') {
      const isPaged = storyboard.scenes[index + 1]?.kind === 'card' || before?.kind === 'card';
      lintCard(scene, storyboard.fps, limits, isPaged, report);
    }
    if (before) lintNeighbors(before, scene, report);
  });
  return findings;
}

type LintedPhoto = Pick<Photo, 'widthPx' | 'heightPx' | 'bareFrom'>;

type Report = (rule: LintRule, layer: string, message: string) => void;

interface PhotoFacts {
  readonly photos: ReadonlyMap<string, LintedPhoto>;
  readonly lightOf: (digest: string) => PhotoLight | undefined;
}

function lintTexts(
  scene: Scene,
  storyboard: Storyboard,
  limits: Limits,
  photoFacts: PhotoFacts,
  report: Report,
): void {
  const texts = scene.layers.filter((layer): layer is TextLayer => layer.type === 'text');
  for (const text of texts) {
    // Initials stand for a portrait; nobody has to read them. A notice stands on its photo, wherever that is.
    if (
      text.id !== 'initials' &&
      !text.id.startsWith('notice-') &&
      !contains(widen(limits.safe, OVERHANG_PX), text.box)
    ) {
      report('safe-area', text.id, `${show(text.box)} leaves the safe area`);
    }
    const minPx = LABELS.test(text.id) ? limits.minLabelPx : limits.minPx;
    if (text.style.sizePx < minPx) report('min-size', text.id, `${text.style.sizePx} px, at least ${minPx}`);
    lintGround(scene, text, photoFacts, report);
    if (WHOLE_LINES.has(text.id) && text.lines.length > 1) {
      report('broken-word', text.id, `${text.lines.length} lines`);
    }
  }
  const captions = texts.filter(({ id }) => id.startsWith('caption'));
  if (captions.length > 0) lintReading(scene, captions, storyboard.fps, report);
}

/**
 * What lies under a text decides its contrast: the last opaque fill that contains it, or a later photo seen through the
 * scrims over it.
 */
function lintGround(scene: Scene, text: TextLayer, photoFacts: PhotoFacts, report: Report): void {
  let ground = scene.background;
  let photo: PhotoLayer | undefined;
  let scrims: FillLayer[] = [];
  for (const layer of scene.layers.slice(0, scene.layers.indexOf(text))) {
    if (layer.type === 'photo' && overlaps(layer.box, text.box)) [photo, scrims] = [layer, []];
    if (layer.type !== 'fill' || !overlaps(layer.box, text.box)) continue;
    const isOpaque = !layer.gradient && (layer.alpha ?? 1) === 1;
    if (!isOpaque) scrims.push(layer);
    else if (contains(layer.box, text.box)) {
      ground = layer.color;
      [photo, scrims] = [undefined, []];
    }
  }
  const minContrast = text.style.sizePx >= LARGE_PX ? MIN_CONTRAST_LARGE : MIN_CONTRAST;
  if (photo) {
    const bare = middleOf(intersection(photo.box, text.box));
    const thickest = Math.max(0, ...scrims.map((scrim) => scrimAlpha(scrim, bare)));
    if (thickest < MIN_SCRIM) report('bare-photo', text.id, 'stands on a photo without a plate');
    else lintOnScrim(text, photo, scrims, minContrast, photoFacts, report);
    return;
  }
  const ratio =
    scrims.length === 0
      ? contrastRatio(text.color, ground)
      : contrastOfLuma(lumaOf(text.color), lumaUnder(lumaOf(ground), scrims, middleOf(text.box)));
  if (ratio < minContrast)
    report('contrast', text.id, `${ratio.toFixed(2)} on ${ground}, at least ${minContrast}`);
}

/** Checks every cell of the photo under the text, before and after its camera has moved. */
function lintOnScrim(
  text: TextLayer,
  photo: PhotoLayer,
  scrims: readonly FillLayer[],
  minContrast: number,
  { photos, lightOf }: PhotoFacts,
  report: Report,
): void {
  const light = gradedLight(lightOf(photo.digest), photo.grade);
  const size = photos.get(photo.digest);
  if (!light || !size) return;
  const area = intersection(photo.box, text.box);
  const worst = [photo.camera.from, photo.camera.to]
    .flatMap((view) => {
      const height = Math.min(1, (view.span * size.widthPx * photo.box.h) / (photo.box.w * size.heightPx));
      const part = { left: view.cx - view.span / 2, top: view.cy - height / 2, width: view.span, height };
      return cellsIn(part, photo.box, area, light);
    })
    .map(({ luma, y }) =>
      contrastOfLuma(lumaOf(text.color), lumaUnder(luma, scrims, { x: text.box.x + text.box.w / 2, y })),
    )
    .reduce((lowest, ratio) => Math.min(lowest, ratio), Number.POSITIVE_INFINITY);
  if (worst < minContrast)
    report('contrast', text.id, `${worst.toFixed(2)} on its photo, at least ${minContrast}`);
}

function lumaUnder(luma: number, scrims: readonly FillLayer[], at: { x: number; y: number }): number {
  return scrims.reduce((below, scrim) => {
    const alpha = scrimAlpha(scrim, at);
    return below * (1 - alpha) + lumaOf(scrim.color) * alpha;
  }, luma);
}

function scrimAlpha({ box, gradient, alpha = 1 }: FillLayer, at: { x: number; y: number }): number {
  if (gradient) return alphaAt({ box, ...gradient }, at);
  return alphaAt({ box, direction: 'down', stops: [{ at: 0, alpha }] }, at);
}

function middleOf(box: Box): { x: number; y: number } {
  return { x: box.x + box.w / 2, y: box.y + box.h / 2 };
}

function lintReading(scene: Scene, lines: readonly TextLayer[], fps: number, report: Report): void {
  // Words that an ellipsis stands for need no time.
  const shown = lines.flatMap((layer) => layer.lines.map(({ text }) => text)).join(' ');
  const needed = leastReadingSec(shown);
  const transitionSec = scene.transition.durationFrames / fps;
  const stands =
    scene.durationFrames / fps - unreadSec(readableSec(lines, shown, fps), transitionSec, 'fast');
  if (stands < needed - ROUNDED_SEC) {
    const { id } = lines[0]!;
    report('reading-time', id, `stands ${stands.toFixed(1)} s, ${needed.toFixed(1)} s are needed`);
  }
}

function lintPhotos(
  scene: Scene,
  storyboard: Storyboard,
  limits: Limits,
  photos: ReadonlyMap<string, LintedPhoto>,
  report: Report,
): void {
  const next = storyboard.scenes[storyboard.scenes.indexOf(scene) + 1];
  const isUnderCard = next?.kind === 'card' && scene.transition.kind === 'crossfade';
  const movesUntil = scene.durationFrames - (isUnderCard ? scene.transition.durationFrames : 0);
  for (const layer of scene.layers) {
    if (layer.type !== 'photo') continue;
    lintCamera(layer, movesUntil, report);
    const photo = photos.get(layer.digest);
    if (!photo || layer.id === 'portrait') continue;
    const { box } = layer;
    const isPhone = storyboard.heightPx > storyboard.widthPx;
    const least = isPhone ? FILLED * storyboard.heightPx : storyboard.heightPx;
    const isFullBleed = box.w >= storyboard.widthPx && box.h >= least;
    const covered = cropLoss(photo.widthPx / photo.heightPx, box.w / box.h);
    // The part that a pan crosses is seen in time.
    const loss = covered - panOf(layer);
    const isAlone = ALONE.has(scene.kind);
    // A short scene shows a part of a photo in a window, as it does of one that fills a phone.
    const windowLoss = isPhone && isAlone ? limits.fullBleedLoss : PANEL_LOSS;
    const panelLoss = WITH_WORDS.has(scene.kind) ? limits.stripLoss : windowLoss;
    const fullBleedLoss = isPanorama(photo) ? PANEL_LOSS : limits.fullBleedLoss;
    const usualLoss = isGround(scene, layer) ? GROUND_LOSS : isFullBleed ? fullBleedLoss : panelLoss;
    const isCut = scene.kind === 'hook' && (!isFullBleed || isPhone);
    const fillsWithOne = isFullBleed && (isAlone || scene.kind === 'hero');
    const oneLoss = fillsWithOne ? Math.max(WIDE_LOSS, usualLoss) : usualLoss;
    const maxLoss = isCut ? HOOK_LOSS : oneLoss;
    // Where a photo keeps a focus, the listing says what is seen of it, and a pan can be too short for the rest.
    if (layer.keeps === undefined && loss > maxLoss + 0.01)
      report('crop-loss', layer.id, `${loss.toFixed(2)} of the photo is lost, at most ${maxLoss}`);
    const scale = box.w / (Math.min(layer.camera.from.span, layer.camera.to.span) * photo.widthPx);
    const isCrossed = (isAlone || scene.kind === 'facts') && (isFullBleed || isPhone) && panOf(layer) > 0;
    const isCloseUp = scene.kind === 'hook' || isCrossed || photo.bareFrom !== undefined;
    const most = isCloseUp
      ? MAX_CLOSE_UP
      : standingEnlargement(scene.kind, { isAlone, isFullBleed, isPhone });
    if (scale > most + 0.01) report('enlargement', layer.id, `${scale.toFixed(2)} times`);
    for (const view of [layer.camera.from, layer.camera.to]) {
      const height = (view.span * photo.widthPx * box.h) / (box.w * photo.heightPx);
      const isInside =
        view.cx >= view.span / 2 - 1e-3 &&
        view.cx <= 1 - view.span / 2 + 1e-3 &&
        view.cy >= height / 2 - 2e-3 &&
        view.cy <= 1 - height / 2 + 2e-3;
      if (!isInside) report('view-outside', layer.id, JSON.stringify(view));
    }
  }
}

/** Under a scrim this dark a photo is only the ground of type. */
function isGround(scene: Scene, photo: PhotoLayer): boolean {
  return scene.layers.slice(scene.layers.indexOf(photo)).some((layer) => {
    if (layer.type !== 'fill' || !contains(layer.box, photo.box)) return false;
    const alphas = layer.gradient?.stops.map(({ alpha }) => alpha) ?? [layer.alpha ?? 1];
    return Math.min(...alphas) >= GROUND_SCRIM;
  });
}

/** A moving camera moves on every frame on which the scene is seen, or until a card is faded over it. */
function lintCamera(layer: PhotoLayer, movesUntil: number, report: Report): void {
  if (moveOf(layer) === 'still') return;
  // A view that comes halfway.
  const comes = layer.tracks?.find(({ property, from }) => property === 'opacity' && from === 0);
  const seenFrom = Math.max(0, comes?.startFrame ?? 0);
  if (layer.camera.startFrame > seenFrom || layer.camera.endFrame < movesUntil) {
    report('camera-span', layer.id, `moves from ${layer.camera.startFrame} to ${layer.camera.endFrame} only`);
  }
}

function lintCard(scene: Scene, fps: number, limits: Limits, isPaged: boolean, report: Report): void {
  const texts = scene.layers.filter(
    (layer): layer is TextLayer => layer.type === 'text' && layer.id !== 'initials',
  );
  const sizes = (ids: ReadonlySet<string>) =>
    texts.filter(({ id }) => ids.has(id)).map(({ style }) => style.sizePx);
  const licenses = texts.find(({ id }) => id === 'licenses');
  const others = texts.filter((text) => text !== licenses);
  if (
    licenses &&
    licenses.style.sizePx < Math.min(limits.smallPrintPx, ...others.map(({ style }) => style.sizePx))
  ) {
    report('licence-size', 'licenses', 'is smaller than the smallest other text');
  }
  const lines = texts.flatMap((text) => (text.id.startsWith('licenses') ? text.lines : []));
  for (const license of licenses?.reads.split(' · ') ?? []) {
    if (license.length < 40 && !lines.some((line) => line.text.includes(license))) {
      report('broken-word', 'licenses', `"${license}" is broken`);
    }
  }
  const [office] = sizes(new Set(['office']));
  const largest = Math.max(0, ...sizes(CONTACT));
  if (office !== undefined && office < largest / 2) {
    report('office-size', 'office', `${office} px beside ${largest} px`);
  }
  const last = Math.max(
    0,
    ...scene.layers.flatMap(({ tracks = [] }) =>
      tracks.flatMap(({ property, to, endFrame }) => (property === 'opacity' && to === 0 ? [] : [endFrame])),
    ),
  );
  if (last > CARD_ENTRANCES_SEC * fps) report('card-rest', scene.id, `entrances end at ${last / fps} s`);
  if (isPaged && scene.durationFrames < MIN_PAGE_SEC * fps)
    report('card-rest', scene.id, `a page stands less than ${MIN_PAGE_SEC} s`);
  else if (!isPaged && (scene.durationFrames - last) / fps < CARD_REST_SEC)
    report('card-rest', scene.id, 'rests less than 3 s');
}

function lintNeighbors(before: Scene, scene: Scene, report: Report): void {
  // The photos of a hook can be one move through the house.
  if (before.kind === 'hook' && scene.kind === 'hook') return;
  const a = leadMove(before);
  const b = leadMove(scene);
  // A pan goes where its subject is.
  if (isPanned(before) || isPanned(scene)) return;
  if (a && b && a !== 'still' && a === b) report('same-move', scene.id, `${b} again`);
}

function leadMove(scene: Scene): string | undefined {
  const lead = leadPhoto(scene);
  return lead && moveOf(lead);
}

function isPanned(scene: Scene): boolean {
  const lead = leadPhoto(scene);
  return lead !== undefined && panOf(lead) > 0;
}

/** How much a photo is enlarged at most, but for close-ups. */
function standingEnlargement(
  kind: Scene['kind'],
  { isAlone, isFullBleed, isPhone }: Record<'isAlone' | 'isFullBleed' | 'isPhone', boolean>,
): number {
  if (isAlone && isFullBleed && !isPhone) return MAX_CLOSE_UP * CAMERA_HEADROOM;
  if (isAlone || kind === 'hero') return MAX_LARGE;
  return isPhone && HALF_OF_PHONE.has(kind) ? MAX_ALONE : MAX_ENLARGEMENT;
}

/** How much of its photo a camera crosses, also while it comes nearer, share of the photo's width; 0 of another move. */
function panOf({ camera: { from, to } }: PhotoLayer): number {
  const travel = Math.abs(to.cx - from.cx);
  return travel >= MIN_PAN * Math.max(from.span, to.span) ? travel : 0;
}

function leadPhoto(scene: Scene): PhotoLayer | undefined {
  return scene.layers.find(
    (layer: Layer): layer is PhotoLayer => layer.type === 'photo' && layer.id !== 'portrait',
  );
}

function moveOf({ camera: { from, to } }: PhotoLayer): string {
  if (to.span < from.span - 1e-6) return 'in';
  if (to.span > from.span + 1e-6) return 'out';
  if (Math.abs(to.cx - from.cx) < 1e-6) return 'still';
  return to.cx > from.cx ? 'right' : 'left';
}

function widen(box: Box, by: number): Box {
  return { ...box, x: box.x - by, w: box.w + 2 * by };
}

function show(box: Box): string {
  return `${box.x},${box.y} ${box.w}x${box.h}`;
}
