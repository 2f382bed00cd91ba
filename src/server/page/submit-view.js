/** The form for a listing: paste, pick or drop it. Violations are shown beside their lines. */
import { announce, h } from './dom.js';
import { jsonEditor } from './editor.js';
import { findJsonFault, locateSpan, placeAt } from './json-places.js';
import { countWords, locWords } from './words.js';

/** Maximum number of violations in the list. */
const MAX_LISTED = 100;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Keeps the text while another view is open. */
let draft = '';
let idempotencyKey = null;
let idempotencyText = null;

/** @returns A view, see `taskListView`. It sends no request before the form is submitted. */
export function submitView({ ask, onCreated, exampleUrl }) {
  const editor = jsonEditor({ labelId: 'listing-label', describedBy: 'listing-help', onInput: keepDraft });
  const result = h('div', { class: 'submit-result', tabindex: '-1' });
  const send = h('button', { type: 'submit', class: 'primary' }, 'Create the videos');
  const picker = h('input', { type: 'file', id: 'listing-file', accept: '.json,application/json' });
  let isSending = false;

  const form = h(
    'form',
    { class: 'listing-form', onsubmit: submit },
    h(
      'div',
      { class: 'pick' },
      h('div', {}, h('label', { for: 'listing-file' }, 'Listing file'), picker),
      h('p', { class: 'hint' }, 'or drop a JSON file anywhere on this page, or paste it below.'),
    ),
    h(
      'div',
      { class: 'label-line' },
      h('label', { id: 'listing-label', for: 'listing-text' }, 'Listing'),
      h('button', { type: 'button', class: 'quiet', onclick: insertExample }, 'Insert an example'),
    ),
    editor.element,
    h(
      'p',
      { id: 'listing-help', class: 'hint' },
      '5 to 100 photos by their URLs, and 1 to 20 agents. Fields and limits are in the ',
      h('a', { href: 'docs' }, 'API reference'),
      '.',
    ),
    h('p', { class: 'actions' }, send),
  );
  editor.field.id = 'listing-text';
  picker.addEventListener('change', async () => {
    await useFile(picker.files?.[0]);
    // Allows to pick the same file again after a fix.
    picker.value = '';
  });
  const element = h(
    'section',
    { 'aria-labelledby': 'view-title' },
    h('h1', { id: 'view-title', tabindex: '-1' }, 'New video'),
    h('p', { class: 'lede' }, 'You get one video for each agent of the listing.'),
    form,
    result,
  );
  editor.setText(draft);

  async function submit(event) {
    event.preventDefault();
    if (isSending) return;
    const text = editor.field.value.replace(/^\uFEFF/, '');
    if (text !== editor.field.value) editor.setText(text);
    clear();
    if (text.trim() === '')
      return showFault('There is no listing yet', 'Paste one, pick a file, or insert the example.');
    const fault = findJsonFault(text);
    if (fault !== null) return showJsonFault(text, fault);
    setSending(true);
    try {
      const headers = { 'idempotency-key': keyFor(text) };
      const { body } = await ask('v1/tasks', { method: 'POST', body: text, headers });
      draft = '';
      idempotencyKey = null;
      announce('The task was created.');
      onCreated(body.id);
    } catch (problem) {
      if (problem.detail !== undefined && problem.detail !== null) showViolations(text, problem.detail);
      else showProblem(problem);
    } finally {
      setSending(false);
    }
  }

  function setSending(isNow) {
    isSending = isNow;
    // Not `disabled`, which would lose the focus.
    send.setAttribute('aria-disabled', String(isNow));
    send.textContent = isNow ? 'Sending…' : 'Create the videos';
  }

  function clear() {
    editor.setNotes([]);
    editor.field.removeAttribute('aria-invalid');
    result.replaceChildren();
  }

  function showViolations(text, detail) {
    const found = detail.map((violation) => ({ ...violation, ...placeOf(text, violation.loc) }));
    editor.setNotes(
      found.map(({ line, column, loc, type, msg }) => ({ line, column, text: noteWords(loc, type, msg) })),
    );
    if (found.length > 0) editor.show(found[0].start);
    editor.field.setAttribute('aria-invalid', 'true');
    const heading = `${countWords(detail.length, 'mistake')} to fix`;
    show(
      heading,
      h(
        'ol',
        { class: 'violations' },
        found.slice(0, MAX_LISTED).map((violation) => violationItem(text, violation)),
      ),
      found.length > MAX_LISTED ? h('p', { class: 'hint' }, `and ${found.length - MAX_LISTED} more.`) : null,
    );
  }

  function violationItem(text, { line, column, start, end, loc, msg }) {
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'violation', onclick: () => editor.goTo(start, end) },
        h('span', { class: 'line' }, `Line ${line}`),
        h('span', { class: 'what' }, h('code', {}, locWords(loc)), ` ${msg}`),
        sourceLine(text, line, column, end - start),
      ),
    );
  }

  function showJsonFault(text, { offset, length, message, hint }) {
    const { line, column } = placeAt(text, offset, length);
    const msg = hint === undefined ? message : `${message}; ${hint}`;
    editor.setNotes([{ line, column, text: msg }]);
    editor.show(offset);
    editor.field.setAttribute('aria-invalid', 'true');
    const end = Math.min(text.length, offset + length);
    const violation = { line, column, start: offset, end, loc: ['body'], msg };
    show('This is not JSON', h('ol', { class: 'violations' }, violationItem(text, violation)));
  }

  function showProblem(problem) {
    const { status, code, context } = problem;
    if (status === undefined) throw problem;
    if (status === 0) {
      return showFault(
        'No connection',
        'Nothing is lost. Send the listing again when the service is back: it is never rendered twice.',
      );
    }
    if (status === 401) return showFault('A key is needed', 'Send the listing again and enter a key.');
    if (code === 'insufficient_balance' && context !== null) {
      return showFault(
        'Not enough credits',
        `This listing costs ${countWords(context.required, 'credit')}; your balance is ${context.balance}.`,
      );
    }
    if (code === 'template_not_found' && Array.isArray(context?.available)) {
      return showFault('No such template', `${problem.message} Available: ${context.available.join(', ')}.`);
    }
    if ((status === 429 || status === 503) && problem.retryAfterMs !== null) {
      return showFault(
        status === 429 ? 'Too many requests' : 'Not available right now',
        `${problem.message} Try again in ${Math.ceil(problem.retryAfterMs / 1000)} s.`,
      );
    }
    return showFault(status === 403 ? 'Not allowed' : 'The listing was not accepted', problem.message);
  }

  function showFault(heading, words) {
    show(heading, h('p', {}, words));
  }

  function show(heading, ...content) {
    const box = h('div', { class: 'problem' }, h('h2', {}, heading), content);
    result.replaceChildren(box);
    announce(`${heading}.`, { isUrgent: true });
    result.focus({ preventScroll: true });
    result.scrollIntoView({ block: 'nearest' });
  }

  function keepDraft() {
    draft = editor.field.value;
  }

  function replaceText(text, announcement) {
    editor.setText(text);
    clear();
    announce(announcement);
    editor.field.focus();
    editor.field.setSelectionRange(0, 0);
  }

  async function insertExample() {
    try {
      const response = await fetch(exampleUrl);
      replaceText(await response.text(), 'Example inserted.');
    } catch {
      showFault('No connection', 'The example could not be loaded.');
    }
  }

  async function useFile(file) {
    if (file === undefined || file === null) return;
    clear();
    if (file.size > MAX_FILE_BYTES)
      return showFault(
        'This file is too large',
        `${file.name} is larger than 4 MiB, the limit for a listing.`,
      );
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      replaceText(text, `${file.name} loaded.`);
    } catch {
      showFault('This file cannot be read', `${file.name} is not UTF-8 text.`);
    }
  }

  function onDragOver(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    element.classList.add('dropping');
  }

  function onDragLeave(event) {
    if (event.relatedTarget === null) element.classList.remove('dropping');
  }

  function onDrop(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    element.classList.remove('dropping');
    useFile(event.dataTransfer.files[0]);
  }

  const leaving = new AbortController();
  const { signal } = leaving;
  document.addEventListener('dragover', onDragOver, { signal });
  document.addEventListener('dragleave', onDragLeave, { signal });
  document.addEventListener('drop', onDrop, { signal });

  return { title: 'New video', page: 'new', element, leave: () => leaving.abort() };
}

