/** The list of tasks: newest first, with a filter by state and pages, kept up to date. */
import { useRef, useState } from 'preact/hooks';
import { countWords } from '../../../../listing/words/count-words.ts';
import { announce } from '../../../components/announce.tsx';
import { reasonParts } from '../../../components/words.ts';
import { readAccount } from '../account.ts';
import { listAddress, NEW_VIDEO, taskAddress } from '../address.ts';
import { type ApiProblem, ask } from '../api.ts';
import { usePolling } from '../connection.ts';
import { mediaUrl } from '../media.ts';
import { ProblemPanel } from '../problem-panel.tsx';
import type { Task, TaskState } from '../task.ts';
import { useTitle } from '../title.ts';
import { isActive, STATES, shownState, stateWord, taskTitle } from '../words.ts';
import { AgentNames, CreatedTime, Frame, ProgressLine, StateBadge } from './task-parts.tsx';

const PAGE_SIZE = 20;
/** The `starting_after` of each earlier page, so that "Newer" goes back one page. */
let trail: (string | null)[] = [];

interface TaskListProps {
  readonly state: TaskState | null;
  readonly startingAfter: string | null;
}

interface TaskPage {
  readonly data: readonly Task[];
  readonly has_more: boolean;
}

export function TaskList({ state, startingAfter }: TaskListProps) {
  const [page, setPage] = useState<TaskPage | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const known = useRef<readonly Task[]>([]);
  if (startingAfter === null) trail = [];
  useTitle(state === null ? 'Tasks' : `${stateWord(state)} tasks`);
  usePolling(
    async (signal) => {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (state !== null) query.set('state', state);
      if (startingAfter !== null) query.set('starting_after', startingAfter);
      const { body, retryAfterMs } = await ask<TaskPage>(`v1/tasks?${query}`, { signal });
      const hasChanged = reportChanges(known.current, body.data);
      known.current = body.data;
      setPage(body);
      setProblem(null);
      return { isBusy: body.data.some(isActive), hasChanged, retryAfterMs };
    },
    (found) => {
      // An old list stays. The line above says that it is not current.
      if (found !== null && (known.current.length === 0 || found.status === 401)) setProblem(found);
      return true;
    },
  );
  return (
    <section aria-labelledby="view-title">
      <div class="view-head">
        <h1 id="view-title" tabIndex={-1}>
          Tasks
        </h1>
        <a class="button primary" href={NEW_VIDEO}>
          New video
        </a>
      </div>
      <Filter current={state} />
      {problem !== null ? (
        <ListProblem problem={problem} isLater={startingAfter !== null} state={state} />
      ) : page === null ? (
        <p class="loading">Loading tasks…</p>
      ) : page.data.length === 0 ? (
        <Nothing state={state} isLater={startingAfter !== null} />
      ) : (
        <ol class="tasks" aria-label="Tasks">
          {page.data.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ol>
      )}
      {page !== null && problem === null && <Pages state={state} startingAfter={startingAfter} page={page} />}
    </section>
  );
}

/** Announces the tasks that ended since the last answer. @returns Whether anything changed. */
function reportChanges(before: readonly Task[], now: readonly Task[]): boolean {
  const old = new Map(before.map((task) => [task.id, task]));
  const ids = new Set(now.map(({ id }) => id));
  const wasActive = ({ id }: Task) => old.has(id) && isActive(old.get(id)!);
  const ended = now.filter((task) => !isActive(task) && wasActive(task));
  if (ended.length > 0) {
    announce(ended.map((task) => `${taskTitle(task)}: ${stateWord(shownState(task))}.`).join(' '));
  }
  // With a filter on, a task that ends leaves the list.
  const gone = before.filter(({ id }) => !ids.has(id));
  if (ended.length > 0 || gone.some(isActive)) void readAccount();
  return gone.length > 0 || now.some(({ id, state }) => old.get(id)?.state !== state);
}

function Filter({ current }: { readonly current: TaskState | null }) {
  return (
    <nav class="filter tabs" aria-label="Filter by state">
      <ul>
        {[null, ...STATES].map((state) => (
          <li key={state}>
            <a href={listAddress(state, null)} aria-current={state === current ? 'true' : undefined}>
              {state === null ? 'All' : stateWord(state)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ListProblemProps {
  readonly problem: ApiProblem;
  readonly isLater: boolean;
  readonly state: TaskState | null;
}

function ListProblem({ problem, isLater, state }: ListProblemProps) {
  if (problem.status !== 422 || !isLater) return <ProblemPanel problem={problem} />;
  return (
    <ProblemPanel problem={{ status: 404, message: 'The task before this page no longer exists.' }}>
      <p>
        <a href={listAddress(state, null)}>Go to the newest tasks</a>
      </p>
    </ProblemPanel>
  );
}

function Nothing({ state, isLater }: { readonly state: TaskState | null; readonly isLater: boolean }) {
  if (isLater) return <p class="empty">No older tasks.</p>;
  if (state !== null) {
    return (
      <p class="empty">
        No task is {stateWord(state).toLowerCase()}. <a href="#/">Show all</a>
      </p>
    );
  }
  return (
    <div class="empty">
      <p class="empty-head">No videos yet.</p>
      <p>Submit a listing to get one video for each of its agents.</p>
      <p>
        <a class="button" href={NEW_VIDEO}>
          Make the first one
        </a>
      </p>
    </div>
  );
}

function TaskRow({ task }: { readonly task: Task }) {
  const name = taskTitle(task);
  const still = task.results[0]?.poster_url;
  return (
    <li class="task">
      <Frame task={task}>{still !== undefined && <Still key={still} url={still} />}</Frame>
      <div class="task-body">
        <h2>
          <a href={taskAddress(task.id)}>{name}</a>
        </h2>
        <p class="meta">
          <StateBadge task={task} />
          <CreatedTime taskId={task.id} />
          <AgentNames task={task} />
          <Facts task={task} />
        </p>
        <ProgressLine task={task} label={`Progress of ${name}`} />
        {shownState(task) === 'FAILED' && <p class="failure">{task.failure_message}</p>}
      </div>
    </li>
  );
}

/** A decorative still; the link beside it has the text. Gives way to the mark of the state if it cannot be loaded. */
function Still({ url }: { readonly url: string }) {
  const [isLost, setLost] = useState(false);
  if (isLost) return null;
  return (
    <img
      alt=""
      aria-hidden="true"
      loading="lazy"
      decoding="async"
      src={mediaUrl(url)}
      onError={() => setLost(true)}
    />
  );
}

function Facts({ task: { results, dropped_assets: dropped } }: { readonly task: Task }) {
  const words: string[] = [];
  if (results.length > 0) words.push(countWords(results.length, 'video'));
  if (dropped.length > 0) {
    const reasons = new Set(dropped.map(({ reason }) => reasonParts(reason).heading.toLowerCase()));
    words.push(`${countWords(dropped.length, 'asset')} dropped (${[...reasons].slice(0, 2).join(', ')})`);
  }
  return words.length === 0 ? null : <span>{words.join(' · ')}</span>;
}

interface PagesProps extends TaskListProps {
  readonly page: TaskPage;
}

function Pages({ state, startingAfter, page }: PagesProps) {
  const lastId = page.data.at(-1)?.id ?? null;
  if (startingAfter === null && !page.has_more) return null;
  return (
    <nav class="pages" aria-label="Pages of tasks">
      {startingAfter === null ? (
        <span class="gone">Newer</span>
      ) : (
        <a href={listAddress(state, trail.at(-1) ?? null)} onClick={() => trail.pop()}>
          Newer
        </a>
      )}
      {page.has_more ? (
        <a href={listAddress(state, lastId)} onClick={() => trail.push(startingAfter)}>
          Older
        </a>
      ) : (
        <span class="gone">Older</span>
      )}
    </nav>
  );
}
