/** The list of tasks: newest first, with a filter by state and pages, kept up to date. */
import { announce, h, setText, updateList } from './dom.js';
import { hasPoster, poster } from './media.js';
import { createdTime, problemPanel, progressLine, stateBadge } from './task-parts.js';
import { countWords, isActive, reasonWords, STATES, stateWord, taskTitle } from './words.js';

const PAGE_SIZE = 20;
/** The `starting_after` of each earlier page, so that "Newer" goes back one page. */
let trail = [];

/**
 * @param params - Of the address: `state`, `starting_after`.
 * @returns A view: `{title, element, ask(signal), onProblem(problem), leave()}`.
 */
export function taskListView({ ask, params, onTaskEnded }) {
  const state = STATES.includes(params.get('state')) ? params.get('state') : null;
  const startingAfter = params.get('starting_after');
  if (startingAfter === null) trail = [];

  const list = h('ol', { class: 'tasks', 'aria-label': 'Tasks', hidden: true });
  const notice = h('div', { class: 'notice' }, h('p', { class: 'loading' }, 'Loading tasks…'));
  const pages = h('nav', { class: 'pages', 'aria-label': 'Pages of tasks', hidden: true });
  const parts = new Map();
  let known = new Map();
  let shownPages = '';

  const element = h(
    'section',
    { 'aria-labelledby': 'view-title' },
    h(
      'div',
      { class: 'view-head' },
      h('h1', { id: 'view-title', tabindex: '-1' }, 'Tasks'),
      h('a', { class: 'button primary', href: '#/new' }, 'New video'),
    ),
    filterLine(state),
    notice,
    list,
    pages,
  );

  async function question(signal) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (state !== null) query.set('state', state);
    if (startingAfter !== null) query.set('starting_after', startingAfter);
    const { body, retryAfterMs } = await ask(`v1/tasks?${query}`, { signal });
    show(body);
    const hasChanged = remember(body.data);
    return { isBusy: body.data.some(isActive), hasChanged, retryAfterMs };
  }

  function show({ data, has_more: hasMore }) {
    notice.hidden = data.length > 0;
    list.hidden = data.length === 0;
    if (data.length === 0) notice.replaceChildren(emptyWords(state, startingAfter));
    updateList(list, parts, data, ({ id }) => id, taskItem);
    showPages(data.at(-1)?.id, hasMore);
  }

  function showPages(lastId, hasMore) {
    const wanted = `${hasMore ? lastId : ''}`;
    if (wanted === shownPages && pages.childElementCount > 0) return;
    shownPages = wanted;
    const newer = trail.at(-1);
    const isFocused = pages.contains(document.activeElement);
    pages.replaceChildren(
      startingAfter === null
        ? h('span', { class: 'gone' }, 'Newer')
        : h('a', { href: listHref(state, newer ?? null), onclick: () => trail.pop() }, 'Newer'),
      hasMore
        ? h('a', { href: listHref(state, lastId), onclick: () => trail.push(startingAfter) }, 'Older')
        : h('span', { class: 'gone' }, 'Older'),
    );
    pages.hidden = startingAfter === null && !hasMore;
    if (isFocused) pages.querySelector('a')?.focus();
  }

  /** Announces the tasks that ended since the last answer. @returns Whether anything changed. */
  function remember(data) {
    const now = new Map(data.map((task) => [task.id, task]));
    const ended = data.filter(
      (task) => !isActive(task) && known.has(task.id) && isActive(known.get(task.id)),
    );
    // With a filter on, a task that ends leaves the list.
    const hasChanged =
      data.some((task) => known.get(task.id)?.state !== task.state) ||
      [...known.keys()].some((id) => !now.has(id));
    const isSettled =
      ended.length > 0 || [...known.values()].some((task) => isActive(task) && !now.has(task.id));
    known = now;
    if (ended.length > 0) {
      announce(ended.map((task) => `${taskTitle(task)}: ${stateWord(task.state)}.`).join(' '));
    }
    if (isSettled) onTaskEnded();
    return hasChanged;
  }

  function onProblem(problem) {
    // The old list stays. The line above says that it is not current.
    if (problem === null || (parts.size > 0 && problem.status !== 401)) return;
    const isLostCursor = problem.status === 422 && startingAfter !== null;
    const retry = isLostCursor
      ? h('p', {}, h('a', { href: listHref(state, null) }, 'Go to the newest tasks'))
      : null;
    const shown = isLostCursor
      ? { status: 404, message: 'The task before this page no longer exists.' }
      : problem;
    list.replaceChildren();
    parts.clear();
    notice.hidden = false;
    notice.replaceChildren(problemPanel(shown, [retry]));
  }

  return {
    title: state === null ? 'Tasks' : `${stateWord(state)} tasks`,
    page: 'tasks',
    element,
    ask: question,
    onProblem,
  };
}

