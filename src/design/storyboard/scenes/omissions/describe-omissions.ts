/** What of a listing a video does not show, said for whoever made it. Pure. */
import type { Listing } from '../../../../listing/listing.ts';
import type { Fact } from '../../../../listing/words/facts.ts';
import type { ListingPhoto } from '../../../photo.ts';
import type { PlannedPhoto } from '../../plan/planned-scene.ts';
import type { MissingCaption } from '../../storyboard.ts';
import { type DraftedPlan, photosIn } from '../draft-until-all-fit.ts';
import type { ListingTexts } from '../scene-texts.ts';
import { alteredWarnings } from './altered-warnings.ts';
import { warnOfControls } from './control-warnings.ts';
import { type CaptionedPhoto, describeMissingCaptions, findMissingCaptions } from './missing-captions.ts';
import { warnOfMissingPlaces } from './missing-places.ts';

export interface Omissions {
  readonly missingCaptions: readonly MissingCaption[];
  readonly warnings: readonly string[];
}

interface ListingToShow {
  readonly listing: Listing;
  readonly listingTexts: ListingTexts;
  readonly photos: readonly ListingPhoto[];
  /** The same photos, as sentences name them and as the plan knows them. */
  readonly captioned: readonly CaptionedPhoto[];
  readonly plannedPhotos: readonly PlannedPhoto[];
  readonly originalsUrl: string | undefined;
  /** What texts without contact and the agent's card leave out. */
  readonly leftOut: { readonly unbranded: readonly string[]; readonly card: readonly string[] };
}

export function describeOmissions(
  made: DraftedPlan,
  { listing, listingTexts, photos, captioned, plannedPhotos, originalsUrl, leftOut }: ListingToShow,
): Omissions {
  const { plan, drafts } = made;
  const isShown = (index: number) => !made.leftOut.includes(index);
  const missingCaptions = findMissingCaptions(captioned, plan, drafts, isShown);
  return {
    missingCaptions,
    warnings: [
      ...leftOut.unbranded,
      ...describeMissingCaptions(missingCaptions),
      ...warnOfControls(withFactsOfOpening(made, listingTexts.facts), captioned, plannedPhotos),
      ...alteredWarnings(listing, photosIn(drafts, photos), originalsUrl),
      ...listingTexts.warnings,
      ...warnOfMissingPlaces(
        listingTexts,
        drafts.map(({ variant }) => variant),
      ),
      ...leftOut.card,
      ...new Set(drafts.flatMap((draft) => draft.warnings)),
    ],
  };
}

/** Facts that the opening says are not left out. */
function withFactsOfOpening(made: DraftedPlan, facts: readonly Fact[]): DraftedPlan {
  const opening = made.drafts[made.plan.findIndex(({ role }) => role === 'hero')];
  const said = new Set(opening?.layers.map(({ id }) => id));
  const isSaid = ({ kind }: Fact) => said.has('facts') || said.has(`fact-${kind}`) || said.has(kind);
  return { ...made, hasLeftOutFacts: made.hasLeftOutFacts && !facts.every(isSaid) };
}
