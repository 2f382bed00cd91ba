/** Creates a task from a valid listing; it is durable before the answer is sent. */

import type { Listing } from '../../../listing/listing.ts';
import { LISTING_SCHEMA } from '../../../listing/rules/schema.ts';
import { validateListing } from '../../../listing/rules/validate-listing.ts';
import { ListingVideoError, nullOn } from '../../../platform/errors.ts';
import { orNearest } from '../../../platform/nearest-name.ts';
import type { EarlierRequest } from '../../../task/accounts/account-store.ts';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { type AppContext, answerJson, answerProblem, answerViolations, clientOf } from '../context.ts';
import { TASK_EXAMPLES } from '../openapi/answer-schemas.ts';
import { ANSWER_HEADERS, BETA_PARAMETER, header, jsonResponse, refer } from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { BodyBudget, BodyPlace } from '../requests/body-budget.ts';
import { findUploads, uploadsWithoutBeta, uploadViolations } from '../requests/find-uploads.ts';
import { checkIdempotencyKey, hashJson } from '../requests/idempotency-key.ts';
import { ignoreBetaFields } from '../requests/ignore-beta-fields.ts';
import { describeIgnored } from '../requests/ignored-properties.ts';
import type { QueueGate } from '../requests/queue-gate.ts';
import {
  announcedBytes,
  checkAnnouncedSize,
  checkContentType,
  readJsonBody,
  tooManyBodies,
} from '../requests/read-body.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Route } from './route.ts';

const TASKS_PATH = '/v1/tasks';

interface CreateDeps extends ServerDeps {
  readonly queue: QueueGate;
  /** Shared by all requests of the server. */
  readonly bodies: BodyBudget;
}

export const CREATE_TASK: Route<CreateDeps> = {
  method: 'POST',
  path: TASKS_PATH,
  access: 'write',
  operation: {
    operationId: 'createTask',
    tags: ['Tasks'],
    summary: 'Create a task from a listing',
    description:
      'Answers as soon as the task is stored durably. The task makes one video for each agent. ' +
      'A listing has at most 20,000 JSON values.',
    parameters: [BETA_PARAMETER, { $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refer('Listing'),
          examples: {
            listing: {
              summary: 'A listing with one agent',
              value: (LISTING_SCHEMA.examples as readonly unknown[])[0],
            },
          },
        },
      },
    },
    responses: {
      202: jsonResponse(
        'The task was created, now or by an earlier request with the same Idempotency-Key.',
        {
          ...ANSWER_HEADERS,
          Location: header('Path of the task.'),
          'Idempotent-Replayed': header(
            '`true` when an earlier request with this Idempotency-Key created the task.',
            { type: 'string', enum: ['true'] },
          ),
        },
        'ScheduledTask',
        { task: { value: { id: TASK_EXAMPLES.succeeded.value.id } } },
      ),
      ...referRefusals([400, 401, 402, 403, 405, 422, 429, 500, 503], 'TemplateNotFound'),
    },
  },
  handle: createTask,
};

function createTask(deps: CreateDeps) {
  return async (c: AppContext): Promise<Response> => {
    const { headers } = c.req.raw;
    const key = headers.get('idempotency-key') ?? undefined;
    const refusal =
      checkContentType(headers) ??
      checkIdempotencyKey(key) ??
      checkAnnouncedSize(headers, deps.config.bodyLimitBytes);
    if (refusal !== null) return answerProblem(refusal);
    const place = deps.bodies.enter(clientOf(c), announcedBytes(headers));
    if (place === null) return answerProblem(tooManyBodies());
    try {
      return await createFromBody(c, deps, key, place);
    } finally {
      // Only now, because the listing stays in memory until its task is stored.
      place.leave();
    }
  };
}

async function createFromBody(
  c: AppContext,
  deps: CreateDeps,
  key: string | undefined,
  place: BodyPlace,
): Promise<Response> {
  const source = { headers: c.req.raw.headers, incoming: c.env?.incoming, stream: () => c.req.raw.body };
  const body = await readJsonBody(source, deps.config.bodyLimitBytes, place);
  if (!body.ok) return answerProblem(body.problem);
  const { organizationId } = c.get('caller');
  const betas = c.get('betas');
  const value = ignoreBetaFields(body.value, betas);
  const warnings = describeIgnored(body.value);
  const request: TaskRequest = { organizationId, value, warnings, takesUploads: betas.has('uploads') };
  const answer =
    key === undefined
      ? await acceptTask(deps, deps.newTaskId(), request)
      : await createOnce(deps, { key, sha256: hashJson(body.value) }, request);
  const taskId = answer.headers.get('location')?.slice(TASKS_PATH.length + 1);
  if (taskId !== undefined) c.set('taskId', taskId);
  return answer;
}

interface TaskRequest {
  readonly organizationId: string;
  /** The listing, not validated. */
  readonly value: unknown;
  readonly warnings: readonly string[];
  /** The listing can name uploads. */
  readonly takesUploads: boolean;
}

