/**
 * The part of the program that the commands drive: task engine, store, dry run and template tools. `open-backend.ts` opens
 * the real one; tests pass a fake. Types only.
 */
import type { AccountStore } from '../account/account-store.ts';
import type { Settings } from '../settings/setting-table.ts';
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { TaskDescription } from '../video/describe-task.ts';
import type { LintRequest, TemplateLint } from '../video/templates/lint-template.ts';
import type { PreviewRequest, TemplatePreview } from '../video/templates/preview-template.ts';
import type { VideoTaskPayload, WorkOptions } from '../video/video-task.ts';

/** The part of the task engine that commands drive. */
export type BackendEngine = Pick<TaskEngine, 'submit' | 'runTask' | 'get' | 'list' | 'retry' | 'cancel'>;

/** A server that does the work of this machine. */
export interface BackendServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** That of the key. */
  organization(): Promise<{ readonly id: string; readonly balance: number }>;
}

/** What `settings.server` decides: the store that every other process with this home reads and drives. */
export interface Backend {
  /** Null when the work is done here. */
  readonly server: BackendServer | null;
  readonly engine: BackendEngine;
  readonly store: Pick<TaskStore, 'prune'>;
  /** Tasks of a batch that are best run at the same time; 1 or more. */
  readonly tasksAtOnce: number;
  /** What a run would make, without rendering. @throws ListingVideoError `no_usable_assets`, `template_not_found`. */
  describe(payload: VideoTaskPayload, options: WorkOptions): Promise<TaskDescription>;
  /** A still, sheet or clip of a template. @throws ListingVideoError as `describe`, and what rendering throws. */
  preview(order: PreviewRequest, options: WorkOptions): Promise<TemplatePreview>;
  /** What a template does to plain and hard listings. @throws ListingVideoError as `describe`. */
  lint(order: LintRequest, options: WorkOptions): Promise<TemplateLint>;
  /** Ids of the templates that exist, asked before the first task is made; null when only the server knows. */
  templateIds(): Promise<readonly string[] | null>;
  /** Organizations, keys and credits, opened when first asked for. */
  accounts(): Promise<AccountStore>;
  /** Ends workers and handles. */
  close(): Promise<void>;
}

/** Opens the real or a fake backend. */
export type OpenBackend = (
  settings: Settings,
  options: {
    readonly logger: TaskLogger;
    /** Ends what waits for a server. */
    readonly signal?: AbortSignal;
  },
) => Promise<Backend>;
