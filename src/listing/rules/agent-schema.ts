/** The parts of the schema of a listing that describe an agent. `schema.ts` joins them. */

/** Characters of a URL: the limit of pydantic's HttpUrl. */
export const URL_MAX_LENGTH = 2083;

type Rules = Readonly<Record<string, unknown>>;

/** A value with its words for people and editors. */
export function value(rules: Rules, title: string, description: string, ...examples: unknown[]): Rules {
  return { ...rules, title, description, ...(examples.length > 0 && { examples }) };
}

const text = (title: string, description: string, ...examples: string[]) =>
  value({ type: 'string' }, title, description, ...examples);
const nullable = (title: string, description: string, example: string) =>
  value({ type: ['string', 'null'] }, title, description, example);
const limited = (maxLength: number, title: string, description: string, example: string) =>
  value({ type: 'string', minLength: 1, maxLength }, title, description, example);
const name = (title: string, description: string, example: string) =>
  value({ type: 'string', maxLength: 255 }, title, description, example);
const list = (item: string, title: string, description: string) =>
  value({ type: 'array', items: { $ref: `#/$defs/${item}` } }, title, description);

/** The URL of an image. @param type - `string`, or also null. */
export const url = (type: unknown, title: string, description: string, example: string) =>
  value({ type, minLength: 1, maxLength: URL_MAX_LENGTH, format: 'uri' }, title, description, example);

export const ADDRESS = {
  type: 'object',
  title: 'Address',
  description: 'A postal address. The video leaves out what is absent.',
  required: ['street'],
  properties: {
    street: text(
      'Street',
      'House number and street, with the unit where there is one.',
      '128 Harbor Pine Lane',
    ),
    state: nullable('State', 'State or province, usually its abbreviation.', 'OR'),
    city: nullable('City', 'City or town.', 'Portland'),
    postal_code: nullable('Postal code', 'ZIP or postal code, as a string.', '97205'),
  },
};

export const PHONE = {
  type: 'object',
  title: 'Phone',
  description:
    'A phone number. One that cannot be read with its region is left out of the video; it is never an error.',
  required: ['number'],
  properties: {
    number: text(
      'Number',
      'In any form: international, national or vanity.',
      ...['(503) 555-0128', '+44 20 7946 0958', '1-800-FLOWERS'],
    ),
    type: value(
      { enum: ['office', 'mobile', 'direct', null] },
      'Type',
      'What the number reaches. A card shows a direct or mobile number, then an office number.',
      'mobile',
    ),
    region: value(
      { type: ['string', 'null'], minLength: 2, maxLength: 2, default: 'US' },
      'Region',
      'Two-letter country code, used only when the number is not in international form.',
      ...['US', 'GB'],
    ),
  },
};

export const OFFICE = {
  type: 'object',
  title: 'Office',
  description: 'A brokerage office. The card shows the first one.',
  properties: {
    name: nullable('Name', 'Name of the brokerage or office.', 'Harbor & Pine Realty'),
    // Not `anyOf: [{$ref}, {type: null}]`, which would report three violations for one broken rule.
    address: { ...ADDRESS, type: ['object', 'null'], title: 'Office address' },
    phone_number: { ...PHONE, type: ['object', 'null'], title: 'Office phone' },
  },
};

export const LICENSE = {
  type: 'object',
  title: 'License',
  description: 'A real-estate license, printed on the card; the one of the listing’s state comes first.',
  required: ['number', 'state'],
  properties: {
    number: limited(100, 'Number', 'License number.', '201250128'),
    state: limited(64, 'State', 'The state that granted it.', 'OR'),
  },
};

export const EMAIL = {
  type: 'object',
  title: 'Email',
  description: 'An e-mail address. The card shows the first one.',
  required: ['address'],
  properties: {
    address: value(
      { type: 'string', format: 'email' },
      'Address',
      'An e-mail address without a display name.',
      'june.takemori@example.com',
    ),
  },
};

const TEMPLATE_DATA = {
  type: 'object',
  title: 'Template data',
  description:
    'Values for the data layers of the template, by name. They take effect only when template_id is given.',
  properties: { logo: url('string', 'Logo', 'URL of the logo.', 'https://example.com/logo.png') },
  additionalProperties: { type: 'string' },
  examples: [{ headline: 'Just listed', caption_02: 'Sage island, marble counter' }],
};

export const VIDEO_OPTIONS = {
  type: 'object',
  title: 'Video options',
  description: 'Look and feel of this agent’s video.',
  properties: {
    ratio: value(
      { enum: ['1920:1080', '1080:1920'], default: '1920:1080' },
      'Ratio',
      'Resolution of the video: landscape or portrait.',
      '1080:1920',
    ),
    template_id: nullable('Template', 'Identifier of the template to use.', 'classic'),
    template_data: TEMPLATE_DATA,
    create_preview: value(
      { type: 'boolean', default: false },
      'Create a preview',
      'Whether a short GIF is made along with the video.',
      true,
    ),
    metadata: value(
      {
        type: 'object',
        maxProperties: 50,
        propertyNames: { maxLength: 40, pattern: '^[^\\[\\]]*$' },
        additionalProperties: { type: 'string', maxLength: 500 },
      },
      'Metadata',
      'Your own key-value pairs, returned unchanged in the result. Up to 50 keys of at most 40 characters without ' +
        'square brackets, values of at most 500 characters. Store nothing sensitive here.',
      { campaign: 'spring', crm_id: 'HP-204128' },
    ),
  },
};

export const AGENT = {
  type: 'object',
  title: 'Agent',
  description: 'An agent of the listing. One video is made for each.',
  required: ['id', 'first_name', 'last_name'],
  properties: {
    id: text('Identifier', 'Chosen by you, unique within the listing: results are matched by it.', 'june'),
    first_name: name('First name', 'Given name.', 'June'),
    last_name: name('Last name', 'Family name.', 'Takemori'),
    picture: url(
      ['string', 'null'],
      'Picture',
      'URL of the portrait. Without one the card shows initials.',
      'https://example.com/june.jpg',
    ),
    designation: value(
      { type: ['string', 'null'], maxLength: 255 },
      'Designation',
      'Role or title, shown under the name.',
      'Listing Agent',
    ),
    phones: list('Phone', 'Phones', 'The card shows up to two: direct or mobile, then office.'),
    emails: list('Email', 'E-mail addresses', 'The card shows the first.'),
    licenses: list('License', 'Licenses', 'All are shown, the one of the listing’s state first.'),
    video_options: { $ref: '#/$defs/VideoOptions' },
    offices: list('Office', 'Offices', 'The card shows the first.'),
  },
};
