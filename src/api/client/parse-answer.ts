/** Parses and checks answers of the API: a server can run another version or be another program. Pure. */
import type { DroppedAsset } from '../../design/photo.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { TASK_STATES, type TaskProgress, type TaskState } from '../../task/task.ts';
import { STAGES, type VideoResult } from '../../video/video-task.ts';

/** A task of the API, with progress when the server supports that beta. */
export interface ApiTask {
  readonly id: string;
  readonly state: TaskState;
  /** Null unless FAILED. */
  readonly failureMessage: string | null;
  readonly results: readonly VideoResult[];
  readonly droppedAssets: readonly DroppedAsset[];
  /** Of the videos; empty when the server does not support that beta. */
  readonly warnings: readonly string[];
  readonly progress: TaskProgress | null;
}

/** A page of the list. */
export interface ApiTaskPage {
  readonly data: readonly ApiTask[];
  readonly hasMore: boolean;
}

/** A stored image. */
export interface ApiUpload {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly expiresMs: number;
}

export interface ApiOrganization {
  readonly id: string;
  readonly balance: number;
}

/** Longer than any text of the API. */
const MAX_TEXT_LENGTH = 10_000;
/** A listing has at most 20 agents and 100 assets; portraits and logos can be dropped too. */
const MAX_ENTRIES = 1_000;
/** The id of a task: safe in a URL path and in a folder name. */
export const TASK_ID = /^[A-Za-z0-9_-]{8,128}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[+-]\d{2}:\d{2}|Z)$/;

type Fields = Readonly<Record<string, unknown>>;

/** @throws {@link ListingVideoError} `server_answer_invalid`, as all of this file do. */
export function parseScheduledTask(value: unknown): string {
  return toTaskId(fieldsOf(value, 'the answer').id);
}

export function parseTaskPage(value: unknown): ApiTaskPage {
  const { data, has_more: hasMore } = fieldsOf(value, 'the list');
  const tasks = listOf(data, 'data');
  if (typeof hasMore !== 'boolean') throw wrong('has_more', 'true or false');
  return { data: tasks.map(parseTask), hasMore };
}

export function parseTask(value: unknown): ApiTask {
  const fields = fieldsOf(value, 'the task');
  const { state } = fields;
  if (!TASK_STATES.includes(state as TaskState)) throw wrong('state', `one of ${TASK_STATES.join(', ')}`);
  return {
    id: toTaskId(fields.id),
    state: state as TaskState,
    failureMessage: state === 'FAILED' ? toText(fields.failure_message ?? 'failed', 'failure_message') : null,
    results: listOf(fields.results, 'results').map(toResult),
    droppedAssets: listOf(fields.dropped_assets, 'dropped_assets').map(toDroppedAsset),
    warnings: toWarnings(fields.warnings),
    progress: parseProgress(fields.progress),
  };
}

export function parseOrganization(value: unknown): ApiOrganization {
  const { id, balance } = fieldsOf(value, 'the organization');
  if (typeof balance !== 'number' || !Number.isFinite(balance)) throw wrong('balance', 'a number');
  return { id: toText(id, 'id'), balance };
}

export function parseUpload(value: unknown): ApiUpload {
  const { url, expires_at: expiresAt } = fieldsOf(value, 'the upload');
  const expiresMs =
    typeof expiresAt === 'string' && TIMESTAMP.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(expiresMs)) throw wrong('expires_at', 'a timestamp');
  return { url: toHttpUrl(url, 'url'), expiresMs };
}

function toResult(value: unknown, index: number): VideoResult {
  const place = `results[${index}]`;
  const fields = fieldsOf(value, place);
  const { created_at: createdAt, preview_url: previewUrl } = fields;
  if (typeof createdAt !== 'string' || !TIMESTAMP.test(createdAt) || Number.isNaN(Date.parse(createdAt)))
    throw wrong(`${place}.created_at`, 'a timestamp');
  return {
    agent_id: toText(fields.agent_id, `${place}.agent_id`),
    url: toHttpUrl(fields.url, `${place}.url`),
    created_at: createdAt,
    ...(previewUrl === undefined || previewUrl === null
      ? {}
      : { preview_url: toHttpUrl(previewUrl, `${place}.preview_url`) }),
    metadata: toMetadata(fields.metadata ?? {}, `${place}.metadata`),
  };
}

function toDroppedAsset(value: unknown, index: number): DroppedAsset {
  const place = `dropped_assets[${index}]`;
  const { url, reason } = fieldsOf(value, place);
  return { url: toText(url, `${place}.url`), reason: toText(reason, `${place}.reason`) };
}

/** Warnings are optional: invalid ones are ignored. */
function toWarnings(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) return [];
  return value.filter((text) => typeof text === 'string' && text.length <= MAX_TEXT_LENGTH);
}

/** Progress is optional: an invalid one is ignored. */
export function parseProgress(value: unknown): TaskProgress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { percent, stage, eta_seconds: eta } = value as Fields;
  if (typeof percent !== 'number' || !Number.isFinite(percent)) return null;
  return {
    percent: Math.min(100, Math.max(0, percent)),
    stage: (STAGES as readonly unknown[]).includes(stage) ? (stage as string) : null,
    etaSeconds: typeof eta === 'number' && Number.isFinite(eta) && eta >= 0 ? eta : null,
  };
}

function toMetadata(value: unknown, place: string): Record<string, string> {
  const entries = Object.entries(fieldsOf(value, place));
  if (entries.length > MAX_ENTRIES) throw wrong(place, 'fewer entries');
  return Object.fromEntries(
    entries.map(([key, text]) => [key, toText(text, `${place}.${key.slice(0, 40)}`)]),
  );
}

function toTaskId(value: unknown): string {
  if (typeof value !== 'string' || !TASK_ID.test(value)) throw wrong('id', 'the id of a task');
  return value;
}

function toHttpUrl(value: unknown, place: string): string {
  try {
    const url = new URL(toText(value, place));
    const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
    if (isHttp && url.username === '' && url.password === '') return url.href;
  } catch {
    // Reported below.
  }
  throw wrong(place, 'an http or https URL');
}

function toText(value: unknown, place: string): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) throw wrong(place, 'a text');
  return value;
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) throw wrong(place, 'a list');
  return value;
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(place, 'an object');
}

function wrong(place: string, expected: string): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `the server's answer does not match its API: ${place} is not ${expected}`,
    { hint: 'check that --server is the address of a listing-video server, without /v1', context: { place } },
  );
}
