/** The events of a task in the format of `text/event-stream` (WHATWG HTML, 9.2.6). Pure. */
import { createHash } from 'node:crypto';
import { toTaskProgressView } from '../../../task/task-view.ts';
import type { VideoTask } from '../../video-task.ts';
import { toPublicTask } from '../answers/public-task.ts';
import { formatEvent } from './event-writer.ts';

/** `state`: the first event, and every change of the state. `progress`: within a state. `end`: the last event. */
export const EVENT_NAMES = ['state', 'progress', 'end'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export type FormatEvent = (name: EventName, id: string, task: VideoTask) => Uint8Array;

const encoder = new TextEncoder();

/** Sent first, so that the headers reach the client at once: how long a browser waits before it reconnects. */
export const RETRY = encoder.encode('retry: 3000\n\n');
/** A comment, which clients ignore. */
export const HEARTBEAT = encoder.encode(':\n\n');

/** Equal for records with equal events, on every server: a client that reconnects misses and repeats nothing. */
export function eventIdOf({ id, retries, fence, state, progress }: VideoTask): string {
  const { percent = 0, stage = null, etaSeconds = null } = progress ?? {};
  const facts = JSON.stringify([id, retries, fence, state, percent, stage, etaSeconds]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}

/**
 * Writes events for clients with these betas.
 *
 * @param publicUrl - Without a slash at the end.
 */
export function createEventFormat(publicUrl: string, betas: ReadonlySet<string>): FormatEvent {
  return (name, id, task) => {
    const data = name === 'progress' ? toTaskProgressView(task) : toPublicTask(task, publicUrl, betas);
    return formatEvent(name, data, id);
  };
}
