/**
 * The part of the program that the commands drive: task engine, store, dry run and template tools. `open-backend.ts`
 * opens the real one; tests pass a fake. Types only.
 */

import type { VideoTask, VideoTaskEngine } from '../api/video-task.ts';
import type { AllowedFolders } from '../platform/disk/allowed-folders.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import type { AccountStore } from '../task/accounts/account-store.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { Attempt } from '../task/webhooks/webhook.ts';
import type { WebhookStore } from '../task/webhooks/webhook-store.ts';
import type { TaskCheck } from '../video/check-task.ts';
import type { TaskDescription } from '../video/describe-task.ts';
import type { LintRequest, TemplateLint } from '../video/templates/lint-template.ts';
import type { PreviewRequest, TemplatePreview } from '../video/templates/preview-template.ts';
import type { VideoTaskPayload, WorkOptions } from '../video/video-task.ts';

export type { VideoTask, VideoTaskEngine };

export type BackendEngine = Pick<
  VideoTaskEngine,
  'submit' | 'runTask' | 'get' | 'payload' | 'list' | 'retry' | 'cancel'
>;

/** A server that does the work of this machine. */
export interface BackendServer {
  /** Without a slash at the end. */
  readonly url: string;
  organization(): Promise<{ readonly id: string; readonly balance: number }>;
  /** Whether listings can name files of this machine, which are then uploaded. */
  takesFiles(): Promise<boolean>;
}

export interface WebhookTools extends WebhookStore {
  /** Sends a test message now. @throws ListingVideoError `webhook_not_found`, `usage` if the webhook is disabled. */
  test(id: string, signal: AbortSignal): Promise<Attempt>;
}

/** Runs the commands' work on this machine, or on the server of `settings.server`. */
export interface Backend {
  /** Null for this machine. */
  readonly server: BackendServer | null;
  readonly engine: BackendEngine;
  readonly store: Pick<TaskStore, 'prune'>;
  /** Best number of parallel tasks in a batch; 1 or more. */
  readonly tasksAtOnce: number;
  /** Plans a task without rendering. @throws ListingVideoError `no_usable_assets`, `template_not_found`. */
  describe(payload: VideoTaskPayload, options: WorkOptions): Promise<TaskDescription>;
  /** Finds what `create` would refuse or leave out, without rendering and without the network. */
  check(payload: VideoTaskPayload, signal: AbortSignal): Promise<TaskCheck>;
  /** Renders a still, sheet or clip of a template. @throws ListingVideoError as `describe`, and errors of rendering. */
  preview(request: PreviewRequest, options: WorkOptions): Promise<TemplatePreview>;
  /** Checks a template's layouts with plain and hard listings. @throws ListingVideoError as `describe`. */
  lint(request: LintRequest, options: WorkOptions): Promise<TemplateLint>;
  /** Ids of all templates, for a check before the first task; null when only the server knows them. */
  templateIds(): Promise<readonly string[] | null>;
  /** Organizations, keys and credits, opened at the first call. */
  accounts(): Promise<AccountStore>;
  /** Webhooks and their deliveries, opened at the first call. */
  webhooks(): Promise<WebhookTools>;
  /** Releases everything that is open. */
  close(): Promise<void>;
}

export type OpenBackend = (
  settings: Settings,
  options: {
    readonly logger: TaskLogger;
    readonly signal?: AbortSignal;
    /** Names the proxies of the user; absent for a function call. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** The only folders that tasks may read files in and write to; absent: every folder. */
    readonly folders?: AllowedFolders;
  },
) => Promise<Backend>;
