/**
 * The document of an organization, `accounts/organizations/<id>/organization.json`: its credits, API keys and webhooks.
 * The tables of checks below describe what a valid document has.
 */
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import type { StoredApiKey } from '../../accounts/api-key.ts';
import type { StoreWarning } from '../../task-store.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { StoredSecret } from '../../webhooks/webhook-rules.ts';

/** A reservation that has not ended. */
export interface OpenReservation {
  readonly task: string;
  readonly retries: number;
  readonly credits: number;
  /** The process that will create the task, a name in `processes`. */
  readonly by: string;
  readonly at: string;
}

/** A webhook with the secrets that sign its messages, the newest first. */
export interface StoredWebhook extends Webhook {
  readonly secrets: readonly StoredSecret[];
  /**
   * A deleted webhook stays, without secrets, until a server has removed its deliveries. Otherwise the loss of the
   * folder `accounts` would look like the deletion of all webhooks.
   */
  readonly deletedAt: string | null;
}

/** Changes are made in place, under the lock of the organization. */
export interface OrganizationDocument {
  readonly version: typeof DOCUMENT_VERSION;
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Credits left, without those of `open`. */
  balance: number;
  /** True from the first grant on. */
  isMetered: boolean;
  /** By {@link reservationName}, oldest first. */
  readonly open: Record<string, OpenReservation>;
  /** The processes of `open`, by a random name. */
  readonly processes: Record<string, ProcessIdentity>;
  /** A key or webhook that is damaged stays as it is, and affects no other. */
  readonly keys: StoredApiKey[];
  readonly webhooks: StoredWebhook[];
}

export const DOCUMENT_VERSION = 1;

export function newOrganization(id: string, name: string, createdAt: string): OrganizationDocument {
  const version = DOCUMENT_VERSION;
  const credits = { balance: 0, isMetered: false, open: {}, processes: {} };
  return { version, id, name, createdAt, ...credits, keys: [], webhooks: [] };
}

export function reservationName(of: { readonly task: string; readonly retries: number }): string {
  return `${of.task}.${of.retries}`;
}

type Check = (value: unknown) => boolean;
type Checks<T> = { readonly [Field in keyof T]-?: Check };

const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isTime: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value));
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const hasAll = (value: unknown, checks: Readonly<Record<string, Check>>): boolean =>
  isObject(value) &&
  Object.entries(checks).every(([field, check]) => check((value as Record<string, unknown>)[field]));

const RESERVATION: Checks<OpenReservation> = {
  task: isText,
  retries: isCount,
  credits: isCount,
  by: isText,
  at: isText,
};

const KEY: Checks<StoredApiKey> = {
  id: isText,
  hash: isText,
  organizationId: isText,
  readOnly: isBoolean,
  isOperator: isBoolean,
  createdAt: isText,
  // A damaged time must not become a key that never expires.
  expiresAt: orNull(isTime),
  lastUsedAt: orNull(isTime),
  revokedAt: orNull(isText),
};

const SECRET: Checks<StoredSecret> = { secret: isText, expiresAt: orNull(isText) };

const WEBHOOK: Checks<StoredWebhook> = {
  id: isText,
  organizationId: isText,
  url: (value) => typeof value === 'string' && URL.canParse(value),
  events: Array.isArray,
  createdAt: isText,
  disabledAt: orNull(isText),
  deletedAt: orNull(isText),
  secrets: (value) => Array.isArray(value) && value.every((each) => hasAll(each, SECRET)),
};

const ORGANIZATION: Checks<OrganizationDocument> = {
  version: (value) => value === DOCUMENT_VERSION,
  id: isText,
  name: isText,
  createdAt: isText,
  balance: Number.isSafeInteger,
  isMetered: isBoolean,
  open: (value) =>
    isObject(value) && Object.values(value as object).every((each) => hasAll(each, RESERVATION)),
  // A damaged process counts as one that cannot be checked.
  processes: isObject,
  keys: Array.isArray,
  webhooks: Array.isArray,
};

/** True for a valid document of this organization. Its keys and webhooks are checked one by one. */
export function isOrganization(value: object, id: string): value is OrganizationDocument {
  return hasAll(value, ORGANIZATION) && (value as OrganizationDocument).id === id;
}

/** The valid keys, or webhooks, of a document, and a warning for each other one. */
export function validEntries<Kind extends 'keys' | 'webhooks'>(
  document: OrganizationDocument,
  kind: Kind,
  path: string,
): { readonly data: OrganizationDocument[Kind]; readonly warnings: readonly StoreWarning[] } {
  const checks = kind === 'keys' ? KEY : WEBHOOK;
  const isValid = (entry: unknown) =>
    hasAll(entry, checks) && (entry as StoredApiKey).organizationId === document.id;
  const entries: readonly unknown[] = document[kind];
  return {
    data: entries.filter(isValid) as OrganizationDocument[Kind],
    warnings: entries
      .filter((entry) => !isValid(entry))
      .map((entry) => {
        const { id = document.id } = Object(entry) as { id?: unknown };
        const message = `the document ${path} cannot be read: an entry of its ${kind} is damaged`;
        return { id: String(id), path, message };
      }),
  };
}
