/** The JSON Schema of a listing: the only source of its rules, for validation, the OpenAPI document and editors. */
import { ADDRESS, AGENT, EMAIL, LICENSE, OFFICE, PHONE, url, VIDEO_OPTIONS, value } from './agent-schema.ts';

/** A JSON Schema (or part of one) as plain JSON. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const ASSET = {
  type: 'object',
  title: 'Asset',
  description: 'A photo of the property. The order of the assets is the order of the slides.',
  required: ['url'],
  properties: {
    url: url(
      'string',
      'URL',
      'Publicly accessible http(s) URL of the photo, without user name or password. On the command line also a ' +
        'file: URL, or a path relative to the listing file.',
      'https://example.com/photos/01-front.jpg',
    ),
    type: value({ enum: ['image'], default: 'image' }, 'Type', 'Kind of the asset.', 'image'),
    caption: value(
      { type: 'string', maxLength: 120 },
      'Caption',
      'Shown with the photo. A data layer caption_01 to caption_100 wins over it. The API ignores it without the ' +
        'beta asset-captions.',
      'The kitchen, with a marble waterfall island',
    ),
    altered: value(
      { type: ['string', 'boolean'], minLength: 1, maxLength: 60 },
      'Altered',
      'What was changed in the photo, as viewers read it on it, or true for “Digitally altered”. The API ignores it ' +
        'without the beta altered-photos.',
      'Virtually staged',
      true,
    ),
    original: url(
      'string',
      'Original',
      'The unaltered photo, shown right after the altered one. Only beside altered. The API ignores it without the ' +
        'beta altered-photos.',
      'https://example.com/photos/04-living-room-empty.jpg',
    ),
    kind: value(
      { enum: ['photo', 'floor_plan'] },
      'Kind',
      'A floor plan is shown whole and still, near the end. If absent, it is guessed from the image, its file name and its caption. The API ignores it ' +
        'without the beta photo-controls.',
      'floor_plan',
    ),
    focus: { $ref: '#/$defs/Focus' },
    emphasis: value(
      { enum: ['normal', 'high', 'low'], default: 'normal' },
      'Emphasis',
      'high: the photo stands alone and twice as long. low: it shares a scene with other photos. The API ignores it ' +
        'without the beta photo-controls.',
      'high',
    ),
  },
};

const share = (title: string, description: string, example: number) =>
  value({ type: 'number', minimum: 0, maximum: 1 }, title, description, example);

const FOCUS = {
  type: 'object',
  title: 'Focus',
  description:
    'The point of the upright photo that stays in view in every crop and camera move. If absent, it is guessed from ' +
    'the image. The API ignores it without the beta photo-controls.',
  required: ['x', 'y'],
  properties: {
    x: share('Across', 'Share of the width, from 0 at the left to 1 at the right.', 0.25),
    y: share('Down', 'Share of the height, from 0 at the top to 1 at the bottom.', 0.6),
  },
};

/** A number of the house. */
const number = (type: string, minimum: number, title: string, description: string, example: number) =>
  value({ type: [type, 'null'], minimum }, title, description, example);

/**
 * JSON Schema (draft 2020-12) of a listing, plain JSON and frozen.
 *
 * `validateListing` adds three rules that the vocabulary cannot express. `format: "uri"` is an http(s) URL that the
 * WHATWG parser accepts, with a host and without credentials; non-ASCII and spaces are allowed. `format: "email"` is
 * an address that mail can reach. The agents' `id`s are unique.
 *
 * References keep working when another document embeds the schema: they resolve against its `$id`.
 */
export const LISTING_SCHEMA: JsonSchema = deepFreeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:listing-video:schema:listing',
  title: 'Listing',
  description: 'A real-estate listing: its photos, its facts, and the agents who each get a video of it.',
  type: 'object',
  required: ['id', 'assets', 'agents'],
  properties: {
    $schema: { title: 'JSON Schema', description: 'Where an editor finds this schema. Ignored otherwise.' },
    id: value({ type: 'string' }, 'Identifier', 'Identifier of the listing, chosen by you.', 'HP-204128'),
    assets: value(
      { type: 'array', minItems: 5, maxItems: 100, items: { $ref: '#/$defs/Asset' } },
      'Assets',
      'Photos, in the order in which they are shown.',
    ),
    agents: value(
      { type: 'array', minItems: 1, maxItems: 20, items: { $ref: '#/$defs/Agent' } },
      'Agents',
      'One video is made for each. Their ids must differ.',
    ),
    address: { $ref: '#/$defs/Address' },
    bedrooms: number(
      'integer',
      0,
      'Bedrooms',
      'Number of bedrooms; 0 is shown as “Studio”, null is not shown.',
      4,
    ),
    bathrooms: number('integer', 0, 'Full bathrooms', 'Number of full bathrooms.', 3),
    half_bathrooms: number(
      'integer',
      0,
      'Half bathrooms',
      'Number of half bathrooms; each adds 0.5 to the number of baths.',
      1,
    ),
    interior_square_footage: number(
      'number',
      1,
      'Interior square footage',
      'Living area in square feet.',
      2840,
    ),
  },
  $defs: {
    Asset: ASSET,
    Focus: FOCUS,
    Agent: AGENT,
    Address: ADDRESS,
    Phone: PHONE,
    Email: EMAIL,
    License: LICENSE,
    Office: OFFICE,
    VideoOptions: VIDEO_OPTIONS,
  },
  examples: [
    {
      id: 'HP-204128',
      assets: ['01-front', '02-entry', '03-living-room', '04-kitchen', '05-garden'].map((name) => ({
        url: `https://example.com/photos/${name}.jpg`,
      })),
      agents: [{ id: 'june', first_name: 'June', last_name: 'Takemori' }],
      address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR', postal_code: '97205' },
      bedrooms: 4,
      bathrooms: 3,
      half_bathrooms: 1,
      interior_square_footage: 2840,
    },
  ],
});

/**
 * The same schema for listing files on disk, where photos can be paths: every `uri` becomes `uri-reference`, so that an
 * editor accepts `photos/01-front.jpg`. A license needs no state there. The build publishes it as
 * `listing-video/listing.schema.json`.
 */
export function listingFileSchema(): JsonSchema {
  const schema = JSON.parse(
    JSON.stringify(LISTING_SCHEMA, (keyword, value: unknown) =>
      keyword === 'format' && value === 'uri' ? 'uri-reference' : value,
    ),
  ) as JsonSchema & { readonly $defs: { readonly License: { required: readonly string[] } } };
  schema.$defs.License.required = ['number'];
  return schema;
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
