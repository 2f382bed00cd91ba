/** A listing and an agent, told by a template: the one way to a storyboard. Pure: same arguments, same JSON. */
import type { Graphic, Photo } from '../assets/photo.ts';
import type { Agent, AspectRatio, Listing } from '../listing/listing.ts';
import { fillDataLayers } from '../template/data-layers.ts';
import type { CameraRules, Palette, RatioDesign, Template } from '../template/template.ts';
import type { TextMeasurer } from '../text/text.ts';
import { buildScene, type SceneDraft } from './build-scene.ts';
import { cameraPath, createMoveDealer, type SceneMove } from './camera.ts';
import { chooseHighlights } from './choose-highlights.ts';
import { createTransitionDealer, type TransitionEnd } from './choose-transition.ts';
import type { LayerDraft, PhotoDraft, SceneContext } from './elements/scene-context.ts';
import { exitTracks } from './elements/tracks.ts';
import { aspectOf, coverSpan, enlargement, MAX_ENLARGEMENT, mayCover } from './fit-photo.ts';
import { resolvePalette } from './palette.ts';
import { type PlannedScene, planScenes } from './plan-scenes.ts';
import { leastSceneSec } from './reading-time.ts';
import { sceneLengths } from './scene-lengths.ts';
import { captionOf, toCardWords, toListingWords } from './scene-words.ts';
import { TypeSetter, toPx } from './set-type.ts';
import type { BeatGrid } from './snap-to-beats.ts';
import type { Layer, Scene, SceneKind, Storyboard, Transition } from './storyboard.ts';

const FPS = 30;
const FRAMES: Readonly<Record<AspectRatio, { readonly w: number; readonly h: number }>> = {
  '1920:1080': { w: 1920, h: 1080 },
  '1080:1920': { w: 1080, h: 1920 },
};

/** Scenes whose words are there to be read, whatever the music does. */
const FOR_READING: ReadonlySet<PlannedScene['role']> = new Set(['hero', 'facts', 'card', 'closing']);

export interface StoryboardRequest {
  readonly listing: Listing;
  readonly agent: Agent;
  readonly template: Template;
  /** As the client sent it; checked here. */
  readonly templateData: Readonly<Record<string, string>>;
  readonly ratio: AspectRatio;
  /** The usable photos in the listing's order; at least one. */
  readonly photos: readonly Photo[];
  readonly picture: Photo | null;
  readonly logo: Graphic | null;
  readonly measurer: TextMeasurer;
  /** Beats of the template's own music, for scene changes to fall on; absent where it has none. */
  readonly beats?: BeatGrid | null;
}

/**
 * The film of one agent.
 *
 * What is known of the agent appears in the last scene and in the metadata only: all other scenes are equal, byte for byte,
 * for all agents with the same template, ratio and data.
 */
export function makeStoryboard(request: StoryboardRequest): Storyboard {
  const { listing, agent, template, ratio, photos } = request;
  const design = template.ratios[ratio];
  const frame = FRAMES[ratio];
  const data = fillDataLayers(template.dataLayers, request.templateData);
  const colors = resolvePalette(
    template.palette,
    {
      ...(data.given.has('accent') ? { accent: data.values.accent! } : {}),
      ...(data.given.has('paper') ? { paper: data.values.paper! } : {}),
      ...(data.given.has('ink') ? { ink: data.values.ink! } : {}),
    },
    template.paletteRules,
  );
  const type = new TypeSetter(request.measurer, template.styleDefaults, design.styles);
  const listingWords = toListingWords(listing, data);
  const cardWords = toCardWords(agent, listing, data);
  const captions = photoCaptions(listing, photos, (number) => captionOf(data, number));
  const plan = planScenes(design, {
    photoCount: photos.length,
    needsCaptionSlot: (photo) => captions[photo] !== '' && !fillsFrame(photos[photo]!, frame),
    wantsCompany: (photo) => cannotFill(photos[photo], design, frame),
    hasFacts: listingWords.facts.length > 0,
    pace: Number(data.values.pace ?? 1) || 1,
  });
  const drafts = plan.map((planned): SceneDraft => {
    const isCard = planned.role === 'card';
    const caption = planned.photos.map((photo) => captions[photo] ?? '');
    const context: SceneContext = {
      frame,
      fps: FPS,
      palette: colors.palette,
      type,
      words: isCard
        ? cardWords.words
        : {
            ...listingWords.words,
            ...(planned.role === 'hero' || planned.role === 'facts' ? {} : sceneCaptions(caption, ratio)),
          },
      truths: truthsOf(
        planned,
        listingWords.facts.length,
        isCard ? request : undefined,
        cardWords.words,
        cardWords.licences.length > 0,
      ),
      facts: listingWords.facts,
      licences: isCard ? cardWords.licences : [],
      photos: isCard ? [cardPhoto(photos, design, frame)] : planned.photos.map((index) => photos[index]!),
      portrait: isCard ? request.picture : null,
      logo: isCard ? request.logo : null,
      hasEqualHousing: data.values.equal_housing !== 'false',
    };
    return buildScene(design.scenes[planned.role], context);
  });
  const scenes = animate(plan, drafts, design, colors.palette, request.beats ?? null);
  return {
    templateId: template.id,
    ratio,
    widthPx: frame.w,
    heightPx: frame.h,
    fps: FPS,
    scenes,
    title: [listingWords.title, cardWords.name].filter((word) => word !== '').join(' — '),
    comment: listingWords.facts
      .map((fact) =>
        [fact.value, fact.kind === 'price' ? '' : fact.longLabel].filter((word) => word !== '').join(' '),
      )
      .join(' · '),
    highlights: chooseHighlights(scenes),
    warnings: [
      ...data.warnings,
      ...colors.warnings,
      ...cardWords.leftOut,
      ...new Set(drafts.flatMap((draft) => draft.warnings)),
      ...type.missing.map(
        (point) =>
          `no bundled font has the character ${String.fromCodePoint(point)} (U+${point.toString(16).toUpperCase().padStart(4, '0')})`,
      ),
    ],
  };
}

