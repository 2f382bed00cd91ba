/** GET /v1/templates: the templates that a listing can name, with their data layers; and their pictures. */
import { createHash } from 'node:crypto';
import { type AppContext, type AppMiddleware, answerJsonBytes, answerNotFound } from '../context.ts';
import type { OfferedTemplate, TemplateSheet } from '../../../server/offered-template.ts';
import { SHEETS_PATH } from '../../../server/route-names.ts';
import { FILE_SAFETY_HEADERS } from '../answers/safety-headers.ts';
import type { ServerDeps } from '../server-deps.ts';

type TemplateDeps = Pick<ServerDeps, 'templates' | 'config'>;

/** Templates change when the operator edits a file, so a client that asks once a minute is up to date. */
const CACHE_CONTROL = 'private, max-age=60';

/** The handler of the list, behind `admit`. */
export function listTemplates({ templates, config }: TemplateDeps) {
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
