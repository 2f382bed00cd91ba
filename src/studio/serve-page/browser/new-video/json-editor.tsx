/** A text field for JSON with line numbers, which shows notes beside their lines. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

/** Maximum number of notes beside lines. The list below the editor has more. */
const MAX_NOTES = 200;

const PLACEHOLDER = '{\n  "id": "HP-204128",\n  "assets": [ … ],\n  "agents": [ … ]\n}';

export interface Note {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Good to know, and no mistake. */
  readonly isWarning?: boolean;
}

interface JsonEditorProps {
  readonly id: string;
  readonly labelId: string;
  readonly describedBy: string;
  readonly text: string;
  /** Of this text. */
  readonly notes: readonly Note[];
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onText: (text: string) => void;
}

export function JsonEditor({ id, labelId, describedBy, text, notes, field, onText }: JsonEditorProps) {
  const numbers = useRef<HTMLPreElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const lines = text.split('\n');
  const count = lines.length;
  const lineNumbers = useMemo(
    () => Array.from({ length: count }, (_, index) => index + 1).join('\n'),
    [count],
  );
  const follow = () => {
    const { scrollTop = 0, scrollLeft = 0 } = field.current ?? {};
    if (numbers.current) numbers.current.style.transform = `translateY(${-scrollTop}px)`;
    if (layer.current) layer.current.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
  };
  useLayoutEffect(follow, [notes]);
  return (
    <div class="editor">
      <div class="gutter">
        <pre class="numbers" ref={numbers} aria-hidden="true">
          {lineNumbers}
        </pre>
      </div>
      <div class="sheet">
        <div class="note-window">
          <div class="note-layer" ref={layer} aria-hidden="true">
            {groupByLine(notes)
              .slice(0, MAX_NOTES)
              .map(([line, ofLine]) => (
                <Band key={line} line={line} source={lines[line - 1] ?? ''} notes={ofLine} />
              ))}
          </div>
        </div>
        <textarea
          ref={field}
          id={id}
          class="code"
          aria-labelledby={labelId}
          aria-describedby={describedBy}
          aria-invalid={notes.some(({ isWarning }) => isWarning !== true) ? true : undefined}
          wrap="off"
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
          rows={18}
          placeholder={PLACEHOLDER}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onScroll={follow}
        />
      </div>
    </div>
  );
}

interface BandProps {
  readonly line: number;
  readonly source: string;
  readonly notes: readonly Note[];
}

function Band({ line, source, notes }: BandProps) {
  const more = notes.length > 1 ? ` (+${notes.length - 1} more)` : '';
  const kind = notes.every(({ isWarning }) => isWarning === true) ? 'warning' : 'violation';
  // A line is 1.6 em high, see new-video.css.
  const style = {
    top: `${(line - 1) * 1.6}em`,
    paddingLeft: `${source.replaceAll('\t', '  ').length + 2}ch`,
  };
  return (
    <div class="band" data-kind={kind} style={style}>
      <span class="note">
        {notes[0]?.text}
        {more}
      </span>
    </div>
  );
}

export function selectSpan(field: HTMLTextAreaElement, start: number, end: number): void {
  field.focus();
  field.setSelectionRange(start, end);
  scrollToPlace(field, start);
  field.scrollIntoView({ block: 'nearest' });
}

/** Scrolls only the field, so that the line of an offset is near its top. */
export function scrollToPlace(field: HTMLTextAreaElement, offset: number): void {
  const line = field.value.slice(0, offset).split('\n').length;
  field.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(field).lineHeight));
  field.scrollLeft = 0;
}

function groupByLine(notes: readonly Note[]): [number, Note[]][] {
  const byLine = new Map<number, Note[]>();
  for (const note of notes) byLine.set(note.line, [...(byLine.get(note.line) ?? []), note]);
  return [...byLine];
}
