/** Warnings about what a listing says, whatever its videos look like. Pure. */
import { fillDataLayers } from '../../design/template/data-layers.ts';
import type { ListingWarning } from '../../listing/listing.ts';
import { warnOfAddresses } from '../../listing/warnings/warn-of-addresses.ts';
import { priceSlip, warnOfArea } from '../../listing/warnings/warn-of-numbers.ts';
import { type ShownText, warnOfWords } from '../../listing/warnings/warn-of-words.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import { captionLayer } from '../../listing/words/caption-layer.ts';
import type { RequestedVideo } from './requested-videos.ts';

/** Text layers that hold an address, or a name that nobody reads. */
const NOT_READ: ReadonlySet<string> = new Set(['link', 'website', 'music']);
const STATUS: ReadonlySet<string> = new Set(['status', 'headline']);

/**
 * Words that fair-housing rules warn of, announcements of a house that is not on the market, slips in numbers and
 * addresses. Each is named once, at the first agent whose video shows it.
 *
 * @param videos - Of the agents, in the order of the listing.
 */
export function warnOfListing(videos: readonly RequestedVideo[]): ListingWarning[] {
  const [first] = videos;
  if (first === undefined) return [];
  const texts = videos.flatMap(shownTexts);
  const { listing } = first;
  return [
    ...warnOfWords(texts),
    ...warnOfPrices(videos),
    ...warnOfArea(listing.interior_square_footage),
    ...warnOfAddresses(listing),
  ];
}

/** Each sentence once, at the first video whose price it is about. */
function warnOfPrices(videos: readonly RequestedVideo[]): ListingWarning[] {
  const found = videos.flatMap((video): [string, ListingWarning][] => {
    const { values } = dataOf(video);
    const message = priceSlip(values);
    return message === null ? [] : [[message, { loc: dataLoc(video, 'price', values), message }]];
  });
  return [...new Map(found.toReversed()).values()].reverse();
}

function dataOf({ options: { templateData }, template }: RequestedVideo) {
  return fillDataLayers(template.dataLayers, templateData, template.withoutLayers);
}

/** Where the listing has the value of a data layer; values of the command line and of the template have no place. */
function dataLoc(
  { agent, listing }: RequestedVideo,
  name: string,
  values: Readonly<Record<string, string>>,
): ListingWarning['loc'] {
  const own = agent.video_options?.template_data?.[name]?.trim();
  if (own === undefined || own !== values[name]) return ['body'];
  return ['body', 'agents', indexOf(agent, listing), 'video_options', 'template_data', name];
}

function indexOf({ id }: RequestedVideo['agent'], { agents }: RequestedVideo['listing']): number {
  return agents.findIndex((agent) => agent.id === id);
}

function shownTexts(video: RequestedVideo): ShownText[] {
  const { agent, listing, template } = video;
  const { values, given } = dataOf(video);
  const ofPhotos = listing.assets.flatMap((asset, at): ShownText[] => {
    const loc = ['body', 'assets', at];
    const isReplaced = given.has(captionLayer(at));
    return [
      {
        loc: [...loc, 'caption'],
        name: `the caption of photo ${at + 1}`,
        text: isReplaced ? '' : (asset.caption ?? ''),
      },
      { loc: [...loc, 'altered'], name: `the label of photo ${at + 1}`, text: alteredLabel(asset) ?? '' },
    ];
  });
  const ofData = template.dataLayers
    .filter(({ name, type }) => type === 'text' && !NOT_READ.has(name))
    .map(
      ({ name }): ShownText => ({
        loc: dataLoc(video, name, values),
        name: `template data "${name}"`,
        text: values[name] ?? '',
        isStatus: STATUS.has(name),
      }),
    );
  const ofAgent = {
    loc: ['body', 'agents', indexOf(agent, listing), 'designation'],
    name: 'the designation of an agent',
    text: template.branding === 'none' ? '' : (agent.designation ?? ''),
  };
  return [...ofPhotos, ...ofData, ofAgent];
}
