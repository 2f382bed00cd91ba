/** One task: its state and progress, then its videos with previews, or why it failed, its warnings, and what was dropped. */
import { announce, h, setText } from './dom.js';
import { mediaUrl, player } from './media.js';
import { createdTime, problemPanel, progressLine, stateBadge } from './task-parts.js';
import { countWords, dateWords, isActive, reasonWords, shortId, stateWord, taskTitle } from './words.js';

/** @returns A view, see `taskListView`. */
export function taskView({ ask, taskId, onTaskEnded, isMetered }) {
  let name = `Task ${shortId(taskId)}`;
  const badge = stateBadge();
  const progress = progressLine('Progress of this task');
  const notice = h('div', { class: 'notice' }, h('p', { class: 'loading' }, 'Loading the task…'));
  const listing = h('span', { class: 'listing-id' });
  const meta = h(
    'p',
    { class: 'meta' },
    badge.element,
    createdTime(taskId),
    listing,
    h('code', { class: 'task-id' }, taskId),
  );
  const outcome = h('div', { class: 'outcome' });
  const heading = h('h1', { id: 'view-title', tabindex: '-1' }, name);
  const element = h(
    'section',
    { 'aria-labelledby': 'view-title' },
    h('p', { class: 'back' }, h('a', { href: '#/' }, 'All tasks')),
    heading,
    meta,
    progress.element,
    notice,
    outcome,
  );
  meta.hidden = true;
  progress.element.hidden = true;
  let known = null;

  async function question(signal) {
    const { body: task, retryAfterMs } = await ask(`v1/tasks/${encodeURIComponent(taskId)}`, { signal });
    const hasChanged = task.state !== known?.state;
    const hasEnded = known !== null && isActive(known) && !isActive(task);
    show(task, hasChanged);
    known = task;
    if (hasEnded) {
      announce(`${name}: ${stateWord(task.state)}.`);
      onTaskEnded();
    }
    return { isBusy: isActive(task), hasChanged, retryAfterMs };
  }

  function show(task, hasChanged) {
    notice.hidden = true;
    meta.hidden = false;
    name = taskTitle(task);
    setText(heading, name);
    document.title = `${name} · Listing video`;
    badge.update(task);
    // Without an address the title has the id.
    const hasId = typeof task.listing_id === 'string' && typeof task.listing_address === 'string';
    setText(listing, hasId ? `Listing ${task.listing_id}` : '');
    listing.hidden = !hasId;
    progress.update(task);
    // An ended task never changes, and a playing video must not be replaced.
    if (hasChanged) outcome.replaceChildren(...outcomeParts(task, isMetered()));
  }

  function onProblem(problem) {
    if (problem === null) return true;
    const isFinal = problem.status === 404 || problem.status === 422;
    if (known === null || isFinal) {
      meta.hidden = true;
      notice.hidden = false;
      const shown = isFinal
        ? { status: 404, message: 'There is no such task, or it belongs to another organization.' }
        : problem;
      notice.replaceChildren(problemPanel(shown));
      outcome.replaceChildren();
    }
    return !isFinal;
  }

  return { title: name, page: 'task', element, ask: question, onProblem };
}

function outcomeParts(task, isMetered) {
  return [
    task.state === 'FAILED' ? failurePart(task, isMetered) : null,
    task.results.length > 0 ? h('div', { class: 'results' }, task.results.map(resultPart)) : null,
    isActive(task) ? waitingPart(task) : null,
    (task.warnings ?? []).length > 0 ? warningsPart(task.warnings) : null,
    task.dropped_assets.length > 0 ? droppedPart(task.dropped_assets) : null,
  ].filter((part) => part !== null);
}

function waitingPart(task) {
  return h(
    'figure',
    { class: 'screen' },
    h('div', { class: 'frame', 'data-state': task.state }),
    h('figcaption', { class: 'hint' }, 'The videos appear here together, when the last one is ready.'),
  );
}

