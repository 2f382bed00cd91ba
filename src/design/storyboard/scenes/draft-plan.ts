/** Builds the scenes of a plan: what each can say and show, in the layout that it takes. Pure. */

import type { Agent } from '../../../listing/listing.ts';
import { displayText } from '../../../listing/words/display-text.ts';
import type { Fact } from '../../../listing/words/facts.ts';
import type { Graphic, Photo } from '../../photo.ts';
import type { DataValues } from '../../template/data-layers.ts';
import type { Palette, RatioDesign } from '../../template/template.ts';
import { comparedPhotos } from '../elements/comparison.ts';
import { withGround } from '../elements/in-room.ts';
import type { PhotoLight, SceneContext, ScenePhoto } from '../elements/scene-context.ts';
import { type GradeOf, gradedLight } from '../grade-photos.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import { type KnownRoom, suitsFact } from '../plan/rate-rooms.ts';
import type { TypeSetter } from '../set-type.ts';
import { BODY_ROLES } from '../timing/pacing.ts';
import { PAGE_SEC } from '../timing/page-lengths.ts';
import { NO_OPEN_HOUSE } from './announcements.ts';
import { buildScene, type SceneDraft } from './build-scene.ts';
import { type CardContent, layOutCard } from './card/pages.ts';
import { withCaptionsAtOnce, withWordsAtOnce } from './earlier-layers.ts';
import { sceneCaptions } from './scene-captions.ts';
import { cardFlags, factTexts, inOrderOfScenes, leadFlags, listingFlags, photoTexts } from './scene-flags.ts';
import type { CardTexts, ListingTexts } from './scene-texts.ts';
import { SharedScenes } from './shared-scenes.ts';

/** So much of its way a zoom has gone halfway: it slows down. */
const HALFWAY = 0.6;

export interface LayoutDeps {
  readonly design: RatioDesign;
  readonly frame: { readonly w: number; readonly h: number };
  readonly fps: number;
  readonly data: DataValues;
  readonly palette: Palette;
  readonly type: TypeSetter;
  readonly cardType: TypeSetter;
}

/** What of a listing and its agent the scenes of a video can say and show. */
interface SceneSources {
  readonly agent: Agent;
  readonly portrait: Photo | null;
  readonly logo: Graphic | null;
  readonly images?: ReadonlyMap<string, Graphic>;
  readonly lightOf?: (photo: Photo) => PhotoLight | undefined;
  /** With other agents' videos; absent: none is planned. */
  readonly shared?: SharedScenes;
  readonly listingTexts: ListingTexts;
  readonly cardTexts: CardTexts;
  readonly disclosure: string;
  readonly isOpenHouseInFacts: boolean;
  /** By their index in a plan, as the rooms are. */
  readonly photos: readonly ScenePhoto[];
  readonly rooms: readonly KnownRoom[];
  readonly gradeOf: GradeOf;
  /** @param best - Indexes of the photos that the plan gives to the card. */
  cardShows(best: readonly number[]): readonly ScenePhoto[];
}

/** @param photoCount - Of the photos that the video shows. */
export type DraftPlan = (plan: readonly PlannedScene[], photoCount: number) => SceneDraft[];

