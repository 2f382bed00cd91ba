/** POST /v1/assets: stores one photo of the caller's organization, for listings that are sent within a day. */
import type { AddedUpload } from '../../../video/uploads/open-uploads.ts';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import type { BodyBudget } from '../requests/body-budget.ts';
import { type AppContext, answerJson, answerProblem, clientOf } from '../context.ts';
import { toUploadUrl } from '../requests/find-uploads.ts';
import { announcedBytes, checkAnnouncedSize, readBytes, tooManyBodies } from '../requests/read-body.ts';
import type { ServerDeps } from '../server-deps.ts';

interface UploadDeps extends Pick<ServerDeps, 'config' | 'checkReadiness'> {
  readonly uploads: NonNullable<ServerDeps['uploads']>;
}

/** What an upload needs of this machine. */
const NEEDED_CHECKS = ['store', 'disk', 'database', 'storage'];

/**
 * The handler, behind `admit`.
 *
 * @param bodies - Shared by all uploads of the server.
 */
export function uploadAsset(deps: UploadDeps, bodies: BodyBudget) {
  return async (c: AppContext): Promise<Response> => {
    const { headers } = c.req.raw;
    const { maxBytes } = deps.uploads;
    const refusal = checkImageType(headers) ?? checkAnnouncedSize(headers, maxBytes);
    if (refusal !== null) return answerProblem(refusal);
    const place = bodies.enter(clientOf(c), announcedBytes(headers));
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
      const added = await deps.uploads.add(c.get('caller').organizationId, bytes, isWanted);
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