function failurePart(task, isMetered) {
  return h(
    'div',
    { class: 'problem' },
    h('h2', {}, 'This task failed'),
    h('p', { class: 'failure' }, task.failure_message),
    h(
      'p',
      { class: 'hint' },
      isMetered ? 'No credits were spent. ' : null,
      'An operator can run it again with ',
      h('code', {}, `listing-video tasks retry ${task.id}`),
      '.',
    ),
  );
}

function resultPart(result, index) {
  const heading = `video-${index}`;
  const metadata = Object.entries(result.metadata ?? {});
  const video = player(result, `Video for agent ${result.agent_id}`);
  const element = h(
    'article',
    { class: 'result', 'aria-labelledby': heading },
    h('h2', { id: heading }, result.agent_id),
    h('figure', { class: 'screen' }, video),
    h(
      'p',
      { class: 'links' },
      h('a', { href: mediaUrl(result.url), download: fileName(result, 'mp4') }, 'Download the video'),
      copyButton(result.url, `Copy the address of the video for ${result.agent_id}`),
      h('time', { class: 'made', datetime: result.created_at }, dateWords(new Date(result.created_at))),
    ),
    result.preview_url === undefined ? null : previewPart(result),
    metadata.length === 0
      ? null
      : h(
          'dl',
          { class: 'metadata' },
          metadata.map(([key, value]) => h('div', {}, h('dt', {}, key), h('dd', {}, value))),
        ),
  );
  video.addEventListener('loadedmetadata', () => {
    element.classList.toggle('tall', video.videoHeight > video.videoWidth);
  });
  return element;
}

/** The GIF never stops, so it is shown only on request (WCAG 2.2.2). */
function previewPart(result) {
  const image = h('img', { alt: `Preview of the video for ${result.agent_id}`, decoding: 'async' });
  const details = h(
    'details',
    {
      class: 'preview',
      ontoggle: () => {
        if (details.open && !image.hasAttribute('src')) image.src = mediaUrl(result.preview_url);
      },
    },
    h('summary', {}, 'Preview GIF'),
    image,
    h(
      'p',
      { class: 'links' },
      h(
        'a',
        { href: mediaUrl(result.preview_url), download: fileName(result, 'gif') },
        'Download the preview',
      ),
    ),
  );
  return details;
}

function fileName({ agent_id: agentId }, extension) {
  return `${agentId.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'video'}.${extension}`;
}

function copyButton(text, label) {
  // Browsers offer the clipboard only on https and loopback.
  if (navigator.clipboard === undefined) return null;
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': label }, 'Copy the address');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      setText(button, 'Copied');
      announce('Address copied.');
    } catch {
      setText(button, 'Could not copy');
      announce('The browser did not allow copying.');
    }
  });
  return button;
}

function warningsPart(warnings) {
  return h(
    'section',
    { class: 'warnings', 'aria-labelledby': 'warnings-title' },
    h('h2', { id: 'warnings-title' }, 'Worth knowing'),
    h('p', { class: 'hint' }, 'The videos are finished. Check these points:'),
    h(
      'ul',
      {},
      warnings.map((warning) => h('li', {}, h('p', {}, warning))),
    ),
  );
}

function droppedPart(dropped) {
  return h(
    'section',
    { class: 'dropped', 'aria-labelledby': 'dropped-title' },
    h('h2', { id: 'dropped-title' }, `${countWords(dropped.length, 'asset')} dropped`),
    h('p', { class: 'hint' }, 'These images failed a check and are not in the videos.'),
    h(
      'ul',
      {},
      dropped.map(({ url, reason }) => {
        const { heading, detail } = reasonWords(reason);
        return h(
          'li',
          {},
          h('p', { class: 'reason' }, h('strong', {}, heading), detail === '' ? null : ` ${detail}`),
          // Text, not a link: the URL comes from a stranger.
          h('p', { class: 'asset-url' }, url),
        );
      }),
    ),
  );
}
