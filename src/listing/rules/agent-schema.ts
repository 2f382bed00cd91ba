/** The parts of the schema of a listing that describe an agent. `schema.ts` joins them. */

/** Characters of a URL: the limit of pydantic's HttpUrl. */
export const URL_MAX_LENGTH = 2083;

export const ADDRESS = {
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

export const PHONE = {
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

export const OFFICE = {
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

export const LICENSE = {
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

export const EMAIL = {
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

export const VIDEO_OPTIONS = {
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

export const AGENT = {
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
