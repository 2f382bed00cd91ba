/** How a file is made for the places that it goes to, and which places share one file. Pure. */
import type { AspectRatio } from '../../listing/listing.ts';
import { AUDIO_BIT_RATE } from '../../media/encode/audio/soundtrack.ts';
import {
  type ChapterRule,
  type DestinationName,
  destinationOf,
  isUnbrandedPlace,
  type PosterRule,
  SMALL_VIDEO,
  type SmallVideoRule,
} from './destination-table.ts';

/** What sets files of the same pictures apart. */
export interface Delivery {
  /** Places that the file is made for; none without `--for`. */
  readonly places: readonly DestinationName[];
  readonly hasEditLists: boolean;
  /** Bit/s. */
  readonly audioBitRate: number;
  /** Null: as large as the video. */
  readonly poster: PosterRule | null;
  /** Of the description; null: as many as there are. */
  readonly chapters: ChapterRule | null;
  /** Of the smaller file that is made where the video is larger; null: none. */
  readonly small: SmallVideoRule | null;
}

export const USUAL_DELIVERY = deliveryFor([]);

/** The delivery that suits all these places. */
export function deliveryFor(places: readonly DestinationName[]): Delivery {
  const rules = places.map(destinationOf);
  return {
    places,
    hasEditLists: !rules.some(({ refusesEditLists }) => refusesEditLists !== undefined),
    poster: rules.flatMap(({ poster }) => poster?.value ?? [])[0] ?? null,
    chapters: rules.flatMap(({ chapters }) => chapters?.value ?? [])[0] ?? null,
    small: rules.some(({ wantsSmallVideo }) => wantsSmallVideo) ? SMALL_VIDEO : null,
    audioBitRate: Math.min(
      AUDIO_BIT_RATE,
      ...rules.flatMap(({ maxAudioBitRate }) => maxAudioBitRate?.value ?? []),
    ),
  };
}

export interface PlaceGroup {
  readonly ratio: AspectRatio;
  readonly places: readonly DestinationName[];
}

/**
 * Places that can share a file of an agent: of one shape, and of one opinion on edit lists, since old players that read
 * a file without them show its pictures out of order.
 *
 * @param ratios - What the user chose, or null: then each place has its own, and one without any has the usual one.
 */
export function groupPlaces(
  names: readonly DestinationName[],
  ratios: { readonly said: AspectRatio | null; readonly usual: AspectRatio },
): PlaceGroup[] {
  const groups: { ratio: AspectRatio; places: DestinationName[]; refuses: boolean }[] = [];
  for (const name of names) {
    if (isUnbrandedPlace(name)) continue;
    const place = destinationOf(name);
    const ratio = ratios.said ?? place.ratio?.value ?? ratios.usual;
    const refuses = place.refusesEditLists !== undefined;
    const group = groups.find((one) => one.ratio === ratio && one.refuses === refuses);
    if (group === undefined) groups.push({ ratio, places: [name], refuses });
    else group.places.push(name);
  }
  return groups;
}
