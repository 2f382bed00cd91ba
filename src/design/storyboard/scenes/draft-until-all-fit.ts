/** Plans a video again until every photo, label and caption has its place. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { planScenes } from '../plan/plan-scenes.ts';
import type { Plan, PlannedPhoto, PlannedScene, PlanRequest } from '../plan/planned-scene.ts';
import { BODY_ROLES } from '../timing/pacing.ts';
import type { SceneDraft } from './build-scene.ts';
import type { DraftPlan } from './draft-plan.ts';

/** The scenes of a video, and what its length leaves out. */
export interface DraftedPlan extends Omit<Plan, 'scenes'> {
  readonly plan: readonly PlannedScene[];
  readonly drafts: readonly SceneDraft[];
}

/** A layout shows what fits: what a scene has no room for is planned again, with a scene of its own. */
export function draftUntilAllFit(
  design: RatioDesign,
  request: PlanRequest,
  draftPlan: DraftPlan,
): DraftedPlan {
  const planAround = ({ altered, captions, followed }: Alone, heroPhotos?: number): DraftedPlan => {
    const withAlone = request.photos.map((photo, index) => ({
      ...photo,
      standsAlone: altered.has(index),
      captionStandsAlone: captions.has(index),
      isOverOriginal: photo.isOverOriginal === true && !followed.has(index),
    }));
    const { scenes, ...planned } = planScenes(design, {
      ...request,
      photos: withAlone,
      ...(heroPhotos === undefined ? {} : { heroPhotos }),
    });
    const drafts = draftPlan(scenes, request.photos.length - planned.leftOut.length);
    // A card of two pages is two scenes.
    const pages = Array.from({ length: drafts.length - scenes.length }, () => scenes.at(-1)!);
    return { ...planned, plan: [...scenes, ...pages], drafts };
  };
  const alone: Alone = { altered: new Set(), captions: new Set(), followed: new Set() };
  let made = planAround(alone);
  let { plan, drafts } = made;
  const hero = plan.findIndex(({ role }) => role === 'hero');
  const opened = photosShown(plan[hero]!, drafts[hero]!, request.photos);
  // The opening's layout shows fewer photos than planned: the body shows the others.
  const heroPhotos = opened < plan[hero]!.photos.length ? opened : undefined;
  if (heroPhotos !== undefined) ({ plan, drafts } = made = planAround(alone, heroPhotos));
  for (;;) {
    const altered = alteredInCrowds(plan, drafts, request.photos).filter(
      (index) => !alone.altered.has(index),
    );
    const captions = captionsInCrowds(plan, drafts).filter((index) => !alone.captions.has(index));
    const followed = unfitComparisons(plan, drafts);
    if (altered.length + captions.length + followed.length === 0) break;
    for (const index of altered) alone.altered.add(index);
    for (const index of captions) alone.captions.add(index);
    for (const index of followed) alone.followed.add(index);
    ({ plan, drafts } = made = planAround(alone, heroPhotos));
  }
  return made;
}

/** Photos that share no scene of the body, by their index: always, or while their caption is shown. */
interface Alone {
  readonly altered: Set<number>;
  readonly captions: Set<number>;
  /** Their originals follow them. */
  readonly followed: Set<number>;
}

/** Altered photos that no layout shows over their originals, with all that is said of them. */
function unfitComparisons(plan: readonly PlannedScene[], drafts: readonly SceneDraft[]): number[] {
  return plan.flatMap(({ isComparison, photos, captions }, at) => {
    if (!isComparison) return [];
    const { fits, strayCaptions, layers } = drafts[at]!;
    const isSaid = captions[0] === '' || layers.some(({ id }) => id.startsWith('caption'));
    return fits && isSaid && strayCaptions.length === 0 ? [] : photos;
  });
}

/** Photos in groups of the body whose captions have no place of their own there. */
function captionsInCrowds(plan: readonly PlannedScene[], drafts: readonly SceneDraft[]): number[] {
  return plan.flatMap(({ role, photos, isComparison }, at) =>
    BODY_ROLES.has(role) && !isComparison ? drafts[at]!.strayCaptions.map((place) => photos[place]!) : [],
  );
}

/** Altered photos in scenes of the body that have no room for their labels. */
function alteredInCrowds(
  plan: readonly PlannedScene[],
  drafts: readonly SceneDraft[],
  photos: readonly PlannedPhoto[],
): number[] {
  return plan.flatMap(({ role, photos: own }, at) =>
    drafts[at]!.hasRoomForNotices || !BODY_ROLES.has(role) || own.length < 2
      ? []
      : own.filter((index) => photos[index]!.isAltered === true),
  );
}

function photosShown(planned: PlannedScene, draft: SceneDraft, photos: readonly PlannedPhoto[]): number {
  const ofScene = planned.photos.map((index) => photos[index]!);
  return Math.max(1, photosIn([draft], ofScene).length);
}

/** Those of the photos that the scenes show. */
export function photosIn<P extends { readonly digest?: string }>(
  drafts: readonly SceneDraft[],
  photos: readonly P[],
): P[] {
  const layers = drafts.flatMap((draft) => draft.layers);
  const digests = new Set(layers.map((layer) => (layer.type === 'photo' ? layer.digest : '')));
  return photos.filter(({ digest }) => digest !== undefined && digests.has(digest));
}
