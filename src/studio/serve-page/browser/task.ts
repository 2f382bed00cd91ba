/** A task as the API answers it to this page, with the betas that `api.ts` names. Types only. */
import type { Progress } from '../../components/words.ts';

export type TaskState = 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED';

export interface Task {
  readonly id: string;
  readonly state: TaskState;
  readonly failure_message?: string;
  readonly results: readonly Result[];
  readonly dropped_assets: readonly DroppedAsset[];
  readonly progress?: Progress;
  readonly listing_id?: string | null;
  readonly listing_address?: string | null;
  /** In the order of the results. */
  readonly agent_names?: readonly string[];
  readonly warnings?: readonly string[];
}

export interface Result {
  readonly agent_id: string;
  readonly url: string;
  readonly created_at: string;
  readonly preview_url?: string;
  readonly poster_url?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface DroppedAsset {
  readonly url: string;
  readonly reason: string;
}
