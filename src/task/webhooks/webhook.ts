/** Webhooks, their deliveries and their limits. Types and constants only. */
import type { TaskRecord } from '../task.ts';

/** Events of tasks, in the order in which messages list them. */
export const WEBHOOK_EVENTS = ['task.succeeded', 'task.failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A URL that gets the events of an organization's tasks. Its secrets stay in the store. */
export interface Webhook {
  /** `wh_` and 16 hex digits. */
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** ISO 8601 in UTC, as all times here. */
  readonly createdAt: string;
  /** When its receiver answered 410 Gone. From then on nothing is sent. Null while it is in use. */
  readonly disabledAt: string | null;
}

/** A webhook with the secret that signs its messages. The secret is shown only once, here. */
export interface NewWebhook extends Webhook {
  /** `whsec_` and base64. */
  readonly secret: string;
}

/** In the order of their course. */
export const DELIVERY_STATES = ['waiting', 'succeeded', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One request to the URL of a webhook, and what came back. */
export interface Attempt {
  readonly at: string;
  readonly durationMs: number;
  /** Null if no answer came. */
  readonly status: number | null;
  /** Why no answer came, such as `timeout: no answer within 10 s`; else null. */
  readonly error: string | null;
  /** Start of the answer's body as one line of safe text. */
  readonly response: string;
}

/** One event for one webhook, with the latest attempt to send it. */
export interface Delivery {
  /** `dlv_`, the time and 12 more hex digits: a later delivery has a greater id. */
  readonly id: string;
  /** Header `webhook-id`: the same for every attempt and redelivery of an event. */
  readonly messageId: string;
  readonly webhookId: string;
  readonly organizationId: string;
  readonly taskId: string;
  readonly event: WebhookEvent;
  readonly state: DeliveryState;
  readonly createdAt: string;
  readonly attempts: number;
  readonly firstAttemptAt: string | null;
  /** Null unless it waits. */
  readonly nextAttemptAt: string | null;
  readonly lastAttempt: Attempt | null;
  /** Why it failed without an attempt; else null. */
  readonly problem: string | null;
  /** The delivery that it repeats, or null. */
  readonly redeliveryOf: string | null;
}

/** A delivery with what its message is made of: the task as it was at the end. */
export interface FullDelivery extends Delivery {
  readonly task: TaskRecord;
}

/** Webhooks of one organization. */
export const MAX_WEBHOOKS = 20;
/** Deliveries of one webhook that wait. A further one fails at once, and can be redelivered. */
export const MAX_WAITING = 10_000;
export const TOO_MANY_WAITING = `${MAX_WAITING} deliveries to this webhook wait already`;
/** Ended deliveries of one webhook in each state. */
export const MAX_ENDED = 1_000;
/** How long ended deliveries are kept. */
export const KEEP_ENDED_MS = 7 * 24 * 3_600_000;
/** How long the previous secret signs too after a rotation. */
export const OLD_SECRET_MS = 24 * 3_600_000;
