/** A text field for JSON with line numbers, which shows notes beside their lines. */
import { h } from './dom.js';

/** Maximum number of notes beside lines. The list below the editor has more. */
const MAX_NOTES = 200;

/**
 * @param labelId, describedBy - Ids of the elements that name and describe the field.
 * @returns `{element, field, setNotes(notes), goTo(start, end), show(offset), setText(text)}`; a note is `{line, column, text}`.
 */
export function jsonEditor({ labelId, describedBy, onInput }) {
  const numbers = h('pre', { class: 'numbers', 'aria-hidden': 'true' });
  const layer = h('div', { class: 'note-layer', 'aria-hidden': 'true' });
  const field = h('textarea', {
    class: 'code',
    'aria-labelledby': labelId,
    'aria-describedby': describedBy,
    wrap: 'off',
    spellcheck: 'false',
    autocapitalize: 'none',
    autocomplete: 'off',
    rows: '18',
    placeholder: '{\n  "id": "HP-204128",\n  "assets": [ … ],\n  "agents": [ … ]\n}',
  });
  const element = h(
    'div',
    { class: 'editor' },
    h('div', { class: 'gutter' }, numbers),
    h('div', { class: 'sheet' }, h('div', { class: 'note-window' }, layer), field),
  );
  let lineCount = 0;
  let marked = '';

  function drawNumbers() {
    const count = field.value.split('\n').length;
    if (count === lineCount) return;
    lineCount = count;
    numbers.textContent = Array.from({ length: count }, (_, index) => index + 1).join('\n');
  }

  function follow() {
    numbers.style.transform = `translateY(${-field.scrollTop}px)`;
    layer.style.transform = `translate(${-field.scrollLeft}px, ${-field.scrollTop}px)`;
  }

  function setNotes(notes) {
    const byLine = new Map();
    for (const note of notes) byLine.set(note.line, [...(byLine.get(note.line) ?? []), note.text]);
    const lines = field.value.split('\n');
    const height = lineHeight();
    layer.replaceChildren(
      ...[...byLine].slice(0, MAX_NOTES).map(([line, texts]) => {
        const text = (lines[line - 1] ?? '').replaceAll('\t', '  ');
        const more = texts.length > 1 ? ` (+${texts.length - 1} more)` : '';
        const band = h('div', { class: 'band' }, h('span', { class: 'note' }, `${texts[0]}${more}`));
        band.style.top = `${(line - 1) * height}px`;
        band.style.paddingLeft = `${text.length + 2}ch`;
        return band;
      }),
    );
    marked = notes.length > 0 ? field.value : '';
    follow();
  }

  /** Selects a span and brings it into view. */
  function goTo(start, end) {
    field.focus();
    field.setSelectionRange(start, end);
    show(start);
    field.scrollIntoView({ block: 'nearest' });
  }

  /** Scrolls only the field, so that the line of an offset is near its top. */
  function show(start) {
    const line = field.value.slice(0, start).split('\n').length;
    field.scrollTop = Math.max(0, (line - 4) * lineHeight());
    field.scrollLeft = 0;
    follow();
  }

  function setText(text) {
    field.value = text;
    field.scrollTop = 0;
    changed();
  }

  function changed() {
    drawNumbers();
    // The notes belong to the text that was sent, so an edit removes them.
    if (marked !== '' && marked !== field.value) setNotes([]);
    onInput();
  }

  function lineHeight() {
    return Number.parseFloat(getComputedStyle(field).lineHeight);
  }

  field.addEventListener('input', changed);
  field.addEventListener('scroll', follow, { passive: true });
  drawNumbers();
  return { element, field, setNotes, goTo, show, setText };
}
