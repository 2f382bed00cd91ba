/** The templates that a listing can name, with their data layers; and their pictures. */
import { createHash } from 'node:crypto';
import { FILE_SAFETY_HEADERS } from '../answers/safety-headers.ts';
import { type AppContext, type AppMiddleware, answerJsonBytes, answerNotFound } from '../context.ts';
import {
  BETA_ANSWER_HEADERS,
  betaParameter,
  header,
  jsonResponse,
  listOf,
  object,
  parameter,
  refer,
  text,
} from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { OfferedTemplate, ServerDeps, TemplateSheet } from '../server-deps.ts';
import type { Route } from './route.ts';

type TemplateDeps = Pick<ServerDeps, 'templates' | 'config'>;

/** Pictures of templates, beside the API: pages show them without a key. */
export const SHEETS_PATH = '/templates';

/** Templates change when the operator edits a file, so a client that asks once a minute is up to date. */
const CACHE_CONTROL = 'private, max-age=60';

const EXAMPLE = {
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

const SCHEMAS = {
  TemplateList: object({
    title: 'Template list',
    description: 'All templates, by id.',
    required: ['data', 'has_more'],
    properties: {
      data: listOf(refer('Template')),
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
      ratios: { ...listOf({ type: 'string' }), examples: [['1920:1080', '1080:1920']] },
      sheet_url: {
        type: ['string', 'null'],
        format: 'uri',
        description:
          'URL of a JPEG with stills of all scenes; null if there is none. Anyone who knows the URL can fetch it without a key. ' +
          'The picture at a URL never changes.',
      },
      data_layers: listOf(refer('DataLayer'), 'What `template_data` can set.'),
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
      options: listOf({ type: 'string' }, 'The values of a choice. Present exactly with the type `choice`.'),
    },
  }),
};

export const LIST_TEMPLATES: Route<TemplateDeps> = {
  method: 'GET',
  path: '/v1/templates',
  access: 'read',
  beta: 'templates',
  schemas: SCHEMAS,
  operation: {
    operationId: 'listTemplates',
    tags: ['Templates'],
    summary: 'List templates (beta)',
    description:
      'Lists the templates that a listing can name, with what `template_data` can set. The answer can be cached for a minute; ' +
      '`If-None-Match` then saves its body.',
    parameters: [
      betaParameter('templates'),
      parameter('header', 'If-None-Match', 'The `ETag` of an earlier answer.'),
    ],
    responses: {
      200: jsonResponse(
        'The templates.',
        {
          ...BETA_ANSWER_HEADERS,
          ETag: header('Changes with the list.'),
          'Cache-Control': header('How long it can be cached.'),
        },
        'TemplateList',
        { templates: { value: { data: [EXAMPLE], has_more: false } } },
      ),
      304: {
        description: 'The list is the one that `If-None-Match` names.',
        headers: BETA_ANSWER_HEADERS,
      },
      ...referRefusals([401, 403, 405, 429, 500, 503], 'BetaOff'),
    },
  },
  handle: listTemplates,
};

function listTemplates({ templates, config }: TemplateDeps) {
  // Its JSON is written once for each list of templates: with a hundred captions per template it is large.
  let last: { readonly of: readonly OfferedTemplate[]; readonly url: string; readonly bytes: Buffer } | null =
    null;
  return async (c: AppContext): Promise<Response> => {
    const of = await templates();
    const url = config.publicUrl();
    if (last?.of !== of || last.url !== url) last = { of, url, bytes: writeTemplates(of, url) };
    const { bytes } = last;
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    const headers = { etag, 'cache-control': CACHE_CONTROL, vary: 'service-beta, authorization, x-api-key' };
    if (hasTag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });
    return answerJsonBytes(200, bytes, headers);
  };
}

/** Before the other handlers of a sheet: a name that no sheet has is a path where nothing is. */
export function requireSheet(deps: TemplateDeps): AppMiddleware {
  return async (c, next) => ((await findSheet(c, deps)) === null ? answerNotFound() : next());
}

/** The handler of a sheet, behind {@link requireSheet}. Anyone who knows its URL can see it. */
export function getSheet(deps: TemplateDeps) {
  return async (c: AppContext): Promise<Response> => {
    const sheet = await findSheet(c, deps);
    if (sheet === null) return answerNotFound();
    return new Response(sheet.bytes, {
      headers: {
        ...FILE_SAFETY_HEADERS,
        'content-type': 'image/jpeg',
        'content-length': String(sheet.bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
  };
}

async function findSheet(c: AppContext, { templates }: TemplateDeps): Promise<TemplateSheet | null> {
  const { id, name } = c.req.param() as { id: string; name: string };
  const sheet = (await templates()).find((template) => template.id === id)?.sheet ?? null;
  return sheet !== null && name === nameOf(sheet) ? sheet : null;
}

function writeTemplates(templates: readonly OfferedTemplate[], publicUrl: string): Buffer {
  const data = templates.map(({ id, name, description, branding, ratios, sheet, dataLayers }) => ({
    id,
    name,
    description,
    branding,
    ratios,
    sheet_url: sheet === null ? null : `${publicUrl}${SHEETS_PATH}/${id}/${nameOf(sheet)}`,
    data_layers: dataLayers.map(
      ({ name, type, description, default: value, example, min, max, options }) => ({
        name,
        type,
        description,
        default: value,
        example,
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        ...(options === undefined ? {} : { options }),
      }),
    ),
  }));
  return Buffer.from(JSON.stringify({ data, has_more: false }));
}

/** The digest is in the name, so that the picture can be cached for ever. */
function nameOf({ digest }: TemplateSheet): string {
  return `sheet-${digest}.jpg`;
}

/** RFC 9110, 13.1.2: a weak comparison, because a proxy that compresses makes the tag weak. */
function hasTag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim());
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
