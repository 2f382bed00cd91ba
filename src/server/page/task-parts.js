/** Elements that the task list and the task view share. */
import { h, setAttribute, setText } from './dom.js';
import { isActive, progressWords, stateWord } from './words.js';

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
      if (task.state === 'PENDING') setAttribute(bar, 'value', '0');
      else setAttribute(bar, 'value', String(task.progress?.percent ?? 0));
      setText(words, progressWords(task));
    },
  };
}

const TITLES_NAME = 'listing-video titles';
const MAX_TITLES = 200;

/** The API does not return the listing of a task, so this tab remembers the titles of the listings that it sent. */
export function rememberTitle(taskId, title) {
  if (title === '') return;
  const titles = readTitles().filter(([id]) => id !== taskId);
  titles.push([taskId, title]);
  try {
    sessionStorage.setItem(TITLES_NAME, JSON.stringify(titles.slice(-MAX_TITLES)));
  } catch {
    // Without storage, a task is named by its id.
  }
}

/** The title of the task, if this tab knows it, or null. */
export function knownTitle(taskId) {
  return readTitles().find(([id]) => id === taskId)?.[1] ?? null;
}

function readTitles() {
  try {
    const titles = JSON.parse(sessionStorage.getItem(TITLES_NAME) ?? '[]');
    return Array.isArray(titles) ? titles : [];
  } catch {
    return [];
  }
}

/** The error that replaces the content when a request failed and there is nothing to show. */
export function problemPanel(problem, actions = []) {
  const askAgain =
    problem.status === 401
      ? h('p', {}, h('button', { type: 'button', onclick: () => location.reload() }, 'Enter a key'))
      : null;
  return h(
    'div',
    { class: 'problem' },
    h('h2', {}, problemHeading(problem)),
    h('p', {}, problem.message),
    actions,
    askAgain,
  );
}

function problemHeading({ status }) {
  if (status === 0) return 'No connection';
  if (status === 401) return 'A key is needed';
  if (status === 402) return 'Not enough credits';
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 503) return 'Not available right now';
  return 'Something went wrong';
}
