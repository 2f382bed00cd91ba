/** What can be done with a task: cancel it while it waits or runs, and use its listing again. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { sentence } from '../../../components/words.ts';
import { NEW_VIDEO } from '../address.ts';
import { ApiProblem, ask } from '../api.ts';
import { takeSentAgain } from '../new-video/draft.ts';
import { sentDrafts } from '../new-video/sent-drafts.ts';
import type { Task } from '../task.ts';
import { isActive } from '../words.ts';

interface TaskActionsProps {
  readonly task: Task;
  /** Takes the task as it is after that. */
  readonly onCancel: (task: Task) => void;
}

export function TaskActions({ task, onCancel }: TaskActionsProps) {
  const [isCancelling, setCancelling] = useState(false);
  const [fault, setFault] = useState('');
  const canCancel = isActive(task);
  const sent = sentDrafts.value.find(({ taskId }) => taskId === task.id);
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (isCancelling && !canCancel) document.getElementById('view-title')?.focus({ preventScroll: true });
  }, [isCancelling, canCancel]);

  async function cancel(): Promise<void> {
    if (isCancelling) return;
    setCancelling(true);
    setFault('');
    try {
      const path = `v1/tasks/${encodeURIComponent(task.id)}/cancel`;
      onCancel((await ask<Task>(path, { method: 'POST' })).body);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setCancelling(false);
      setFault(`Not cancelled. ${sentence(error.message)}`);
    }
  }

  if (!canCancel && sent === undefined) return null;
  return (
    <>
      <p class="actions">
        {canCancel && (
          <button type="button" aria-disabled={isCancelling} onClick={() => void cancel()}>
            {isCancelling ? 'Cancelling …' : 'Cancel'}
          </button>
        )}
        {sent !== undefined && (
          <button
            type="button"
            class={canCancel ? 'quiet' : undefined}
            onClick={() => {
              takeSentAgain(sent);
              location.hash = NEW_VIDEO;
            }}
          >
            Use this listing again
          </button>
        )}
      </p>
      {fault !== '' && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
