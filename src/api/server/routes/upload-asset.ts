/** Stores one photo of the caller's organization, for listings that are sent within a day. */
import type { AddedUpload } from '../../../video/uploads/open-uploads.ts';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { type AppContext, answerJson, answerNotFound, answerProblem, clientOf } from '../context.ts';
import { TIMESTAMP } from '../openapi/answer-schemas.ts';
import {
  BETA_ANSWER_HEADERS,
  betaParameter,
  jsonResponse,
  object,
  text,
  uri,
} from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { BodyBudget } from '../requests/body-budget.ts';
import { ASSETS_PATH, toUploadUrl } from '../requests/find-uploads.ts';
import { announcedBytes, checkAnnouncedSize, readBytes, tooManyBodies } from '../requests/read-body.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Route } from './route.ts';

interface UploadDeps extends Pick<ServerDeps, 'config' | 'checkReadiness' | 'uploads'> {
  /** Shared by all uploads of the server. */
  readonly uploadBodies: BodyBudget;
}

const NEEDED_CHECKS = ['store', 'disk', 'database', 'storage'];

const EXAMPLE = {
  id: 'upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37',
  url: 'https://videos.example.com/v1/assets/upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37',
  width: 4032,
  height: 3024,
  size_bytes: 3_481_220,
  expires_at: '2026-11-21T14:03:07.123+00:00',
};

const UPLOAD = object({
  title: 'Upload',
  description: 'An image that listings of the same organization can use.',
  required: ['id', 'url', 'width', 'height', 'size_bytes', 'expires_at'],
  properties: {
    id: text('Identifier of the upload.', EXAMPLE.id),
    url: uri(
      'For the `url` or the `original` of an asset, the `picture` of an agent, or an image in `template_data`, in requests with the beta `uploads`. ' +
        'There is nothing to download at it.',
      EXAMPLE.url,
    ),
    width: { type: 'integer', minimum: 1, description: 'Of the upright image, in pixels.' },
    height: { type: 'integer', minimum: 1, description: 'Of the upright image, in pixels.' },
    size_bytes: { type: 'integer', minimum: 1, description: 'Size of the body.' },
    expires_at: {
      ...TIMESTAMP,
      description:
        'From then on no new task can use it. It is removed when all tasks that use it have ended.',
    },
  },
});

const IMAGE = { schema: { type: 'string', format: 'binary', description: 'The bytes of one image.' } };

export const UPLOAD_ASSET: Route<UploadDeps> = {
  method: 'POST',
  path: ASSETS_PATH,
  access: 'write',
  beta: 'uploads',
  schemas: { Upload: UPLOAD },
  operation: {
    operationId: 'uploadAsset',
    tags: ['Assets'],
    summary: 'Upload an image (beta)',
    description:
      'Stores one image for listings whose photos have no public URL. It is checked like a photo from the network: at most 25 MiB and ' +
      '100 megapixels, JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF. The bytes decide the format. Create the task within a day, also with the beta ' +
      '`uploads`. An organization can store 1,000 images of 2 GiB together.',
    parameters: [betaParameter('uploads')],
    requestBody: {
      required: true,
      content: { 'image/*': IMAGE, 'application/octet-stream': IMAGE },
    },
    responses: {
      201: jsonResponse('The image is stored.', BETA_ANSWER_HEADERS, 'Upload', {
        upload: { value: EXAMPLE },
      }),
      ...referRefusals([401, 405, 429, 500, 503], 'BetaOff'),
      400: { $ref: '#/components/responses/UploadRefused' },
      403: { $ref: '#/components/responses/UploadForbidden' },
    },
  },
  handle: uploadAsset,
};

function uploadAsset({ uploads, uploadBodies, ...deps }: UploadDeps) {
  if (uploads === null)
    return () => answerNotFound('this service takes no uploads: its operator can add --storage');
  const { maxBytes } = uploads;
  return async (c: AppContext): Promise<Response> => {
    const { headers } = c.req.raw;
    const refusal = checkImageType(headers) ?? checkAnnouncedSize(headers, maxBytes);
    if (refusal !== null) return answerProblem(refusal);
    const place = uploadBodies.enter(clientOf(c), announcedBytes(headers));
    if (place === null) return answerProblem(tooManyBodies());
    try {
      const source = { headers, incoming: c.env?.incoming, stream: () => c.req.raw.body };
      const bytes = await readBytes(source, maxBytes, place);
      if ('status' in bytes) return answerProblem(bytes);
      // Before anything is written: a full disk would also stop the tasks.
      const { checks } = await deps.checkReadiness();
      if (NEEDED_CHECKS.some((name) => checks[name] === false)) {
        return answerProblem(problem('unavailable', 'the service cannot store anything right now'));
      }
      const isWanted = () => c.env?.outgoing?.destroyed !== true;
      const added = await uploads.add(c.get('caller').organizationId, bytes, isWanted);
      if (added.kind !== 'stored') return answerProblem(toRefusal(added));
      return answerJson(201, {
        id: added.id,
        url: toUploadUrl(deps.config.publicUrl(), added.id),
        width: added.widthPx,
        height: added.heightPx,
        size_bytes: bytes.length,
        expires_at: new Date(added.expiresMs).toISOString().replace(/Z$/, '+00:00'),
      });
    } finally {
      place.leave();
    }
  };
}

/** The bytes decide what the image is, but a form or JSON is a mistake that this can explain. */
function checkImageType(headers: Pick<Headers, 'get'>): ApiProblem | null {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const isImage = /^(?:image\/[\w.+-]+|application\/octet-stream)$/i.test(type.trim());
  const coding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (isImage && (coding === 'identity' || coding === '')) return null;
  const message = isImage
    ? 'the body must not be compressed'
    : 'the body must be one image, sent with `Content-Type: image/jpeg`, or the type that it has';
  return problem('unsupported_media_type', message);
}

function toRefusal(added: Exclude<AddedUpload, { kind: 'stored' }>): ApiProblem {
  if (added.kind === 'unusable') {
    return problem('unusable_asset', added.reason, { reason: added.reason.replace(/:.*$/s, '') });
  }
  if (added.kind === 'unwanted') return problem('unavailable', 'the client has left');
  const { usage, quota } = added;
  const message =
    'the organization has too many uploads: each is removed after a day, unless a task that can still run uses it';
  return problem('upload_quota_exceeded', message, {
    files: usage.files,
    max_files: quota.maxFiles,
    bytes: usage.bytes,
    max_bytes: quota.maxBytes,
  });
}
