/** Elements that the task list and the task view share. */
import { h, setAttribute, setText } from './dom.js';
import { createdAt, dateWords, isActive, progressWords, stateWord } from './words.js';

/** The time at which a task was created; null when its id does not say. */
export function createdTime(taskId) {
  const created = createdAt(taskId);
  return created === null ? null : h('time', { datetime: created.toISOString() }, dateWords(created));
}

/** The state as a word and a mark with its own shape, because colour alone is not accessible. */
export function stateBadge() {
  const element = h('span', { class: 'state' });
  return {
    element,
    update(task) {
      setAttribute(element, 'data-state', task.state);
      setText(element, stateWord(task.state));
    },
  };
}

/** Progress bar and text of a waiting or running task; hidden otherwise. */
export function progressLine(label) {
  const bar = h('progress', { max: '100', 'aria-label': label });
  const words = h('span', { class: 'progress-words' });
  const element = h('div', { class: 'progress' }, bar, words);
  return {
    element,
    update(task) {
      element.hidden = !isActive(task);
      if (element.hidden) return;
      setAttribute(bar, 'value', task.state === 'PENDING' ? 0 : (task.progress?.percent ?? 0));
      setText(words, progressWords(task));
    },
  };
}

const PROBLEM_HEADINGS = {
  0: 'No connection',
  401: 'A key is needed',
  402: 'Not enough credits',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available right now',
};

/** The error that replaces the content when a request failed and there is nothing to show. */
export function problemPanel(problem, actions = []) {
  const askAgain =
    problem.status === 401
      ? h('p', {}, h('button', { type: 'button', onclick: () => location.reload() }, 'Enter a key'))
      : null;
  return h(
    'div',
    { class: 'problem' },
    h('h2', {}, PROBLEM_HEADINGS[problem.status] ?? 'Something went wrong'),
    h('p', {}, problem.message),
    actions,
    askAgain,
  );
}