/** One key for one text: if the answer is lost, sending the same text again must not create a second task. */
function keyFor(text) {
  if (idempotencyKey === null || idempotencyText !== text) {
    // Not randomUUID, which browsers lack on plain http except for loopback.
    idempotencyKey = `page-${[...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')}`;
    idempotencyText = text;
  }
  return idempotencyKey;
}

/** The text of a violation. For a missing property it names the property, which its line cannot show. */
function noteWords(loc, type, msg) {
  return type === 'missing' ? `${loc.at(-1)}: ${msg}` : msg;
}

function placeOf(text, loc) {
  const { start, end } = locateSpan(text, loc) ?? { start: 0, end: 0 };
  const { line, column } = placeAt(text, start, 1);
  return { start, end, line, column };
}

/** The line of the text with the invalid part marked. */
function sourceLine(text, line, column, length) {
  const source = text.split('\n')[line - 1] ?? '';
  // A line can be the whole file, so only the text around the place is shown.
  const from = Math.max(0, column - 1 - 60);
  const until = Math.min(source.length, column - 1 + length);
  return h(
    'code',
    { class: 'source' },
    (from > 0 ? '…' : '') + source.slice(from, column - 1).trimStart(),
    h('mark', {}, source.slice(column - 1, Math.min(until, column + 120))),
    source.slice(until, until + 40),
  );
}
