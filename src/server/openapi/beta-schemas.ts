/** Schemas of the answers of betas that have paths of their own. Data only. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import { TIMESTAMP } from '../../api/server/openapi/answer-schemas.ts';
import { object, refer, text } from './document-parts.ts';

export const TEMPLATE_EXAMPLE = {
  id: 'classic',
  name: 'Classic',
  description: 'Serif type on ivory pages.',
  branding: 'agent',
  ratios: ['1920:1080', '1080:1920'],
  sheet_url: 'https://videos.example.com/templates/classic/sheet-q2VtZ8wA0nT5cR7yLk3JdQ.jpg',
  data_layers: [
    {
      name: 'pace',
      type: 'number',
      description: 'Speed of the video: above 1 is faster, below 1 is slower.',
      default: '1',
      example: '0.9',
      min: 0.8,
      max: 1.25,
    },
  ],
};

export const UPLOAD_EXAMPLE = {
  id: 'upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37',
  url: 'https://videos.example.com/v1/assets/upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37',
  width: 4032,
  height: 3024,
  size_bytes: 3_481_220,
  expires_at: '2026-11-21T14:03:07.123+00:00',
};

/** By their names in `#/components/schemas`. */
export const BETA_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Upload: object({
    title: 'Upload',
    description: 'An image that listings of the same organization can use.',
    required: ['id', 'url', 'width', 'height', 'size_bytes', 'expires_at'],
    properties: {
      id: text('Identifier of the upload.', UPLOAD_EXAMPLE.id),
      url: {
        type: 'string',
        format: 'uri',
        description:
          'For the `url` of an asset, the `picture` of an agent, or an image in `template_data`, in requests with the beta `uploads`. ' +
          'There is nothing to download at it.',
        examples: [UPLOAD_EXAMPLE.url],
      },
      width: { type: 'integer', minimum: 1, description: 'Of the upright image, in pixels.' },
      height: { type: 'integer', minimum: 1, description: 'Of the upright image, in pixels.' },
      size_bytes: { type: 'integer', minimum: 1, description: 'Size of the body.' },
      expires_at: {
        ...TIMESTAMP,
        description:
          'From then on no new task can use it. It is removed when all tasks that use it have ended.',
      },
    },
  }),
  TemplateList: object({
    title: 'Template list',
    description: 'All templates, by id.',
    required: ['data', 'has_more'],
    properties: {
      data: { type: 'array', items: refer('Template') },
      has_more: { type: 'boolean', description: 'Always false.' },
    },
  }),
  Template: object({
    title: 'Template',
    description: 'A design that a listing can name.',
    required: ['id', 'name', 'description', 'branding', 'ratios', 'sheet_url', 'data_layers'],
    properties: {
      id: text('The `template_id` of video options.', 'classic'),
      name: text('Name for people.', 'Classic'),
      description: text('How its videos look, for people.'),
      branding: {
        type: 'string',
        enum: ['agent', 'none'],
        description: '`none`: its videos show no agent, office or contact.',
      },
      ratios: { type: 'array', items: { type: 'string' }, examples: [['1920:1080', '1080:1920']] },
      sheet_url: {
        type: ['string', 'null'],
        format: 'uri',
        description:
          'URL of a JPEG with stills of all scenes; null if there is none. Anyone who knows the URL can fetch it without a key. ' +
          'The picture at a URL never changes.',
      },
      data_layers: {
        type: 'array',
        items: refer('DataLayer'),
        description: 'What `template_data` can set.',
      },
    },
  }),
  DataLayer: object({
    title: 'Data layer',
    description: 'A value that `template_data` can set. Every value is sent as a string.',
    required: ['name', 'type', 'description', 'default', 'example'],
    properties: {
      name: text('Key in `template_data`.', 'accent'),
      type: { type: 'string', enum: ['text', 'color', 'image', 'number', 'boolean', 'choice'] },
      description: text('What it does, for people.'),
      default: text('The value without this key. Of an image, an empty string means none.', '#1F5C4D'),
      example: text('A possible value.'),
      min: { type: 'number', description: 'Smallest number. Absent: no limit.' },
      max: { type: 'number', description: 'Largest number. Absent: no limit.' },
      options: {
        type: 'array',
        items: { type: 'string' },
        description: 'The values of a choice. Present exactly with the type `choice`.',
      },
    },
  }),
};
