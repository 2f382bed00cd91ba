/** Warnings about what a listing says, whatever its videos look like. Pure. */
import { fillDataLayers } from '../../design/template/data-layers.ts';
import type { ListingWarning } from '../../listing/listing.ts';
import { warnOfAddresses } from '../../listing/warnings/warn-of-addresses.ts';
import { warnOfPrice } from '../../listing/warnings/warn-of-price.ts';
import { type ShownText, warnOfWords } from '../../listing/warnings/warn-of-words.ts';
import { alteredLabel } from '../../listing/words/altered-label.ts';
import { captionLayer } from '../../listing/words/caption-layer.ts';
import type { RequestedVideo } from './requested-videos.ts';

/** Text layers that hold an address, or a name that nobody reads. */
const NOT_READ: ReadonlySet<string> = new Set(['link', 'website', 'music']);
/** As sentences name it. */
const PRICE = 'template data "price"';
const STATUS: ReadonlySet<string> = new Set(['status', 'headline']);

/**
 * Words that fair-housing rules warn of, announcements of a house that is not on the market, slips in prices and
 * addresses. Each is named once, at the first agent whose video shows it.
 *
 * @param videos - Of the agents, in the order of the listing.
 */
export function warnOfListing(videos: readonly RequestedVideo[]): ListingWarning[] {
  const [first] = videos;
  if (first === undefined) return [];
  const texts = videos.flatMap(shownTexts);
  return [...warnOfWords(texts), ...warnOfPrices(texts), ...warnOfAddresses(first.listing)];
}

function warnOfPrices(texts: readonly ShownText[]): ListingWarning[] {
  const warnings = texts
    .filter(({ name, text }) => name === PRICE && text !== '')
    .flatMap(({ loc, text }): ListingWarning[] => {
      const message = warnOfPrice(text);
      return message === null ? [] : [{ loc, message }];
    });
  const first = new Map(warnings.toReversed().map((warning) => [warning.message, warning]));
  return [...first.values()].reverse();
}

function shownTexts({ agent, listing, options: { templateData }, template }: RequestedVideo): ShownText[] {
  const place = ['body', 'agents', listing.agents.findIndex(({ id }) => id === agent.id)];
  const { values, given } = fillDataLayers(template.dataLayers, templateData, template.withoutLayers);
  const own = agent.video_options?.template_data ?? {};
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
    .map(({ name }): ShownText => {
      // Other values are of the command line or of the template.
      const isOwn = own[name]?.trim() !== undefined && own[name].trim() === values[name];
      return {
        loc: isOwn ? [...place, 'video_options', 'template_data', name] : ['body'],
        name: `template data "${name}"`,
        text: values[name] ?? '',
        isStatus: STATUS.has(name),
      };
    });
  const ofAgent = {
    loc: [...place, 'designation'],
    name: 'the designation of an agent',
    text: template.branding === 'none' ? '' : (agent.designation ?? ''),
  };
  return [...ofPhotos, ...ofData, ofAgent];
}