function filterLine(current) {
  const links = [null, ...STATES].map((state) =>
    h(
      'li',
      {},
      h(
        'a',
        { href: listHref(state, null), 'aria-current': state === current ? 'true' : null },
        state === null ? 'All' : stateWord(state),
      ),
    ),
  );
  return h('nav', { class: 'filter tabs', 'aria-label': 'Filter by state' }, h('ul', {}, links));
}

function listHref(state, startingAfter) {
  const query = new URLSearchParams();
  if (state !== null) query.set('state', state);
  if (startingAfter !== null) query.set('starting_after', startingAfter);
  return query.size === 0 ? '#/' : `#/?${query}`;
}

function emptyWords(state, startingAfter) {
  if (startingAfter !== null) return h('p', { class: 'empty' }, 'No older tasks.');
  if (state !== null) {
    return h(
      'p',
      { class: 'empty' },
      `No task is ${stateWord(state).toLowerCase()}. `,
      h('a', { href: '#/' }, 'Show all'),
    );
  }
  return h(
    'div',
    { class: 'empty' },
    h('p', { class: 'empty-head' }, 'No videos yet.'),
    h('p', {}, 'Submit a listing to get one video for each of its agents.'),
    h('p', {}, h('a', { class: 'button', href: '#/new' }, 'Make the first one')),
  );
}

function taskItem(task) {
  const name = taskTitle(task);
  const badge = stateBadge();
  const progress = progressLine(`Progress of ${name}`);
  const facts = h('span', { class: 'facts' });
  const failure = h('p', { class: 'failure' });
  const frame = h('div', { class: 'frame' });
  const element = h(
    'li',
    { class: 'task' },
    frame,
    h(
      'div',
      { class: 'task-body' },
      h('h2', {}, h('a', { href: `#/tasks/${task.id}` }, name)),
      h('p', { class: 'meta' }, badge.element, createdTime(task.id), listingId(task), facts),
      progress.element,
      failure,
    ),
  );
  let still = null;
  return {
    element,
    update(now) {
      badge.update(now);
      progress.update(now);
      setText(facts, factWords(now));
      setText(failure, now.state === 'FAILED' ? now.failure_message : '');
      failure.hidden = now.state !== 'FAILED';
      if (still === null && hasPoster(now.results[0])) {
        still = poster(now.results[0]);
        frame.append(still);
      }
      frame.dataset.state = now.state;
    },
  };
}

/** Without an address the name of the task has the id. */
function listingId({ listing_id: id, listing_address: address }) {
  return typeof id === 'string' && typeof address === 'string'
    ? h('span', { class: 'listing-id' }, id)
    : null;
}

function factWords(task) {
  const words = [];
  if (task.results.length > 0) words.push(countWords(task.results.length, 'video'));
  if (task.dropped_assets.length > 0) {
    const reasons = new Set(
      task.dropped_assets.map(({ reason }) => reasonWords(reason).heading.toLowerCase()),
    );
    words.push(
      `${countWords(task.dropped_assets.length, 'asset')} dropped (${[...reasons].slice(0, 2).join(', ')})`,
    );
  }
  return words.join(' · ');
}
