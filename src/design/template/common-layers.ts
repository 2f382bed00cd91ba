/** The data layers that every template has unless it leaves one out. The storyboard gives them their meaning. */
import { FACT_LABELS, FACT_LAYERS, type FactLayer } from '../../listing/words/facts.ts';
import { MAX_UPLOAD_CHARS, UPLOAD_TEXTS } from '../../listing/words/upload-texts.ts';
import { LENGTH_LIMITS_SEC, LENGTH_WORDS } from '../../platform/video-length.ts';
import type { DataLayer } from './template.ts';

/** One for each photo that a listing can have. */
const CAPTIONS = 100;

/** Layers of the closing card; a video without branding has none of them. */
export const BRAND_LAYERS: readonly string[] = ['logo', 'equal_housing', 'website', 'cta'];

/** @param colors - Defaults. @param music - Name of the template's soundtrack, or `none`. */
export function commonLayers(
  colors: { readonly accent: string; readonly paper: string; readonly ink: string },
  music: string,
): DataLayer[] {
  const layer =
    (type: DataLayer['type']) => (name: string, description: string, value: string, example: string) => ({
      name,
      type,
      description,
      default: value,
      example,
    });
  const [text, color, boolean] = [layer('text'), layer('color'), layer('boolean')];
  const ofFact = ({ name, description, default: value, example }: FactLayer) =>
    text(name, description, value, example);
  const captions = Array.from({ length: CAPTIONS }, (_, index) =>
    text(
      `caption_${String(index + 1).padStart(2, '0')}`,
      `Caption of photo ${index + 1} in the order of the listing. Wins over the caption of the asset.`,
      '',
      index === 0 ? 'The kitchen, with a marble waterfall island' : 'South-facing terrace',
    ),
  );
  return [
    text('headline', 'Shown large above the address in the opening.', '', 'Open house Saturday'),
    text('status', 'A few words above the address in the opening.', '', 'Just listed'),
    text(
      'open_house',
      'Date and times of the open house, in the opening and on the last scene.',
      '',
      'Saturday 12 December, 1 to 4 pm',
    ),
    ...FACT_LAYERS.map(ofFact),
    text(
      'link',
      'A web address, shown as a QR code with its short form on the last scene.',
      '',
      'https://harborpine.example/128',
    ),
    ...captions,
    ...FACT_LABELS.map(ofFact),
    text(
      'label_open_house',
      'Stands before the date of the open house, unless the status or the headline says it.',
      'Open house',
      'Tag der offenen Tür',
    ),
    text('label_original', 'On the original of an altered photo.', 'Original photo', 'Originalfoto'),
    text(
      'label_originals',
      'Stands before the address of the original photos.',
      'See the original photos:',
      'Die Originalfotos:',
    ),
    boolean(
      'poster-first',
      'Whether the video starts on the finished opening, for platforms that use the first frame as the cover.',
      'false',
      'true',
    ),
    boolean('show_facts', 'Whether bedrooms, baths, area and price are shown.', 'true', 'false'),
    {
      name: 'pace',
      type: 'number',
      description: 'Speed of the video: above 1 is faster, below 1 is slower.',
      default: '1',
      example: '0.9',
      min: 0.8,
      max: 1.25,
    },
    {
      name: 'length',
      type: 'choice',
      description:
        'Length of the video: short (about 60 % of normal), normal, long (as long as the template allows), or seconds.',
      default: 'normal',
      example: '30s',
      options: [...LENGTH_WORDS],
      ...LENGTH_LIMITS_SEC,
    },
    {
      name: 'grade',
      type: 'choice',
      description: 'Brightens dim photos (gentle), or keeps every photo as it is (none).',
      default: 'gentle',
      example: 'none',
      options: ['none', 'gentle'],
    },
    color(
      'accent',
      'Color of rules, blocks and highlights. Changed where text in it or on it would be hard to read.',
      colors.accent,
      '#1F5C4D',
    ),
    color('paper', 'Color of the background.', colors.paper, '#FFFFFF'),
    color(
      'ink',
      'Color of the text. Replaced where it would be hard to read on the background.',
      colors.ink,
      '#10243A',
    ),
    text(
      'disclosure',
      'A sentence of up to 160 characters, shown whole on every scene with photos.',
      '',
      'Some photos are virtually staged',
    ),
    text(
      'originals_url',
      'Where the public finds the original photos: shown in words and as a QR code before the last scene.',
      '',
      'https://harborpine.example/128/originals',
    ),
    {
      ...text(
        UPLOAD_TEXTS.title,
        'Title for uploads, in the .txt and in the MP4, in place of address and agent. Not shown in the video.',
        '',
        'A garden home in Ashgrove Hills',
      ),
      maxLength: MAX_UPLOAD_CHARS.title,
    },
    {
      ...text(
        UPLOAD_TEXTS.description,
        'Description for uploads, in the .txt, in place of headline and facts. Chapters, contact and disclosure follow it. Not shown in the video.',
        '',
        'Four bedrooms around a walled garden, ten minutes from the station.',
      ),
      maxLength: MAX_UPLOAD_CHARS.description,
    },
    text('music', 'Soundtrack: a name, a file or "none".', music, 'none'),
    layer('image')('logo', 'Logo of the brokerage, shown on the card.', '', 'https://example.com/logo.png'),
    boolean('equal_housing', 'Whether the card shows the equal-housing mark.', 'true', 'false'),
    text('website', 'Web address, shown on the card.', '', 'harborpine.example'),
    text('cta', 'Last line of the card.', '', 'Private showings by appointment'),
  ];
}
