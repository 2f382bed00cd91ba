/** Parses and checks answers of the API: a server can run another version or be another program. Pure. */
import type { DroppedAsset } from '../../design/photo.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { TASK_STATES, type TaskProgress, type TaskState } from '../../task/task.ts';
import { STAGES, type VideoResult } from '../../video/video-task.ts';

/** `poster_url` is absent when the server does not support the beta `task-details`. */
export type ApiResult = VideoResult & { readonly poster_url?: string };

export interface ApiTask {
  readonly id: string;
  readonly state: TaskState;
  /** Null unless FAILED. */
  readonly failureMessage: string | null;
  readonly results: readonly ApiResult[];
  readonly droppedAssets: readonly DroppedAsset[];
  /** Of the videos; empty when the server does not support that beta. */
  readonly warnings: readonly string[];
  /** Null when the server does not support that beta. */
  readonly progress: TaskProgress | null;
}

export type ApiUpload = ReturnType<typeof parseUpload>;
export type ApiOrganization = ReturnType<typeof parseOrganization>;

/** Longer than any text of the API. */
const MAX_TEXT_LENGTH = 10_000;
/** A listing has at most 20 agents and 100 assets; portraits and logos can be dropped too. */
const MAX_ENTRIES = 1_000;
/** The id of a task: safe in a URL path and in a folder name. */
export const TASK_ID = /^[A-Za-z0-9_-]{8,128}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[+-]\d{2}:\d{2}|Z)$/;

/** @throws {@link ListingVideoError} `server_answer_invalid`, as all of this file do. */
export function parseScheduledTask(value: unknown): string {
  return toTaskId(fieldsOf(value, 'the answer').id);
}

export function parseTaskPage(value: unknown) {
  const { data, has_more: hasMore } = fieldsOf(value, 'the list');
  const tasks = listOf(data, 'data');
  if (typeof hasMore !== 'boolean') throw wrong('has_more', 'true or false');
  return { data: tasks.map(parseTask), hasMore };
}

export function parseTask(value: unknown): ApiTask {
  const fields = fieldsOf(value, 'the task');
  const state = TASK_STATES.find((each) => each === fields.state);
  if (state === undefined) throw wrong('state', `one of ${TASK_STATES.join(', ')}`);
  const { warnings } = fields;
  return {
    id: toTaskId(fields.id),
    state,
    failureMessage: state === 'FAILED' ? toText(fields.failure_message ?? 'failed', 'failure_message') : null,
    results: listOf(fields.results, 'results').map(toResult),
    droppedAssets: listOf(fields.dropped_assets, 'dropped_assets').map(toDroppedAsset),
    // Optional: invalid ones are ignored.
    warnings: Array.isArray(warnings) && warnings.length <= MAX_ENTRIES ? warnings.filter(isText) : [],
    progress: parseProgress(fields.progress),
  };
}

/** Progress is optional: an invalid one is ignored. */
export function parseProgress(value: unknown): TaskProgress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { percent, stage, eta_seconds: eta } = value as Readonly<Record<string, unknown>>;
  if (typeof percent !== 'number' || !Number.isFinite(percent)) return null;
  return {
    percent: Math.min(100, Math.max(0, percent)),
    stage: STAGES.find((each) => each === stage) ?? null,
    etaSeconds: typeof eta === 'number' && Number.isFinite(eta) && eta >= 0 ? eta : null,
  };
}

export function parseOrganization(value: unknown) {
  const { id, balance } = fieldsOf(value, 'the organization');
  if (typeof balance !== 'number' || !Number.isFinite(balance)) throw wrong('balance', 'a number');
  return { id: toText(id, 'id'), balance };
}

/** `expiresMs` is in milliseconds since 1970. */
export function parseUpload(value: unknown) {
  const { url, expires_at: expiresAt } = fieldsOf(value, 'the upload');
  return { url: toHttpUrl(url, 'url'), expiresMs: Date.parse(toTimestamp(expiresAt, 'expires_at')) };
}

function toResult(value: unknown, index: number): ApiResult {
  const place = `results[${index}]`;
  const fields = fieldsOf(value, place);
  const metadata = Object.entries(fieldsOf(fields.metadata ?? {}, `${place}.metadata`));
  if (metadata.length > MAX_ENTRIES) throw wrong(`${place}.metadata`, 'fewer entries');
  const { preview_url: preview = null, poster_url: poster = null } = fields;
  return {
    agent_id: toText(fields.agent_id, `${place}.agent_id`),
    url: toHttpUrl(fields.url, `${place}.url`),
    created_at: toTimestamp(fields.created_at, `${place}.created_at`),
    ...(preview === null ? {} : { preview_url: toHttpUrl(preview, `${place}.preview_url`) }),
    ...(poster === null ? {} : { poster_url: toHttpUrl(poster, `${place}.poster_url`) }),
    metadata: Object.fromEntries(
      metadata.map(([key, text]) => [key, toText(text, `${place}.metadata.${key.slice(0, 40)}`)]),
    ),
  };
}

function toDroppedAsset(value: unknown, index: number): DroppedAsset {
  const place = `dropped_assets[${index}]`;
  const { url, reason } = fieldsOf(value, place);
  return { url: toText(url, `${place}.url`), reason: toText(reason, `${place}.reason`) };
}

function toTaskId(value: unknown): string {
  if (typeof value !== 'string' || !TASK_ID.test(value)) throw wrong('id', 'the id of a task');
  return value;
}

function toTimestamp(value: unknown, place: string): string {
  if (typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw wrong(place, 'a timestamp');
}

function toHttpUrl(value: unknown, place: string): string {
  const text = toText(value, place);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '') return url.href;
  throw wrong(place, 'an http or https URL');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
}

function toText(value: unknown, place: string): string {
  if (!isText(value)) throw wrong(place, 'a text');
  return value;
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) throw wrong(place, 'a list');
  return value;
}

function fieldsOf(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(place, 'an object');
}

function wrong(place: string, expected: string): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `the server's answer does not match its API: ${place} is not ${expected}`,
    { hint: 'check that --server is the address of a listing-video server, without /v1', context: { place } },
  );
}