/** Times, transitions and cameras: what needs a scene's neighbours. */
function animate(
  plan: readonly PlannedScene[],
  drafts: readonly SceneDraft[],
  design: RatioDesign,
  palette: Palette,
  beats: BeatGrid | null,
): Scene[] {
  const ends = plan.map(
    (planned, index): TransitionEnd => ({
      role: planned.role,
      ground: drafts[index]!.variant.ground,
      zoomLayerId: drafts[index]!.layers.find((layer) => layer.type === 'photo')?.id,
    }),
  );
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  const deal = createMoveDealer(design.camera);
  const leave = createTransitionDealer(design.transitions, palette, FPS);
  const leads = leadsOf(plan, ends, design, palette);
  const lengths = sceneLengths({
    scenes: plan.map(({ role, sec }, index) => ({
      sec,
      readingSec: leastSceneSec(drafts[index]!.layers, transitionSec, FPS),
      isForReading: FOR_READING.has(role),
      leadFrames: leads[index]!,
    })),
    fps: FPS,
    capSec: design.pacing.capSec,
    minSceneSec: design.pacing.minSceneSec,
    beats,
  });
  let before: Transition = { kind: 'cut', durationFrames: 0 };
  return plan.map((planned, index) => {
    const draft = drafts[index]!;
    const durationFrames = lengths[index]!;
    const transition = leave({ ...ends[index]!, durationFrames }, ends[index + 1]);
    const span = { startFrame: 0 - before.durationFrames, endFrame: durationFrames };
    const move = moveOf(planned, draft, deal);
    const scene: Scene = {
      id: `scene-${String(index + 1).padStart(2, '0')}-${kindOf(planned)}`,
      kind: kindOf(planned),
      durationFrames,
      background: palette[draft.variant.background]!,
      layers: finishLayers(
        draft.layers,
        design.camera,
        move,
        span,
        durationFrames - transition.durationFrames,
      ),
      transition,
    };
    before = transition;
    return scene;
  });
}

/**
 * Frames from the moment each change is felt to the scene's end: none for a cut, else half of the template's usual transition.
 * Not half of each one's own: a caption may change the transition, and should not move the beat.
 */
function leadsOf(
  plan: readonly PlannedScene[],
  ends: readonly TransitionEnd[],
  { transitions }: RatioDesign,
  palette: Palette,
): number[] {
  const seconds = transitions
    .flatMap((rule) => (rule.kind === 'cut' ? [] : [rule.sec]))
    .sort((a, b) => a - b);
  const usualFrames = Math.round((FPS * (seconds[Math.floor(seconds.length / 2)] ?? 0)) / 2);
  const trial = createTransitionDealer(transitions, palette, FPS);
  return plan.map(({ sec }, index) => {
    const { kind } = trial({ ...ends[index]!, durationFrames: Math.round(sec * FPS) }, ends[index + 1]);
    return kind === 'cut' ? 0 : usualFrames;
  });
}

