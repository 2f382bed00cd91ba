import type { AspectRatio } from '../../listing/listing.ts';
import { isUploadText } from '../../listing/words/upload-texts.ts';
import { fillDataLayers } from '../template/data-layers.ts';
import type { Animation } from '../template/elements.ts';
import type { CameraRules, Easing, Palette, RatioDesign } from '../template/template.ts';
import { chooseHanVariants } from './choose-han-variants.ts';
import { factWords } from './elements/facts-element.ts';
import type { LayerDraft, PhotoDraft } from './elements/scene-context.ts';
import { enterTracks, exitTracks } from './elements/tracks.ts';
import { gradePhotos, gradeScenes, type PhotoTone } from './grade-photos.ts';
import { missingCharacterWarnings } from './missing-characters.ts';
import { resolvePalette } from './palette.ts';
import type { PlannedScene } from './plan/planned-scene.ts';
import { readsFromRight } from './reading-direction.ts';
import type { SceneDraft } from './scenes/build-scene.ts';
import { cameraPath, createMoveSequence, isBoundByFocus, type SceneMove } from './scenes/camera.ts';
import { createTransitionSequence, type TransitionEnd } from './scenes/choose-transition.ts';
import { warnOfLength } from './scenes/control-warnings.ts';
import { draftScenes, type StoryboardRequest } from './scenes/draft-scenes.ts';
import { earlier } from './scenes/earlier-layers.ts';
import { aspectOf, coverSpan } from './scenes/fit-photo.ts';
import { toStoryboardWords } from './scenes/scene-texts.ts';
import { TypeSetter } from './set-type.ts';
import type {
  AlteredPhoto,
  Box,
  CameraPath,
  Layer,
  Scene,
  SceneKind,
  Storyboard,
  Track,
  Transition,
} from './storyboard.ts';
import { joinWords } from './texts.ts';
import { pageLengths } from './timing/page-lengths.ts';
import { MIN_LABEL_SEC, type ReadingPace, readingSceneSec } from './timing/reading-time.ts';
import { sceneLengths } from './timing/scene-lengths.ts';
import type { BeatGrid } from './timing/snap-to-beats.ts';

/** Of the layout; `scale-storyboard.ts` has the rates of videos. */
const FPS = 30;
const FRAMES: Readonly<Record<AspectRatio, { readonly w: number; readonly h: number }>> = {
  '1920:1080': { w: 1920, h: 1080 },
  '1080:1920': { w: 1080, h: 1920 },
};

/** A sixth of a second: half of it goes unnoticed in the middle of a transition. */
const LEAD_STEP_FRAMES = 5;
/** Scenes made for reading: music hardly shortens them. */
const FOR_READING: ReadonlySet<PlannedScene['role']> = new Set([
  ...['hero', 'facts', 'floor_plan', 'originals', 'card', 'closing'],
] as const);
/** An original is wiped in over its altered photo: quietly, and quickly enough to be compared. */
const WIPE_SEC = 0.5;
/** Of scale, in half a second to a second: enough to be felt in each cut. */
const HOOK_TRAVEL = 0.06;

/**
 * The storyboard of one agent's video.
 *
 * The agent appears in the last scene and in the metadata only: all other scenes are equal, byte for byte, for all
 * agents with the same template, ratio and data.
 */
