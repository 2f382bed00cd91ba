/**
 * What the command line needs of the world behind it: the task engine, its store, and a description without rendering.
 * `src/wiring.ts` opens the real one; tests hand in a fake. Types only.
 */
import type { AccountStore } from '../account/account-store.ts';
import type { DroppedAsset } from '../assets/photo.ts';
import type { AspectRatio } from '../listing/listing.ts';
import type { Settings } from '../settings/setting-table.ts';
import type { TaskEngine } from '../task/task-engine.ts';
import type { TaskLogger } from '../task/task-handler.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { ReportScene } from '../video/report.ts';
import type { VideoTaskPayload } from '../video/video-task.ts';

/** The part of the task engine that commands drive. */
export type StudioEngine = Pick<TaskEngine, 'submit' | 'runTask' | 'get' | 'list' | 'retry' | 'cancel'>;

/** The same store that every other process with this home reads and drives. */
export interface Studio {
  readonly engine: StudioEngine;
  readonly store: Pick<TaskStore, 'prune'>;
  /** What a run would make, without rendering. @throws ListingVideoError `no_usable_assets`, `template_not_found`. */
  describe(payload: VideoTaskPayload, options: { readonly signal: AbortSignal }): Promise<DryRun>;
  /** Ids of the templates that exist; asked before the first task is made. */
  templateIds(): Promise<readonly string[]>;
  /** Organizations, keys and credits, opened when first asked for. */
  accounts(): Promise<AccountStore>;
  /** Ends workers and handles. */
  close(): Promise<void>;
}

/** One video of a dry run. */
export interface DryRunVideo {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly templateId: string;
  readonly ratio: AspectRatio;
  readonly frames: number;
  readonly durationSec: number;
  /** Of its segments; those shared with an earlier video of the same run count as reused. */
  readonly segments: { readonly toRender: number; readonly reused: number };
  readonly scenes: readonly Omit<ReportScene, 'still'>[];
  readonly warnings: readonly string[];
}

/** The document of `create --dry-run --json`. */
export interface DryRun {
  readonly listing: { readonly id: string; readonly file: string | null; readonly address: string | null };
  readonly videos: readonly DryRunVideo[];
  readonly assets: { readonly given: number; readonly used: number };
  readonly dropped_assets: readonly DroppedAsset[];
  /** One credit is one video. */
  readonly cost: { readonly credits: number; readonly framesToRender: number };
}

/** Opens the real or a fake studio. */
export type OpenStudio = (settings: Settings, options: { readonly logger: TaskLogger }) => Promise<Studio>;