function moveOf(
  planned: PlannedScene,
  draft: SceneDraft,
  deal: ReturnType<typeof createMoveDealer>,
): SceneMove {
  if (planned.role === 'card') return 'still';
  if (planned.role === 'hero') return deal('hero');
  const panned = draft.layers.find(
    (layer): layer is PhotoDraft => layer.type === 'photo' && layer.camera === 'pan',
  );
  // A photo as tall as the frame has nothing to pan over.
  const hasRoom = panned && coverSpan(aspectOf(panned.photo), panned.box.w / panned.box.h) <= 0.9;
  return deal(hasRoom ? 'pan' : 'move');
}

function finishLayers(
  drafts: readonly LayerDraft[],
  camera: CameraRules,
  move: SceneMove,
  span: { readonly startFrame: number; readonly endFrame: number },
  leavesAt: number,
): Layer[] {
  let order = 0;
  return drafts.map(({ leaving, ...unfinished }): Layer => {
    const tracks = [...(unfinished.tracks ?? []), ...(leaving ? exitTracks(leaving, leavesAt) : [])];
    const draft = tracks.length ? { ...unfinished, tracks } : unfinished;
    if (draft.type !== 'photo') return draft;
    const { photo, camera: wanted, ...layer } = draft;
    return {
      ...layer,
      camera: cameraPath(camera, {
        photo,
        box: draft.box,
        move: wanted === 'still' ? 'still' : move,
        order: order++,
        ...span,
        fps: FPS,
      }),
    };
  });
}

/** A photo about as tall as the frame is full-bleed at its best, and carries its caption on a plate. */
function fillsFrame(photo: Photo, frame: { readonly w: number; readonly h: number }): boolean {
  return mayCover(photo, { x: 0, y: 0, ...frame }, 0.3);
}

/** Too tall or too wide for the frame by the template's measure, or too small to be sharp in it. */
function cannotFill(
  photo: Photo | undefined,
  { pairWhen }: RatioDesign,
  frame: { readonly w: number; readonly h: number },
): boolean {
  if (!photo || !pairWhen) return false;
  const aspect = aspectOf(photo);
  const isSoft = enlargement(photo, { x: 0, y: 0, ...frame }) > MAX_ENLARGEMENT + 0.002;
  return isSoft || aspect < (pairWhen.below ?? 0) || aspect > (pairWhen.above ?? Number.POSITIVE_INFINITY);
}

/** The card's strip shows the opening's photo, or the first that the strip does not mutilate. */
function cardPhoto(photos: readonly Photo[], design: RatioDesign, frame: { w: number; h: number }): Photo {
  const strip = design.scenes.card
    .flatMap((variant) => variant.elements)
    .find((element) => element.type === 'photo');
  if (!strip) return photos[0]!;
  const box = toPx(strip.box, frame);
  return photos.find((photo) => mayCover(photo, box, strip.maxCropLoss ?? 0.45)) ?? photos[0]!;
}

function kindOf(planned: PlannedScene): SceneKind {
  return planned.role === 'single' ? 'photo' : planned.role;
}

function truthsOf(
  planned: PlannedScene,
  factCount: number,
  card: Pick<StoryboardRequest, 'picture' | 'logo'> | undefined,
  cardWords: Readonly<Record<string, string>>,
  hasLicences: boolean,
): Set<string> {
  const truths = new Set<string>();
  if (factCount > 0) truths.add('facts');
  for (const index of planned.photos.keys()) truths.add(`photo-${index + 1}`);
  if (!card) return truths;
  if (card.picture) truths.add('portrait');
  if (card.logo) truths.add('logo');
  if (['phone', 'email', 'website', 'cta'].some((name) => cardWords[name]) || hasLicences)
    truths.add('contact-lines');
  if (['office', 'office_address', 'office_phone'].some((name) => cardWords[name]))
    truths.add('office-lines');
  return truths;
}

/** One caption a scene at most. In 16:9 it stands under its own photo; in 9:16 between the two. */
function sceneCaptions(captions: readonly string[], ratio: AspectRatio): Record<string, string> {
  const [first = '', second = ''] = captions;
  if (ratio === '1080:1920') return { caption: first || second, caption_of_second: '' };
  return { caption: first, caption_of_second: first ? '' : second };
}

/** The caption of each usable photo, by the number its asset has in the listing. */
function photoCaptions(
  listing: Listing,
  photos: readonly Photo[],
  captionOfAsset: (assetNumber: number) => string,
): string[] {
  let from = 0;
  return photos.map((photo) => {
    const index = listing.assets.findIndex((asset, at) => at >= from && asset.url === photo.url);
    if (index < 0) return '';
    from = index + 1;
    return captionOfAsset(index + 1);
  });
}