/** The first request with this key and body creates the task. The others get its id. */
async function createOnce(
  deps: CreateDeps,
  { key, sha256 }: { readonly key: string; readonly sha256: string },
  request: TaskRequest,
): Promise<Response> {
  const claim = await deps.accounts.beginIdempotent(request.organizationId, key, sha256);
  if (claim.kind !== 'new') return answerEarlier(claim);
  const { taskId } = claim;
  const result = await acceptTask(deps, taskId, request).catch((error: unknown) => ({ error }));
  if ('status' in result && result.status === 202) {
    await claim.commit();
    return result;
  }
  // Of several at once, another one can have been first.
  const earlier = await claim.abort();
  if (earlier !== null) return answerEarlier(earlier);
  if ('error' in result) throw result.error;
  return result;
}

function answerEarlier(earlier: EarlierRequest): Response {
  if (earlier.kind === 'replay') return answerAccepted(earlier.taskId, { 'idempotent-replayed': 'true' });
  const message = 'this Idempotency-Key came with another body before';
  return answerProblem(problem('idempotency_key_reused', message));
}

async function acceptTask(
  deps: CreateDeps,
  taskId: string,
  { organizationId, value, warnings, takesUploads }: TaskRequest,
): Promise<Response> {
  const validation = validateListing(value, { allowLocalFiles: false });
  if (!validation.ok) return answerViolations(validation.violations);
  const { listing } = validation;
  const { uploads } = deps;
  const named = uploads === null ? [] : findUploads(listing, deps.config.publicUrl());
  if (named.length > 0 && !takesUploads) return answerViolations(uploadsWithoutBeta(named));
  const ids = [...new Set(named.map(({ id }) => id))];
  const missing = ids.length === 0 ? [] : await uploads!.findMissing(organizationId, ids);
  if (missing.length > 0) return answerViolations(uploadViolations(named, missing));
  const refusal =
    (await checkTemplates(listing, deps.templateIds)) ??
    (await checkBalance(deps, organizationId, deps.priceOf(listing)));
  if (refusal !== null) return answerProblem(refusal);
  const place = await deps.queue.enter(organizationId);
  if ('refused' in place) {
    const headers = { 'retry-after': String(place.retryAfterSec) };
    return answerProblem(problem('unavailable', place.refused, null, headers));
  }
  let isStored = false;
  try {
    // Held before the task exists, so that a sweep never removes what it waits for.
    if (ids.length > 0) await uploads!.hold(organizationId, taskId, ids);
    const idsByUrl = Object.fromEntries(named.map(({ url, id }) => [url, id]));
    await deps.engine.submit({
      id: taskId,
      origin: 'api',
      organizationId,
      payload: {
        ...deps.makePayload(listing, { organizationId, taskId }),
        ...(ids.length === 0 ? {} : { uploads: idsByUrl }),
        ...(warnings.length === 0 ? {} : { warnings }),
      },
    });
    isStored = true;
  } catch (error) {
    // Only an idempotent repeat can find its task here: an earlier server stored it and died before it answered.
    if (!(error instanceof ListingVideoError) || error.code !== 'task_state_conflict') {
      if (ids.length > 0) await releaseUnstored(deps, organizationId, taskId);
      throw error;
    }
  } finally {
    place.settle(isStored);
  }
  return answerAccepted(taskId);
}

/** Ends the hold of a task unless it is stored, or could be. */
async function releaseUnstored(
  { engine, uploads }: ServerDeps,
  organizationId: string,
  taskId: string,
): Promise<void> {
  // A store that cannot say could have it.
  const task = await engine
    .get(taskId)
    .catch(nullOn('task_not_found'))
    .catch(() => undefined);
  if (task === null) await uploads?.release(organizationId, taskId).catch(() => {});
}

function answerAccepted(id: string, headers: Readonly<Record<string, string>> = {}): Response {
  return answerJson(202, { id }, { location: `${TASKS_PATH}/${id}`, ...headers });
}

async function checkTemplates(
  listing: Listing,
  templateIds: () => Promise<readonly string[]>,
): Promise<ApiProblem | null> {
  const available = await templateIds();
  for (const { id, video_options } of listing.agents) {
    const templateId = video_options?.template_id ?? null;
    if (templateId === null || available.includes(templateId)) continue;
    const context = { agent_id: id, template_id: templateId, available };
    const message = `no template has this template_id${orNearest(templateId, available)}`;
    return problem('template_not_found', message, context);
  }
  return null;
}

/** Checks the balance before the queue, as the order of errors requires. The engine makes the reservation itself. */
async function checkBalance(
  { accounts }: Pick<ServerDeps, 'accounts'>,
  organizationId: string,
  required: number,
): Promise<ApiProblem | null> {
  const { isMetered, balance } = await accounts.getOrganization(organizationId);
  if (!isMetered || balance >= required) return null;
  const message = `this task costs ${required} credits, the balance is ${balance}`;
  return problem('insufficient_balance', message, { balance, required });
}
