/** The frame of the page: chooses the view for the address, and shows balance, key and connection. */
import { createApi } from './api.js';
import { announce, setText } from './dom.js';
import { createKeyDialog } from './key-dialog.js';
import { createPoller } from './poller.js';
import { submitView } from './submit-view.js';
import { taskListView } from './task-list-view.js';
import { taskView } from './task-view.js';
import { countWords } from './words.js';

const main = document.getElementById('main');
const balance = document.getElementById('balance');
const connection = document.getElementById('connection');
const forgetKey = document.getElementById('forget-key');
const exampleUrl = new URL('page/example/listing.json', document.baseURI);

const keys = createKeyDialog({
  onChange: (key) => {
    forgetKey.hidden = key === null;
  },
});
const ask = createApi({ base: document.baseURI.split('#')[0], keys });
forgetKey.hidden = keys.read() === null;

let view = null;
let poller = null;
/** Whether tasks cost credits, as far as this page knows. */
let isMetered = false;

function makeView(address) {
  const params = new URLSearchParams(address.split('?')[1] ?? '');
  const task = /^#\/tasks\/([\w-]+)/.exec(address);
  if (task !== null)
    return taskView({ ask, taskId: task[1], onTaskEnded: showBalance, isMetered: () => isMetered });
  if (address.startsWith('#/new')) return submitView({ ask, exampleUrl, onCreated });
  return taskListView({ ask, params, onTaskEnded: showBalance });
}

/** @param isFirst - True when the page has just opened: the focus then stays where the browser put it. */
function go({ isFirst = false } = {}) {
  const wasFilter = view?.page === 'tasks' && document.activeElement?.closest('.filter') instanceof Element;
  poller?.stop();
  view?.leave?.();
  view = makeView(location.hash);
  document.title = `${view.title} · Listing video`;
  main.replaceChildren(view.element);
  for (const link of document.querySelectorAll('[data-page]')) {
    if (link.dataset.page === view.page) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  poller = null;
  if (view.ask !== undefined) {
    poller = createPoller({ ask: view.ask, onProblem });
    poller.start();
  }
  if (isFirst) return;
  if (wasFilter && view.page === 'tasks') return main.querySelector('.filter [aria-current]').focus();
  scrollTo(0, 0);
  main.querySelector('h1').focus({ preventScroll: true });
}

function onCreated(taskId) {
  location.hash = `#/tasks/${taskId}`;
  showBalance();
}

/** @returns False when a repeated request would not help. */
function onProblem(problem, delayMs) {
  const isKnown = view.onProblem(problem) !== false;
  if (problem === null) {
    if (connection.textContent !== '') announce('The connection is back.');
    setText(connection, '');
    return true;
  }
  if (problem.status === 401) {
    setText(connection, 'Enter a key to continue.');
    return false;
  }
  if (!isKnown || problem.status === 403 || problem.status === 422) return false;
  const wait = `Trying again in ${Math.ceil(delayMs / 1000)} s.`;
  if (problem.status === 0) setText(connection, `The service cannot be reached. ${wait}`);
  else setText(connection, `${problem.message} ${wait}`);
  return true;
}

async function showBalance() {
  try {
    const { body } = await ask('v1/organization');
    isMetered = body.is_metered === true;
    setText(balance, isMetered ? `Balance: ${countWords(body.balance, 'credit')}` : '');
    balance.hidden = !isMetered;
  } catch {
    // The task list reports the problem. An outdated balance is hidden.
    balance.hidden = true;
  }
}

forgetKey.addEventListener('click', () => {
  keys.forget();
  location.hash = '#/';
  location.reload();
});
document.querySelector('.skip').addEventListener('click', (event) => {
  // The link's address would be read as the address of a view.
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => go());
go({ isFirst: true });
showBalance();