export function createPlanDrafter(deps: LayoutDeps, known: SceneSources): DraftPlan {
  const { shared = new SharedScenes(), lightOf } = known;
  const { design, frame, fps, data, palette, type } = deps;
  const { listingTexts, cardTexts, disclosure, isOpenHouseInFacts, photos, gradeOf } = known;
  const base = {
    frame,
    fps,
    palette,
    facts: listingTexts.facts,
    link: listingTexts.link,
    originals: listingTexts.originals,
    disclosure,
    originalLabel: displayText(data.values.label_original ?? ''),
    notice: design.notice,
    hasEqualHousing: data.values.equal_housing !== 'false',
    // Layouts are chosen by the photos as they are, so that a grade changes none.
    ...(lightOf && { lightOf: (photo: Photo) => gradedLight(lightOf(photo), gradeOf(photo.digest)) }),
  };
  const portrait = known.portrait && withGround(known.portrait);
  // The logo belongs to the agent, and nothing of the agent is seen before the card.
  const images = new Map([...(known.images ?? [])].filter(([name]) => name !== 'logo'));
  const noticeFlags = (shown: readonly ScenePhoto[]) =>
    disclosure !== '' || shown.some(({ label }) => label !== undefined) ? ['disclosure'] : [];
  const cardContext = (
    { texts, licenses }: CardContent,
    hasLogo: boolean,
    cardShows: readonly ScenePhoto[],
  ): SceneContext => {
    const logo = hasLogo ? known.logo : null;
    return {
      ...base,
      type: deps.cardType,
      texts,
      flags: new Set([
        ...noticeFlags(cardShows),
        ...cardFlags({ ...known, logo, photos: cardShows }, { texts, licenses }),
      ]),
      licenses,
      photos: cardShows,
      portrait,
      logo,
      link: texts.link ? base.link : null,
      images: logo ? new Map([...images, ['logo', logo]]) : images,
    };
  };
  // The same for plans that end on the same photos.
  const canBeTwo = design.pacing.endSec >= 2 * PAGE_SEC;
  const cardPages = new Map<string, readonly SceneDraft[]>();
  const cardOf = (best: readonly number[]) => {
    const shows = known.cardShows(best);
    const contextOf = (content: CardContent, hasLogo: boolean) => cardContext(content, hasLogo, shows);
    const key = shows.map(({ digest }) => digest).join();
    const pages = cardPages.get(key) ?? layOutCard(design.scenes.card, cardTexts, contextOf, canBeTwo);
    return cardPages.set(key, pages) && pages;
  };
  return (plan, photoCount) => {
    const turns = new Map<string, number>();
    const order = inOrderOfScenes(plan);
    // The price has its places in opening and facts: it is dealt last.
    const isSaidLater = isOpenHouseInFacts && plan.some(({ role }) => role === 'facts');
    const isPrice = ({ kind }: Fact) => Number(kind === 'price');
    const factsLeft = listingTexts.facts.toSorted((a, b) => isPrice(a) - isPrice(b));
    return plan.flatMap((planned): readonly SceneDraft[] => {
      if (planned.role === 'card') return cardOf(planned.photos);
      const { isComparison = false } = planned;
      const isOpening = planned.role === 'hero' || planned.role === 'hook';
      const listed = planned.photos.map((index) => photos[index]!);
      const shown = isComparison
        ? comparedPhotos(listed[0]!, base.originalLabel)
        : listed.map(({ original, ...photo }) =>
            isOpening || original === undefined ? photo : { ...photo, original },
          );
      const rooms = planned.photos.map((index) => known.rooms[index]!);
      // A run is over before a fact is read.
      const nextFact = planned.isInRun ? undefined : factsLeft.find(({ kind }) => suitsFact(rooms, kind));
      const isOfBody = BODY_ROLES.has(planned.role);
      const lead = { ...shown[0]!, room: rooms[0]! };
      if (planned.next !== undefined) {
        const views = planned.next.map((index) => photos[index]!);
        const { hero, heroTravel = 0 } = design.camera;
        const approach = hero === 'in' ? 1 + HALFWAY * heroTravel : 1;
        const dissolveSec = design.pacing.nextViewSec!;
        shown[0] = { ...shown[0]!, next: { photos: views, dissolveSec, approach } };
      }
      const context: SceneContext = {
        ...base,
        type,
        texts: {
          ...listingTexts.texts,
          ...photoTexts(planned, order, photoCount),
          ...(isOpening && isSaidLater && NO_OPEN_HOUSE),
          ...(isOfBody
            ? { ...sceneCaptions(planned.captions, frame.h > frame.w), ...factTexts(nextFact) }
            : {}),
        },
        flags: new Set([
          ...noticeFlags(shown),
          ...listingFlags(
            shown.length,
            listingTexts.facts.length,
            photos.length,
            isOfBody && !isComparison && nextFact !== undefined,
          ),
          ...(planned.role === 'hook' && plan[1]?.role !== 'hook' && shown.length === 1 ? ['lone'] : []),
          ...(isComparison ? ['original'] : []),
          ...(rooms.includes('bedroom') ? ['bedroom'] : []),
          ...(rooms.includes('outside') ? ['outside'] : []),
          ...(planned.isInRun ? ['run'] : []),
          ...leadFlags(planned, lead, known.lightOf, frame),
        ]),
        licenses: [],
        photos: shown,
        portrait: null,
        logo: null,
        images,
      };
      const layout = isComparison ? 'pair' : planned.role;
      const turn = turns.get(layout) ?? 0;
      if (!planned.isInRun && !isComparison) turns.set(layout, turn + 1);
      const place = planned.isInRun ? 'run' : turn;
      const { captions } = planned;
      const { facts, link, originals } = listingTexts;
      const draft = shared.draft(
        [
          layout,
          planned.photos,
          planned.next,
          captions,
          place,
          context.texts,
          [...context.flags],
          facts,
          link,
          originals,
        ],
        () => buildScene(design.scenes[layout], context, captions, place),
      );
      if (draft.variant.dealsFact) factsLeft.splice(factsLeft.indexOf(nextFact!), 1);
      // A template without a hook gives the opening's words their entrances.
      const isInsteadOfHook =
        planned.role === 'hero' && planned === plan[0] && design.pacing.hook !== undefined;
      if (isInsteadOfHook) return [{ ...draft, layers: withWordsAtOnce(draft.layers) }];
      return [planned.isReadFast ? { ...draft, layers: withCaptionsAtOnce(draft.layers) } : draft];
    });
  };
}