export function makeStoryboard(request: StoryboardRequest): Storyboard {
  const { template, ratio } = request;
  const design = template.ratios[ratio];
  const frame = FRAMES[ratio];
  const data = fillDataLayers(template.dataLayers, request.templateData, template.withoutLayers);
  const colors = resolvePalette(
    template.palette,
    {
      ...(data.given.has('accent') ? { accent: data.values.accent! } : {}),
      ...(data.given.has('paper') ? { paper: data.values.paper! } : {}),
      ...(data.given.has('ink') ? { ink: data.values.ink! } : {}),
    },
    template.paletteRules,
  );
  const shown = Object.entries(data.values).flatMap(([name, value]) => (isUploadText(name) ? [] : value));
  const han = chooseHanVariants(request.listing, request.agent, shown);
  const isRtl = readsFromRight(request.listing, request.agent, data.values.headline);
  const [type, cardType] = (['scenes', 'card'] as const).map(
    (part) => new TypeSetter(request.measurer, template.styleDefaults, design.styles, han[part], isRtl[part]),
  ) as [TypeSetter, TypeSetter];
  const deps = { design, frame, fps: FPS, data, palette: colors.palette, type, cardType };
  const { drafted, animated, offLength } = fitToLength(request.beats ?? null, (correctionSec) => {
    const made = draftScenes(request, deps, correctionSec);
    return { drafted: made, animated: animate(made, design, colors.palette, request.beats ?? null) };
  });
  const { drafts, listingTexts, cardTexts, disclosure } = drafted;
  const timed = data.values['poster-first'] === 'true' ? withPosterFirst(animated) : animated;
  const scenes = data.values.grade === 'gentle' ? gradeScenes(timed, gradesOf(request)) : timed;
  return {
    templateId: template.id,
    ratio,
    widthPx: frame.w,
    heightPx: frame.h,
    fps: FPS,
    scenes,
    title:
      listingTexts.upload.title ||
      joinWords([listingTexts.title, template.branding === 'none' ? '' : cardTexts.name], ' — '),
    comment: listingTexts.facts.map((fact) => factWords(fact, 'long')).join(' · '),
    words: toStoryboardWords(listingTexts, disclosure),
    highlights: chooseHighlights(scenes),
    altered: listAltered(drafts, request),
    missingCaptions: drafted.missingCaptions,
    warnings: [
      ...data.faults.map(({ message }) => message),
      ...colors.warnings,
      ...drafted.warnings,
      ...offLength,
      ...missingCharacterWarnings(
        new Map([
          ...type.missing.map((point) => [point, han.scenes] as const),
          ...cardType.missing.map((point) => [point, han.card] as const),
        ]),
        request.measurer,
      ),
    ],
  };
}

interface TimedScenes {
  readonly drafted: ReturnType<typeof draftScenes>;
  readonly animated: readonly Scene[];
}

const MAX_TRIES = 4;
/** A video without music ends so near to the length that the listing asks for, seconds; one with music within a beat. */
const LENGTH_TOLERANCE_SEC = 0.5;

/**
 * The scenes for the length that the listing asks for. Captions, labels and beats change the time of scenes that are
 * planned: the plan aims at more or less until the video ends where it should, or nothing comes nearer.
 */
function fitToLength(
  beats: BeatGrid | null,
  make: (correctionSec: number) => TimedScenes,
): TimedScenes & { readonly offLength: readonly string[] } {
  const tolerance = beats ? Math.max(LENGTH_TOLERANCE_SEC, 60 / beats.bpm) : LENGTH_TOLERANCE_SEC;
  const missOf = ({ drafted, animated }: TimedScenes) => secondsOf(animated) - drafted.capSec;
  let best = make(0);
  if (!best.drafted.hasLength) return { ...best, offLength: [] };
  let correctionSec = 0;
  let miss = missOf(best);
  for (let turn = 1; turn < MAX_TRIES && Math.abs(missOf(best)) > tolerance; turn++) {
    correctionSec -= miss;
    const next = make(correctionSec);
    if (Math.abs(missOf(next) - miss) < 1 / FPS) break;
    miss = missOf(next);
    if (Math.abs(miss) < Math.abs(missOf(best))) best = next;
  }
  return { ...best, offLength: warnOfLength(secondsOf(best.animated), best.drafted.capSec, tolerance) };
}

function secondsOf(scenes: readonly Scene[]): number {
  return scenes.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / FPS;
}

/** One frame of the finished opening ahead of all; the next scene gives it up, so that changes stay on their beats. */
function withPosterFirst(scenes: readonly Scene[]): Scene[] {
  const opening = scenes.find(({ kind }) => kind === 'hero')!;
  const poster: Scene = {
    ...opening,
    id: 'scene-00-poster',
    kind: 'hook',
    durationFrames: 1,
    layers: opening.layers.map(atRest),
    transition: { kind: 'cut', durationFrames: 0 },
  };
  const [next, ...others] = scenes;
  return [poster, { ...next!, durationFrames: next!.durationFrames - 1 }, ...others];
}

