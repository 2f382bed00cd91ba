/** What the list of tasks and the page of a task share. */
import type { ComponentChildren } from 'preact';
import type { Task } from '../task.ts';
import { createdAt, dateWords, isActive, shownState, stateWord, taskProgressWords } from '../words.ts';

/** More than this many names of agents end with `others`. */
const MAX_NAMES = 4;

/** The time at which a task was created; nothing when its id does not say. */
export function CreatedTime({ taskId }: { readonly taskId: string }) {
  const created = createdAt(taskId);
  return created === null ? null : <time dateTime={created.toISOString()}>{dateWords(created)}</time>;
}

/** The state as a word and a mark with its own shape, because color alone is not accessible. */
export function StateBadge({ task }: { readonly task: Task }) {
  const state = shownState(task);
  return (
    <span class="state" data-state={state}>
      {stateWord(state)}
    </span>
  );
}

/** Whose videos they are; nothing where an earlier version stored the task. */
export function AgentNames({ task: { agent_names: names = [] } }: { readonly task: Task }) {
  // An agent with a video in each shape is one person.
  const known = [...new Set(names)].filter((name) => name !== '');
  if (known.length === 0) return null;
  const words = known.length > MAX_NAMES ? [...known.slice(0, MAX_NAMES - 1), 'others'] : known;
  return <span class="agent-names">{new Intl.ListFormat('en').format(words)}</span>;
}

export function ProgressLine({ task, label }: { readonly task: Task; readonly label: string }) {
  if (!isActive(task)) return null;
  const percent = task.state === 'PENDING' ? 0 : (task.progress?.percent ?? 0);
  return (
    <div class="progress">
      <progress max={100} value={percent} aria-label={label} />
      <span class="progress-words">{taskProgressWords(task)}</span>
    </div>
  );
}

/** The place of a video: a still, or a calm mark of the state while there is none. */
export function Frame({ task, children }: { readonly task: Task; readonly children?: ComponentChildren }) {
  return (
    <div class="frame" data-state={shownState(task)}>
      {children}
    </div>
  );
}
