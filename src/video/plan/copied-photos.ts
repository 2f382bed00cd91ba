/** What a copy of a photo that is left out hands to the photo that stays: its caption, its label, its kind, its focus, its emphasis. Pure. */
import type { Asset, Listing } from '../../listing/listing.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import { captionLayer } from '../../listing/words/caption-layer.ts';
import { displayText } from '../../listing/words/display-text.ts';
import { photoName } from '../../listing/words/photo-name.ts';
import type { NamedPhoto } from '../../media/assets/collect-assets.ts';
import type { RequestedVideo } from './requested-videos.ts';

/** For each dropped copy the asset that stays: indexes of assets. */
export type Heirs = ReadonlyMap<number, number>;

type Data = Readonly<Record<string, string>>;

/** The photos of a listing as the asset stage compares them: a copy with other words in a video is no copy. */
export function toNamedPhotos(
  assets: readonly Asset[],
  videos: readonly Pick<RequestedVideo, 'options'>[],
): NamedPhoto[] {
  return assets.map((asset, index) => ({
    url: asset.url,
    original: asset.original,
    captions: [{}, ...videos.map(({ options }) => options.templateData)].map((data) =>
      captionOf(asset, index, data),
    ),
    label: alteredLabel(asset),
    kind: asset.kind,
  }));
}

/** The video with the words of dropped copies at the photos that stand for them. */
export function withWordsOfCopies<T extends Pick<RequestedVideo, 'listing' | 'options'>>(
  video: T,
  heirs: Heirs,
): T {
  if (heirs.size === 0) return video;
  const { listing, options } = video;
  const templateData: Record<string, string> = { ...options.templateData };
  for (const [copy, heir] of heirs) {
    const layer = displayText(templateData[captionLayer(copy)] ?? '');
    const hasOwn = captionOf(listing.assets[heir]!, heir, templateData) !== '';
    if (layer !== '' && !hasOwn) templateData[captionLayer(heir)] = layer;
  }
  return { ...video, listing: takeWordsOfCopies(listing, heirs), options: { ...options, templateData } };
}

export function takeWordsOfCopies(listing: Listing, heirs: Heirs): Listing {
  const assets = [...listing.assets];
  for (const [copy, heir] of heirs) assets[heir] = takeWords(assets[heir]!, assets[copy]!);
  return { ...listing, assets };
}

/** A sentence for each copy that handed something over, with the index of the photo that has it now. */
export function describeWordsOfCopies(
  { assets }: Listing,
  heirs: Heirs,
): { index: number; message: string }[] {
  const own = [...assets];
  return [...heirs].flatMap(([copy, heir]) => {
    const [before, from] = [own[heir]!, assets[copy]!];
    const after = takeWords(before, from);
    own[heir] = after;
    const taken = [
      ...(after.caption !== before.caption ? ['caption'] : []),
      ...(after.altered !== before.altered ? ['label'] : []),
      ...(after.original !== before.original ? ['original'] : []),
      ...(after.kind !== before.kind ? ['kind'] : []),
      ...(after.focus !== before.focus ? ['focus'] : []),
      ...(after.emphasis !== before.emphasis ? ['emphasis'] : []),
    ];
    if (taken.length === 0) return [];
    const names = new Intl.ListFormat('en').format(taken);
    const message = `photo ${photoName(copy, from.url)} is a copy of photo ${photoName(heir, before.url)} and is left out; its ${names} went to that photo`;
    return [{ index: heir, message }];
  });
}

function takeWords(own: Asset, copy: Asset): Asset {
  const taken = {
    caption: displayText(own.caption ?? '') === '' ? copy.caption : own.caption,
    altered: alteredLabel(own) === null ? copy.altered : own.altered,
    original: own.original ?? copy.original,
    kind: own.kind ?? copy.kind,
    focus: own.focus ?? copy.focus,
    emphasis: own.emphasis ?? copy.emphasis,
  };
  const said = Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined));
  return { ...own, ...said };
}

/** As videos show it: the data layer wins. */
function captionOf({ caption = '' }: Asset, index: number, data: Data): string {
  return displayText(data[captionLayer(index)] ?? '') || displayText(caption);
}
