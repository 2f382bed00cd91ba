/** The photos of a scene with their cameras, and its layers with their tracks. Pure. */
import type { Animation } from '../../template/elements.ts';
import type { CameraRules, Easing } from '../../template/template.ts';
import type { LayerDraft, PhotoDraft, Turn } from '../elements/scene-context.ts';
import { enterTracks, exitTracks } from '../elements/tracks.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { SceneDraft } from '../scenes/build-scene.ts';
import { earlier } from '../scenes/earlier-layers.ts';
import { hasPanRoom } from '../scenes/fit-photo.ts';
import {
  type Box,
  type CameraPath,
  LAYOUT_FPS as FPS,
  type Layer,
  type Track,
  type Transition,
} from '../storyboard.ts';
import { cameraPath, isHeld, type NextMove, type SceneMove } from './camera.ts';

/** An original is wiped in over its altered photo: quietly, and quickly enough to be compared. */
const WIPE_SEC = 0.5;
/** Each of two views that take turns stands so long: the first one is the poster's, the second one is seen. */
const LEAST_VIEW_SEC = { first: 1.55, next: 0.65 };

/** Whether the scene shows one photo and its caption. */
export function isNamed({ role, captions }: PlannedScene): boolean {
  return role === 'single' && captions[0] !== '';
}

export function moveOf(
  planned: PlannedScene,
  draft: SceneDraft,
  camera: CameraRules,
  nextMove: NextMove,
): SceneMove {
  if (planned.role === 'card' || planned.role === 'floor_plan') return 'still';
  const lead = draft.layers.find((layer): layer is PhotoDraft => layer.type === 'photo');
  const isPanned = lead?.camera === 'pan' && hasPanRoom(lead);
  const focus = lead?.photo.focus;
  const { role } = planned;
  const kind = role === 'hero' || role === 'hook' || role === 'closing' ? role : 'move';
  const isBound = draft.layers.some(
    (layer) =>
      layer.type === 'photo' &&
      layer.camera !== 'still' &&
      isHeld(camera, layer, isPanned && layer.camera === 'pan'),
  );
  return nextMove(isPanned ? 'pan' : kind, {
    ...(focus && { focus }),
    ...(isBound && { boundIn: role === 'hook' ? 'hook' : 'scene' }),
    isNamed: isNamed(planned),
  });
}

/**
 * The move of one photo of a scene, whose move is that of its first photo.
 *
 * @param isNext - Of a view that comes halfway: one that is nearer goes on so, also after a pan.
 */
function ownMove(layer: PhotoDraft, move: SceneMove, camera: CameraRules, isNext: boolean): SceneMove {
  if (layer.camera === 'still') return 'still';
  const isNearer = isNext && layer.closer !== undefined;
  if (move.startsWith('pan')) return hasPanRoom(layer) && !isNearer ? move : 'in';
  const isPanned = layer.camera === 'pan' && hasPanRoom(layer) && !isHeld(camera, layer, true);
  return isPanned ? 'pan-right' : move;
}

export function finishLayers(
  drafts: readonly LayerDraft[],
  camera: CameraRules,
  move: SceneMove,
  span: { readonly startFrame: number; readonly endFrame: number },
  timing: {
    readonly leavesAt: number;
    readonly beatFrames: number | null;
    readonly travel: number | undefined;
    readonly easing: Easing | undefined;
    readonly opens: boolean;
    readonly isNamed: boolean;
    readonly before: Transition;
  },
): Layer[] {
  let order = 0;
  let path: CameraPath | undefined;
  // In an `over` transition, entrances run while the leaving scene is still seen.
  const early = timing.before.kind === 'over' ? timing.before.durationFrames : 0;
  return drafts.flatMap((finished): Layer[] => {
    const { leaving, turn, ...draft } = early > 0 ? earlier(finished, early) : finished;
    const change = turn && changeOf(turn, timing);
    if (change === null && turn?.of === 'next') return [];
    const tracks = [
      ...(draft.tracks ?? []),
      ...(leaving ? exitTracks(leaving, timing.leavesAt) : []),
      ...(turn && change ? turnTracks(turn, draft.box, change) : []),
    ];
    const moving = tracks.length ? { ...draft, tracks } : draft;
    if (moving.type !== 'photo') return [moving];
    const { photo, camera: _, closer, maxEnlargement, followsCamera, ...layer } = moving;
    if (followsCamera !== true || path === undefined) {
      path = cameraPath(camera, {
        photo,
        box: moving.box,
        move: ownMove(moving, move, camera, turn?.of === 'next'),
        ...(closer === undefined ? {} : { closer }),
        ...(maxEnlargement === undefined ? {} : { maxEnlargement }),
        order: turn === undefined ? order++ : order,
        ...span,
        ...(timing.travel === undefined ? {} : { travel: timing.travel }),
        ...(turn?.of === 'next' && change ? afterChange(change, span, timing.travel) : {}),
        ...(timing.easing === undefined ? {} : { easing: timing.easing }),
        opens: timing.opens,
        isNamed: timing.isNamed,
        fps: FPS,
      });
    }
    return [{ ...layer, camera: path, ...(photo.keepsFocus && { keeps: photo.focus }) }];
  });
}

/** The frames of a change halfway. */
interface Change {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** An original comes in the middle, another view on a beat near it; null where that leaves either too little time. */
function changeOf(
  turn: Turn,
  { leavesAt, beatFrames }: { readonly leavesAt: number; readonly beatFrames: number | null },
): Change | null {
  if (turn.of === 'altered' || turn.of === 'original') {
    const wipeFrames = Math.round(WIPE_SEC * FPS);
    const startFrame = Math.max(1, Math.floor((leavesAt - wipeFrames) / 2));
    return { startFrame, endFrame: startFrame + wipeFrames };
  }
  const half = Math.round((turn.dissolveSec * FPS) / 2);
  const [first, last] = [LEAST_VIEW_SEC.first * FPS + half, leavesAt - LEAST_VIEW_SEC.next * FPS];
  const middle = Math.max(first, leavesAt / 2);
  const beat = beatFrames ?? 1;
  const at = Math.round(
    [Math.floor, Math.ceil].map((to) => to(middle / beat) * beat).find((frame) => frame >= first)!,
  );
  return at <= last ? { startFrame: at - half, endFrame: at + half } : null;
}

/** Of a view that comes halfway: it goes on with the move in the time that is left. */
function afterChange(
  { startFrame }: Change,
  span: { readonly startFrame: number; readonly endFrame: number },
  travel: number | undefined,
) {
  const share = (span.endFrame - startFrame) / (span.endFrame - span.startFrame);
  return { startFrame, ...(travel !== undefined && { travel: travel * share }) };
}

/** The original is wiped in, another view dissolves in; what was there is seen until nothing of it shows. */
function turnTracks(turn: Turn, box: Box, { startFrame, endFrame }: Change): Track[] {
  if (turn.of === 'next')
    return [{ property: 'opacity', from: 0, to: 1, startFrame, endFrame, easing: 'linear' }];
  if (turn.of !== 'original')
    return [{ property: 'opacity', from: 1, to: 0, startFrame: endFrame, endFrame, easing: 'linear' }];
  const wipe = {
    kind: 'reveal',
    from: 'left',
    at: startFrame / FPS,
    for: WIPE_SEC,
    easing: 'glide',
    stagger: 0,
  };
  return enterTracks([wipe as Animation], { box, host: turn.window, fps: FPS });
}

export function isAltered({ photo }: PhotoDraft): boolean {
  return photo.label !== undefined;
}
