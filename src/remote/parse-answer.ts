/** Answers of the API held against their shapes: a server is another program, and not always ours. Pure. */
import type { DroppedAsset } from '../assets/photo.ts';
import { ListingVideoError } from '../errors.ts';
import { TASK_STATES, type TaskProgress, type TaskState } from '../task/task.ts';
import { STAGES, type VideoResult } from '../video/video-task.ts';

/** A Task of the specification, with progress where the server knows that beta. */
export interface ApiTask {
  readonly id: string;
  readonly state: TaskState;
  /** Null unless FAILED. */
  readonly failureMessage: string | null;
  readonly results: readonly VideoResult[];
  readonly droppedAssets: readonly DroppedAsset[];
  readonly progress: TaskProgress | null;
}

export interface ApiOrganization {
  readonly id: string;
  readonly balance: number;
}

/** As long as anything a person reads of it. */
const MOST_TEXT = 10_000;
/** 20 agents and 100 assets are what a listing may hold; pictures and logos may be dropped besides. */
const MOST_ENTRIES = 1_000;
/** As the API makes and takes them; one becomes part of paths of requests and of folders here. */
const TASK_ID = /^[A-Za-z0-9_-]{8,128}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[+-]\d{2}:\d{2}|Z)$/;

type Fields = Readonly<Record<string, unknown>>;

/** @throws {@link ListingVideoError} `server_answer_invalid`, as all of this file do. */
export function parseScheduledTask(value: unknown): string {
  return toTaskId(fieldsOf(value, 'the answer').id);
}

/** A page of the list. */
export function parseTaskPage(value: unknown): { readonly data: ApiTask[]; readonly hasMore: boolean } {
  const { data, has_more: hasMore } = fieldsOf(value, 'the list');
  if (!Array.isArray(data) || data.length > MOST_ENTRIES) throw wrong('data', 'a list');
  if (typeof hasMore !== 'boolean') throw wrong('has_more', 'true or false');
  return { data: data.map(parseTask), hasMore };
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
    progress: toProgress(fields.progress),
  };
}

export function parseOrganization(value: unknown): ApiOrganization {
  const { id, balance } = fieldsOf(value, 'the organization');
  if (typeof balance !== 'number' || !Number.isFinite(balance)) throw wrong('balance', 'a number');
  return { id: toText(id, 'id'), balance };
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
  const fields = fieldsOf(value, `dropped_assets[${index}]`);
  return {
    url: toText(fields.url, `dropped_assets[${index}].url`),
    reason: toText(fields.reason, `dropped_assets[${index}].reason`),
  };
}

/** Progress is a courtesy: what cannot be understood of it is left out. */
function toProgress(value: unknown): TaskProgress | null {
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
  if (entries.length > MOST_ENTRIES) throw wrong(place, 'fewer entries');
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
    // Told below.
  }
  throw wrong(place, 'an http or https URL');
}

function toText(value: unknown, place: string): string {
  if (typeof value !== 'string' || value.length > MOST_TEXT) throw wrong(place, 'a text');
  return value;
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST_ENTRIES) throw wrong(place, 'a list');
  return value;
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(place, 'an object');
}

function wrong(place: string, expected: string): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `the server's answer is not what its API promises: ${place} is not ${expected}`,
    { hint: 'is this the address of a listing-video server, without /v1 at its end?', context: { place } },
  );
}
