/** Decides the exit code of every command that works on tasks or listings. */
import { findErrorRow, type ListingVideoError } from '../platform/errors.ts';

import type { VideoTask } from '../wiring/backend.ts';
import type { ListingResult } from './listings/listing-result.ts';
import { INTERRUPTED_EXIT_CODE } from './terminal/interrupts.ts';

export function exitCodeOfTask(task: VideoTask, isInterrupted: boolean): number {
  if (task.state === 'SUCCEEDED') return 0;
  if (isInterrupted) return INTERRUPTED_EXIT_CODE;
  const exitCode = findErrorRow(task.failure?.code ?? '')?.exitCode ?? 1;
  // Cancelled from another terminal: this command was not interrupted, its task failed.
  return exitCode === INTERRUPTED_EXIT_CODE ? 1 : exitCode;
}

export interface ExitFacts {
  /** Several listings, or a shard of them. */
  readonly isBatch: boolean;
  readonly isInterrupted: boolean;
  /** False for `validate` and `--dry-run`, which render nothing. */
  readonly isRendered: boolean;
  /** Why files such as the manifest could not be written. */
  readonly writeErrors?: readonly ListingVideoError[];
}

/** 130 before 3 before 1; 2 when nothing could be started; for a single listing its own code. */
export function exitCodeOfListings(results: readonly ListingResult[], facts: ExitFacts): number {
  const exitCodes = (facts.writeErrors ?? []).map((error) => error.exitCode);
  return Math.max(exitCodeOfResults(results, facts), ...exitCodes);
}

function exitCodeOfResults(results: readonly ListingResult[], facts: ExitFacts): number {
  const { isBatch, isInterrupted, isRendered } = facts;
  const valid = results.filter(({ kind }) => kind !== 'invalid' && kind !== 'rejected');
  const codes = valid.flatMap((result) => exitCodeOfResult(result, isInterrupted) ?? []);
  if (isInterrupted && (codes.length < valid.length || codes.includes(INTERRUPTED_EXIT_CODE)))
    return INTERRUPTED_EXIT_CODE;
  // A shard without listings has nothing to render, and nothing to plan.
  if (valid.length === 0) return results.length === 0 && isRendered ? 0 : 2;
  if (!isBatch) return codes[0] ?? 0;
  if (codes.includes(3)) return 3;
  const isStarted = results.some(({ kind }) => kind === 'succeeded' || kind === 'task-failed');
  if (isRendered && !isStarted && codes.length > 0 && codes.every((code) => code === 2)) return 2;
  const isDone = isRendered ? results.every(({ kind }) => kind === 'succeeded') : codes.length === 0;
  return isDone && valid.length === results.length ? 0 : 1;
}

/** Null for a listing that was not started. */
function exitCodeOfResult(result: ListingResult, isInterrupted: boolean): number | null {
  if (result.kind === 'failed') return result.error.exitCode;
  const hasTask = result.kind === 'succeeded' || result.kind === 'task-failed';
  return hasTask ? exitCodeOfTask(result.task, isInterrupted) : null;
}