/** The layer as it stands when it has entered, halfway along the camera's way. */
function atRest({ tracks: _, ...layer }: Layer): Layer {
  if (layer.type === 'text') {
    const { steps, ...text } = layer;
    return { ...text, lines: steps?.at(-1)?.lines ?? text.lines };
  }
  if (layer.type !== 'photo') return layer;
  const { from, to } = layer.camera;
  const view = {
    cx: (from.cx + to.cx) / 2,
    cy: (from.cy + to.cy) / 2,
    span: Math.sqrt(from.span * to.span),
  };
  return { ...layer, camera: { from: view, to: view, startFrame: 0, endFrame: 1 } };
}

/** The grades of the listing's own photos: a portrait is not compared with rooms. */
function gradesOf({ photos, toneOf }: StoryboardRequest) {
  const tones = new Map<string, PhotoTone>();
  for (const photo of photos) {
    const tone = toneOf?.(photo);
    if (tone !== undefined) tones.set(photo.digest, tone);
  }
  return gradePhotos(tones);
}

function animate(
  { plan, drafts, capSec }: ReturnType<typeof draftScenes>,
  design: RatioDesign,
  palette: Palette,
  beats: BeatGrid | null,
): Scene[] {
  const ends = plan.map(
    (planned, index): TransitionEnd => ({
      role: planned.role,
      ground: drafts[index]!.variant.ground,
      zoomPhoto: drafts[index]!.layers.find((layer) => layer.type === 'photo'),
      ...(planned.isInRun ? { isInRun: true } : {}),
      showsAltered: drafts[index]!.layers.some((layer) => layer.type === 'photo' && isAltered(layer)),
    }),
  );
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  const nextMove = createMoveSequence(design.camera);
  const leave = createTransitionSequence(design.transitions, palette, FPS);
  const leads = leadsOf(plan, ends, design, palette);
  const cardAt = plan.findIndex(({ role }) => role === 'card');
  // All agents' videos have the same lengths up to the card: its further pages are timed after them.
  const timed = cardAt < 0 ? plan : plan.slice(0, cardAt + 1);
  // The card has its own length: it is the same for all agents. A run is not read.
  const readingAt = (index: number, pace: ReadingPace) =>
    plan[index]!.role === 'card' || plan[index]!.isInRun
      ? 0
      : Math.max(
          readingSceneSec(
            drafts[index]!.layers,
            pace === 'easy' ? transitionSec : (2 * leads[index]!) / FPS,
            FPS,
            pace,
          ),
          ends[index]!.showsAltered ? MIN_LABEL_SEC : 0,
        );
  const lengths = sceneLengths({
    scenes: timed.map(({ role, sec, isInRun }, index) => ({
      sec,
      readingSec: readingAt(index, 'easy'),
      leastReadingSec: readingAt(index, 'fast'),
      // A comparison needs the time of both photos.
      isForReading: FOR_READING.has(role) || drafts[index]!.layers.some(({ turn }) => turn !== undefined),
      leadFrames: leads[index]!,
      isHook: role === 'hook',
      isInRun: isInRun === true,
    })),
    fps: FPS,
    capSec,
    minSceneSec: design.pacing.minSceneSec,
    beats,
  });
  if (cardAt >= 0) {
    const cardFrames = lengths.pop()!;
    const startFrame = lengths.reduce((sum, frames) => sum + frames, 0);
    const at = { startFrame, capSec, fps: FPS, beats };
    lengths.push(...pageLengths(plan.length - cardAt, cardFrames, at));
  }
  const { heroTravel } = design.camera;
  let before: Transition = { kind: 'cut', durationFrames: 0 };
  return plan.map((planned, index) => {
    const draft = drafts[index]!;
    const durationFrames = lengths[index]!;
    const transition = leave({ ...ends[index]!, durationFrames }, ends[index + 1]);
    const span = { startFrame: 0 - before.durationFrames, endFrame: durationFrames };
    const move = moveOf(planned, draft, design.camera, nextMove);
    const scene: Scene = {
      id: `scene-${String(index + 1).padStart(2, '0')}-${kindOf(planned)}`,
      kind: kindOf(planned),
      durationFrames,
      background: palette[draft.variant.background]!,
      layers: finishLayers(draft.layers, design.camera, move, span, {
        leavesAt: durationFrames - transition.durationFrames,
        travel: planned.role === 'hook' ? HOOK_TRAVEL : planned.role === 'hero' ? heroTravel : undefined,
        // The opening takes over the speed of the cuts before it.
        easing: planned.role === 'hero' ? 'land' : undefined,
        before,
      }),
      transition,
    };
    before = transition;
    return scene;
  });
}

