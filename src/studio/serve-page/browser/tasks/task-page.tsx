/**
 * One task: its state and progress, then its videos with previews, or why it failed, its warnings, and what was
 * dropped.
 */
import { useRef, useState } from 'preact/hooks';
import { countWords } from '../../../../listing/words/count-words.ts';
import { announce } from '../../../components/announce.tsx';
import { reasonParts } from '../../../components/words.ts';
import { balance, readAccount } from '../account.ts';
import { type ApiProblem, ask } from '../api.ts';
import { usePolling } from '../connection.ts';
import { ProblemPanel } from '../problem-panel.tsx';
import type { DroppedAsset, Task } from '../task.ts';
import { useTitle } from '../title.ts';
import {
  fileTitle,
  isActive,
  listingIdBeside,
  resultTitle,
  shortId,
  shownState,
  stateWord,
  taskTitle,
} from '../words.ts';
import { ResultPart } from './result-part.tsx';
import { TaskActions } from './task-actions.tsx';
import { AgentNames, CreatedTime, Frame, ProgressLine, StateBadge } from './task-parts.tsx';

export function TaskPage({ id }: { readonly id: string }) {
  const [task, setTask] = useState<Task | null>(null);
  const [problem, setProblem] = useState<Pick<ApiProblem, 'status' | 'message'> | null>(null);
  const known = useRef<Task | null>(null);
  const name = task === null ? `Task ${shortId(id)}` : taskTitle(task);
  useTitle(name);
  usePolling(
    async (signal) => {
      const { body, retryAfterMs } = await ask<Task>(`v1/tasks/${encodeURIComponent(id)}`, { signal });
      const before = known.current;
      take(body);
      setProblem(null);
      // Progress that moves is asked for as often as the service allows: `Retry-After` follows the time left.
      const hasChanged = body.state !== before?.state || body.progress?.percent !== before.progress?.percent;
      return { isBusy: isActive(body), hasChanged, retryAfterMs };
    },
    (found) => {
      if (found === null) return true;
      const isFinal = found.status === 404 || found.status === 422;
      if (isFinal) {
        const message = 'There is no such task, or it belongs to another organization.';
        setProblem({ status: 404, message });
      } else if (known.current === null) setProblem(found);
      return !isFinal;
    },
  );

  function take(next: Task): void {
    const before = known.current;
    known.current = next;
    setTask(next);
    if (before === null || !isActive(before) || isActive(next)) return;
    announce(`${taskTitle(next)}: ${stateWord(shownState(next))}.`);
    void readAccount();
  }

  return (
    <section aria-labelledby="view-title">
      <p class="back">
        <a href="#/">All tasks</a>
      </p>
      <h1 id="view-title" tabIndex={-1}>
        {name}
      </h1>
      {problem !== null ? (
        <ProblemPanel problem={problem} />
      ) : task === null ? (
        <p class="loading">Loading the task…</p>
      ) : (
        <Details task={task} name={name} onCancel={take} />
      )}
    </section>
  );
}

interface DetailsProps {
  readonly task: Task;
  readonly name: string;
  readonly onCancel: (task: Task) => void;
}

function Details({ task, name, onCancel }: DetailsProps) {
  const listingId = listingIdBeside(task);
  const { warnings = [], dropped_assets: dropped } = task;
  return (
    <>
      <p class="meta">
        <StateBadge task={task} />
        <CreatedTime taskId={task.id} />
        <AgentNames task={task} />
        {listingId !== null && <span class="listing-id">Listing {listingId}</span>}
        <code class="task-id">{task.id}</code>
      </p>
      <ProgressLine task={task} label={`Progress of ${name}`} />
      {task.state === 'FAILED' && <Failure task={task} />}
      <TaskActions task={task} onCancel={onCancel} />
      {isActive(task) && (
        <figure class="screen">
          <Frame task={task} />
          <figcaption class="hint">The videos appear here together, when the last one is ready.</figcaption>
        </figure>
      )}
      {task.results.map((result, at) => (
        <ResultPart
          key={result.agent_id}
          result={result}
          name={resultTitle(task, at)}
          listing={fileTitle(task)}
        />
      ))}
      {warnings.length > 0 && <Warnings warnings={warnings} isFinished={task.state === 'SUCCEEDED'} />}
      {dropped.length > 0 && <Dropped dropped={dropped} />}
    </>
  );
}

function Failure({ task }: { readonly task: Task }) {
  const isCancelled = shownState(task) === 'CANCELLED';
  return (
    <div class={isCancelled ? 'ended' : 'problem'}>
      <h2>{isCancelled ? 'This task was cancelled' : 'This task failed'}</h2>
      {!isCancelled && <p class="failure">{task.failure_message}</p>}
      <p class="hint">
        {balance.value !== null && 'No credits were spent. '}An operator can run it again with{' '}
        <code>listing-video tasks retry {task.id}</code>.
      </p>
    </div>
  );
}

function Warnings({
  warnings,
  isFinished,
}: {
  readonly warnings: readonly string[];
  readonly isFinished: boolean;
}) {
  return (
    <section class="warnings" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Worth knowing</h2>
      <p class="hint">{isFinished && 'The videos are finished. '}Check these points:</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <p>{warning}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Dropped({ dropped }: { readonly dropped: readonly DroppedAsset[] }) {
  return (
    <section class="dropped" aria-labelledby="dropped-title">
      <h2 id="dropped-title">{countWords(dropped.length, 'asset')} dropped</h2>
      <p class="hint">These images failed a check and are not in the videos.</p>
      <ul>
        {dropped.map(({ url, reason }, index) => {
          const { heading, detail } = reasonParts(reason);
          return (
            <li key={index}>
              <p class="reason">
                <strong>{heading}</strong> {detail}
              </p>
              {/* Text, not a link: the URL comes from a stranger. */}
              <p class="asset-url">{url}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
