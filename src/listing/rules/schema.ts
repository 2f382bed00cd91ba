/** The JSON Schema of a listing: the only source of its rules, for validation, the OpenAPI document and editors. */

/** A JSON Schema (or part of one) as plain JSON. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const URL_MAX_LENGTH = 2083;

const ADDRESS = {
  type: 'object',
  title: 'Address',
  description: 'A postal address. The video leaves out what is absent.',
  required: ['street'],
  properties: {
    street: {
      type: 'string',
      title: 'Street',
      description: 'House number and street, with the unit where there is one.',
      examples: ['128 Harbor Pine Lane'],
    },
    state: {
      type: ['string', 'null'],
      title: 'State',
      description: 'State or province, usually its abbreviation.',
      examples: ['OR'],
    },
    city: { type: ['string', 'null'], title: 'City', description: 'City or town.', examples: ['Portland'] },
    postal_code: {
      type: ['string', 'null'],
      title: 'Postal code',
      description: 'ZIP or postal code, as a string.',
      examples: ['97205'],
    },
  },
} as const;

const PHONE = {
  type: 'object',
  title: 'Phone',
  description:
    'A phone number. One that cannot be read with its region is left out of the video; it is never an error.',
  required: ['number'],
  properties: {
    number: {
      type: 'string',
      title: 'Number',
      description: 'In any form: international, national or vanity.',
      examples: ['(503) 555-0128', '+44 20 7946 0958', '1-800-FLOWERS'],
    },
    type: {
      enum: ['office', 'mobile', 'direct', null],
      title: 'Type',
      description: 'What the number reaches. A card shows a direct or mobile number, then an office number.',
      examples: ['mobile'],
    },
    region: {
      type: ['string', 'null'],
      minLength: 2,
      maxLength: 2,
      default: 'US',
      title: 'Region',
      description: 'Two-letter country code, used only when the number is not in international form.',
      examples: ['US', 'GB'],
    },
  },
} as const;

const OFFICE = {
  type: 'object',
  title: 'Office',
  description: 'A brokerage office. The card shows the first one.',
  properties: {
    name: {
      type: ['string', 'null'],
      title: 'Name',
      description: 'Name of the brokerage or office.',
      examples: ['Harbor & Pine Realty'],
    },
    // Not `anyOf: [{$ref}, {type: null}]`, which would report three violations for one broken rule.
    address: { ...ADDRESS, type: ['object', 'null'], title: 'Office address' },
    phone_number: { ...PHONE, type: ['object', 'null'], title: 'Office phone' },
  },
} as const;

const LICENSE = {
  type: 'object',
  title: 'License',
  description: 'A real-estate licence, printed on the card; the one of the listing’s state comes first.',
  required: ['number', 'state'],
  properties: {
    number: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      title: 'Number',
      description: 'Licence number.',
      examples: ['201250128'],
    },
    state: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      title: 'State',
      description: 'The state that granted it.',
      examples: ['OR'],
    },
  },
} as const;

const EMAIL = {
  type: 'object',
  title: 'Email',
  description: 'An e-mail address. The card shows the first one.',
  required: ['address'],
  properties: {
    address: {
      type: 'string',
      format: 'email',
      title: 'Address',
      description: 'An e-mail address without a display name.',
      examples: ['june.takemori@example.com'],
    },
  },
} as const;

const VIDEO_OPTIONS = {
  type: 'object',
  title: 'Video options',
  description: 'Look and feel of this agent’s video.',
  properties: {
    ratio: {
      enum: ['1920:1080', '1080:1920'],
      default: '1920:1080',
      title: 'Ratio',
      description: 'Resolution of the video: landscape or portrait.',
      examples: ['1080:1920'],
    },
    template_id: {
      type: ['string', 'null'],
      title: 'Template',
      description: 'Identifier of the template to use.',
      examples: ['classic'],
    },
    template_data: {
      type: 'object',
      title: 'Template data',
      description:
        'Values for the data layers of the template, by name. They take effect only when template_id is given.',
      properties: {
        logo: {
          type: 'string',
          minLength: 1,
          maxLength: URL_MAX_LENGTH,
          format: 'uri',
          title: 'Logo',
          description: 'URL of the logo.',
          examples: ['https://example.com/logo.png'],
        },
      },
      additionalProperties: { type: 'string' },
      examples: [{ headline: 'Just listed', caption_02: 'Sage island, marble counter' }],
    },
    create_preview: {
      type: 'boolean',
      default: false,
      title: 'Create a preview',
      description: 'Whether a short GIF is made along with the video.',
      examples: [true],
    },
    metadata: {
      type: 'object',
      maxProperties: 50,
      propertyNames: { maxLength: 40, pattern: '^[^\\[\\]]*$' },
      additionalProperties: { type: 'string', maxLength: 500 },
      title: 'Metadata',
      description:
        'Your own key-value pairs, returned unchanged in the result. Up to 50 keys of at most 40 characters without ' +
        'square brackets, values of at most 500 characters. Store nothing sensitive here.',
      examples: [{ campaign: 'spring', crm_id: 'HP-204128' }],
    },
  },
} as const;

const AGENT = {
  type: 'object',
  title: 'Agent',
  description: 'An agent of the listing. One video is made for each.',
  required: ['id', 'first_name', 'last_name'],
  properties: {
    id: {
      type: 'string',
      title: 'Identifier',
      description: 'Chosen by you, unique within the listing: results are matched by it.',
      examples: ['june'],
    },
    first_name: {
      type: 'string',
      maxLength: 255,
      title: 'First name',
      description: 'Given name.',
      examples: ['June'],
    },
    last_name: {
      type: 'string',
      maxLength: 255,
      title: 'Last name',
      description: 'Family name.',
      examples: ['Takemori'],
    },
    picture: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: URL_MAX_LENGTH,
      format: 'uri',
      title: 'Picture',
      description: 'URL of the portrait. Without one the card shows initials.',
      examples: ['https://example.com/june.jpg'],
    },
    designation: {
      type: ['string', 'null'],
      maxLength: 255,
      title: 'Designation',
      description: 'Role or title, shown under the name.',
      examples: ['Listing Agent'],
    },
    phones: {
      type: 'array',
      items: { $ref: '#/$defs/Phone' },
      title: 'Phones',
      description: 'The card shows up to two: direct or mobile, then office.',
    },
    emails: {
      type: 'array',
      items: { $ref: '#/$defs/Email' },
      title: 'E-mail addresses',
      description: 'The card shows the first.',
    },
    licenses: {
      type: 'array',
      items: { $ref: '#/$defs/License' },
      title: 'Licences',
      description: 'All are shown, the one of the listing’s state first.',
    },
    video_options: { $ref: '#/$defs/VideoOptions' },
    offices: {
      type: 'array',
      items: { $ref: '#/$defs/Office' },
      title: 'Offices',
      description: 'The card shows the first.',
    },
  },
} as const;

const ASSET = {
  type: 'object',
  title: 'Asset',
  description: 'A photo of the property. The order of the assets is the order of the slides.',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: URL_MAX_LENGTH,
      format: 'uri',
      title: 'URL',
      description:
        'Publicly accessible http(s) URL of the photo, without user name or password. On the command line also a ' +
        'file: URL, or a path relative to the listing file.',
      examples: ['https://example.com/photos/01-front.jpg'],
    },
    type: {
      enum: ['image'],
      default: 'image',
      title: 'Type',
      description: 'Kind of the asset.',
      examples: ['image'],
    },
    caption: {
      type: 'string',
      maxLength: 120,
      title: 'Caption',
      description:
        'Shown with the photo. A data layer caption_01 to caption_100 wins over it. The API ignores it without the ' +
        'beta asset-captions.',
      examples: ['The kitchen, with a marble waterfall island'],
    },
  },
} as const;

/**
 * JSON Schema (draft 2020-12) of a listing, plain JSON and frozen.
 *
 * `validateListing` adds three rules that the vocabulary cannot express. `format: "uri"` is an http(s) URL that the WHATWG
 * parser accepts, with a host and without credentials; non-ASCII and spaces are allowed. `format: "email"` is an address
 * that mail can reach. The agents' `id`s are unique.
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
    $schema: {
      title: 'JSON Schema',
      description: 'Where an editor finds this schema. Ignored otherwise.',
    },
    id: {
      type: 'string',
      title: 'Identifier',
      description: 'Identifier of the listing, chosen by you.',
      examples: ['HP-204128'],
    },
    assets: {
      type: 'array',
      minItems: 5,
      maxItems: 100,
      items: { $ref: '#/$defs/Asset' },
      title: 'Assets',
      description: 'Photos, in the order in which they are shown.',
    },
    agents: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { $ref: '#/$defs/Agent' },
      title: 'Agents',
      description: 'One video is made for each. Their ids must differ.',
    },
    address: { $ref: '#/$defs/Address' },
    bedrooms: {
      type: ['integer', 'null'],
      minimum: 0,
      title: 'Bedrooms',
      description: 'Number of bedrooms; 0 is shown as “Studio”, null is not shown.',
      examples: [4],
    },
    bathrooms: {
      type: ['integer', 'null'],
      minimum: 0,
      title: 'Full bathrooms',
      description: 'Number of full bathrooms.',
      examples: [3],
    },
    half_bathrooms: {
      type: ['integer', 'null'],
      minimum: 0,
      title: 'Half bathrooms',
      description: 'Number of half bathrooms; each adds 0.5 to the number of baths.',
      examples: [1],
    },
    interior_square_footage: {
      type: ['number', 'null'],
      minimum: 1,
      title: 'Interior square footage',
      description: 'Living area in square feet.',
      examples: [2840],
    },
  },
  $defs: {
    Asset: ASSET,
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
 * editor accepts `photos/01-front.jpg`. The build publishes it as `listing-video/listing.schema.json`.
 */
export function listingFileSchema(): JsonSchema {
  return JSON.parse(
    JSON.stringify(LISTING_SCHEMA, (keyword, value: unknown) =>
      keyword === 'format' && value === 'uri' ? 'uri-reference' : value,
    ),
  ) as JsonSchema;
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}