/**
 * Frames from the moment a change is felt (the middle of its transition) to the scene's end, in steps: a caption can
 * make a transition slightly longer, and that should not move the beats of all later scenes.
 */
function leadsOf(
  plan: readonly PlannedScene[],
  ends: readonly TransitionEnd[],
  { transitions }: RatioDesign,
  palette: Palette,
): number[] {
  const trial = createTransitionSequence(transitions, palette, FPS);
  return plan.map(({ sec }, index) => {
    const { durationFrames } = trial(
      { ...ends[index]!, durationFrames: Math.round(sec * FPS) },
      ends[index + 1],
    );
    return Math.round(durationFrames / 2 / LEAD_STEP_FRAMES) * LEAD_STEP_FRAMES;
  });
}

function moveOf(
  planned: PlannedScene,
  draft: SceneDraft,
  camera: CameraRules,
  nextMove: ReturnType<typeof createMoveSequence>,
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
      isBoundByFocus(camera, layer, isPanned && layer.camera === 'pan'),
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
  const isPanned = layer.camera === 'pan' && hasPanRoom(layer) && !isBoundByFocus(camera, layer, true);
  return isPanned ? 'pan-right' : move;
}

function finishLayers(
  drafts: readonly LayerDraft[],
  camera: CameraRules,
  move: SceneMove,
  span: { readonly startFrame: number; readonly endFrame: number },
  timing: {
    readonly leavesAt: number;
    readonly travel: number | undefined;
    readonly easing: Easing | undefined;
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
    const { photo, camera: _, closer, followsCamera, ...layer } = moving;
    if (followsCamera !== true || path === undefined) {
      path = cameraPath(camera, {
        photo,
        box: moving.box,
        move: ownMove(moving, move, camera),
        ...(closer === undefined ? {} : { closer }),
        order: turn === undefined ? order++ : order,
        ...span,
        ...(timing.travel === undefined ? {} : { travel: timing.travel }),
        ...(timing.easing === undefined ? {} : { easing: timing.easing }),
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

function isAltered({ photo }: PhotoDraft): boolean {
  return photo.label !== undefined;
}

/** The altered photos that the video shows, in their order. */
function listAltered(drafts: readonly SceneDraft[], { photos, listing }: StoryboardRequest): AlteredPhoto[] {
  const shown = drafts.flatMap(({ layers }) =>
    layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : [])),
  );
  return photos.flatMap(({ digest, url, original, assetIndex }): AlteredPhoto[] => {
    const label = shown.find(({ photo }) => photo.digest === digest && photo.label !== undefined)?.photo
      .label;
    if (label === undefined) return [];
    return [
      {
        url,
        label,
        originalUrl: listing.assets[assetIndex]!.original ?? null,
        digest,
        originalDigest: original?.digest ?? null,
      },
    ];
  });
}

function kindOf(planned: PlannedScene): SceneKind {
  return planned.role === 'single' ? 'photo' : planned.role;
}

const MAX_FROM_BODY = 3;

/**
 * Indexes of the scenes in the preview, ascending: the opening, up to three of the body, the ending. Of the body
 * first a single, the facts and a scene of several photos, which show most in little time.
 */
function chooseHighlights(scenes: readonly Scene[]): number[] {
  const card = scenes.findIndex(({ kind }) => kind === 'card');
  const last = card < 0 ? scenes.length - 1 : card;
  const opening = scenes.findIndex(({ kind }) => kind === 'hero');
  const body = scenes.map((scene, index) => ({ scene, index })).slice(opening + 1, last);
  const picked = new Set<number>();
  const pick = (found: { readonly index: number } | undefined) => found && picked.add(found.index);
  pick(body.find(({ scene }) => scene.kind === 'photo'));
  pick(body.find(({ scene }) => scene.kind === 'facts'));
  const lively = body.filter(({ scene }) => scene.kind !== 'floor_plan' && scene.kind !== 'originals');
  pick(lively.findLast(({ scene }) => scene.kind !== 'photo' && scene.kind !== 'facts'));
  for (const { index } of [...lively.toReversed(), ...body.toReversed()]) {
    if (picked.size >= Math.min(MAX_FROM_BODY, body.length)) break;
    picked.add(index);
  }
  return [opening, ...[...picked].sort((a, b) => a - b), last];
}
