/** The warnings of a planned video, each at the field of the document that it concerns, where that is known. Pure. */

import {
  describeMissingCaptions,
  explainMissingCaption,
} from '../../design/storyboard/scenes/omissions/missing-captions.ts';
import { fillDataLayers } from '../../design/template/data-layers.ts';
import type { AspectRatio, Asset, ListingWarning } from '../../listing/listing.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import type { ListingNote } from '../plan/listing-notes.ts';
import { warnOfListing } from '../plan/listing-warnings.ts';
import type { VideoPlan } from '../plan/plan-video.ts';
import type { RequestedVideo } from '../plan/requested-videos.ts';
import type { StageWarning } from './stage-state.ts';

const SHAPES: Readonly<Record<AspectRatio, string>> = { '1920:1080': '16:9', '1080:1920': '9:16' };

/** Indexes into the document. */
export interface DocumentPlaces {
  /** Of the video's agent. */
  readonly agentIndex: number;
  readonly agentIndexes: readonly number[];
  readonly assetIndexes: readonly number[];
}

/** The law that a warning about photos without originals names. */
const ORIGINALS_LAW = '10140.8';
/** The field that people know by its label. */
const ORIGINALS_FIELD = [/\boriginals_url\b/, '“Web address of the originals”'] as const;

export function describeWarnings(
  plan: VideoPlan,
  video: RequestedVideo,
  places: DocumentPlaces,
): StageWarning[] {
  const { template, id, listing } = video;
  const { agentIndex, assetIndexes } = places;
  const { ratio, templateData } = plan.options;
  const options = ['agents', agentIndex, 'video_options'] as const;
  const { faults } = fillDataLayers(template.dataLayers, templateData, template.withoutLayers);
  const names = new Map(faults.map(({ name, message }) => [message, name]));
  const at = (path: StageWarning['path'], message: string): StageWarning => ({
    ...{ path, message },
    agent_id: id,
    ratio,
  });
  const { warnings, missingCaptions = [] } = plan.timeline.storyboard;
  // Each is shown beside its caption, in place of the sentence that names all.
  const aboutCaptions = new Set(describeMissingCaptions(missingCaptions));
  return [
    ...missingCaptions.map((caption) =>
      at(
        ['assets', assetIndexes[caption.number - 1]!, 'caption'],
        explainMissingCaption(caption, SHAPES[ratio]),
      ),
    ),
    ...plan.notes.map((note) => at([...options, 'template_data'], note)),
    ...warnings.flatMap((warning) => {
      if (aboutCaptions.has(warning)) return [];
      const name = names.get(warning);
      const bare = warning.includes(ORIGINALS_LAW)
        ? assetIndexes[firstWithoutOriginal(listing.assets)]
        : undefined;
      if (bare !== undefined) return at(['assets', bare, 'altered'], warning.replace(...ORIGINALS_FIELD));
      return at(name === undefined ? null : [...options, 'template_data', name], warning);
    }),
    ...plan.music.warnings.map((warning) => at([...options, 'template_data', 'music'], warning)),
    // About the listing, not about the shape of a video.
    ...warnOfListing([video]).map(({ loc, message }) => ({
      ...{ path: pathOf(loc, places), message },
      agent_id: null,
      ratio: null,
    })),
  ];
}

function pathOf(
  [, list, index, ...rest]: ListingWarning['loc'],
  { agentIndexes, assetIndexes }: DocumentPlaces,
): StageWarning['path'] {
  if (list === undefined) return null;
  if (typeof index !== 'number') return index === undefined ? [list] : [list, index, ...rest];
  return [list, (list === 'agents' ? agentIndexes : assetIndexes)[index]!, ...rest];
}

function firstWithoutOriginal(assets: readonly Asset[]): number {
  return assets.findIndex((asset) => alteredLabel(asset) !== null && asset.original === undefined);
}

/** Of all videos alike. */
export function describeListingWarnings(
  notes: readonly ListingNote[],
  assetIndexes: DocumentPlaces['assetIndexes'],
): StageWarning[] {
  return notes.map(({ message, path: [assets, index, ...field] }) => ({
    ...{ path: [assets, assetIndexes[index]!, ...field], message },
    agent_id: null,
    ratio: null,
  }));
}
