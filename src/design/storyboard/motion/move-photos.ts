/** The photos of a scene with their cameras, and its layers with their tracks. Pure. */
import type { Animation } from '../../template/elements.ts';
import type { CameraRules, Easing } from '../../template/template.ts';
import type { LayerDraft, PhotoDraft } from '../elements/scene-context.ts';
import { enterTracks, exitTracks } from '../elements/tracks.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { SceneDraft } from '../scenes/build-scene.ts';
import { earlier } from '../scenes/earlier-layers.ts';
import { aspectOf, coverSpan } from '../scenes/fit-photo.ts';
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
  const kind = planned.role === 'hero' || planned.role === 'hook' ? planned.role : 'move';
  const isBound = draft.layers.some(
    (layer) =>
      layer.type === 'photo' &&
      layer.camera !== 'still' &&
      isHeld(camera, layer, isPanned && layer.camera === 'pan'),
  );
  const boundIn = planned.role === 'hook' ? 'hook' : 'scene';
  return nextMove(isPanned ? 'pan' : kind, focus, isBound ? boundIn : undefined);
}

/** A photo about as wide as its box has nothing to pan over. */
function hasPanRoom({ photo, box }: Pick<PhotoDraft, 'photo' | 'box'>): boolean {
  return coverSpan(aspectOf(photo), box.w / box.h) <= 0.9;
}

/** The move of one photo of a scene, whose move is that of its first photo. */
function ownMove(layer: PhotoDraft, move: SceneMove, camera: CameraRules): SceneMove {
  if (layer.camera === 'still') return 'still';
  if (move.startsWith('pan')) return hasPanRoom(layer) ? move : 'in';
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
    readonly travel: number | undefined;
    readonly easing: Easing | undefined;
    readonly opens: boolean;
    readonly before: Transition;
  },
): Layer[] {
  let order = 0;
  let path: CameraPath | undefined;
  // In an `over` transition, entrances run while the leaving scene is still seen.
  const early = timing.before.kind === 'over' ? timing.before.durationFrames : 0;
  return drafts.map((finished): Layer => {
    const { leaving, turn, ...draft } = early > 0 ? earlier(finished, early) : finished;
    const tracks = [
      ...(draft.tracks ?? []),
      ...(leaving ? exitTracks(leaving, timing.leavesAt) : []),
      ...(turn ? turnTracks(turn, draft.box, timing.leavesAt) : []),
    ];
    const moving = tracks.length ? { ...draft, tracks } : draft;
    if (moving.type !== 'photo') return moving;
    const { photo, camera: _, closer, maxEnlargement, followsCamera, ...layer } = moving;
    if (followsCamera !== true || path === undefined) {
      path = cameraPath(camera, {
        photo,
        box: moving.box,
        move: ownMove(moving, move, camera),
        ...(closer === undefined ? {} : { closer }),
        ...(maxEnlargement === undefined ? {} : { maxEnlargement }),
        order: turn === undefined ? order++ : order,
        ...span,
        ...(timing.travel === undefined ? {} : { travel: timing.travel }),
        ...(timing.easing === undefined ? {} : { easing: timing.easing }),
        opens: timing.opens,
        fps: FPS,
      });
    }
    return { ...layer, camera: path, ...(photo.keepsFocus && { keeps: photo.focus }) };
  });
}

/** The original is wiped in halfway; the words of the altered photo stand until nothing of it is seen. */
function turnTracks(turn: NonNullable<LayerDraft['turn']>, box: Box, leavesAt: number): Track[] {
  const wipeFrames = Math.round(WIPE_SEC * FPS);
  const startFrame = Math.max(1, Math.floor((leavesAt - wipeFrames) / 2));
  const endFrame = startFrame + wipeFrames;
  if (turn.of === 'altered')
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
