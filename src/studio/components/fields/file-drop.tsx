/** A place for one file: dropped in, or chosen with a button. The server copies it next to the listing. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FilePurpose } from '../../editor/protocol.ts';
import { announce } from '../../page/announce.ts';
import { sendFile } from '../../page/api.ts';

interface FileDropProps {
  readonly purpose: FilePurpose;
  /** Kinds of file, for the browser's window: `image/*`. */
  readonly accept: string;
  /** On the button. */
  readonly label: string;
  /** What the file is for, for people who hear the button. */
  readonly of: string;
  readonly onAdded: (url: string) => void;
  readonly children?: ComponentChildren;
  /** After the button. */
  readonly action?: ComponentChildren;
}

export function FileDrop({ purpose, accept, label, of, onAdded, children, action }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [work, setWork] = useState<{ readonly isBusy: boolean; readonly problem: string | null }>(IDLE);
  const add = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file === undefined || work.isBusy) return;
    setWork({ isBusy: true, problem: null });
    const answer = await sendFile(file, purpose);
    const problem = answer.kind === 'ok' ? null : `${file.name}: ${whyNot(answer)}`;
    setWork({ isBusy: false, problem });
    if (answer.kind === 'ok') onAdded(answer.value.url);
    announce(problem ?? `${of}: ${file.name} is added.`);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop is a shortcut of the button.
    <div
      class="file-drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        void add(event.dataTransfer?.files);
      }}
    >
      {children}
      <button
        type="button"
        aria-label={`${label}, ${of}`}
        {...(work.isBusy ? { 'aria-disabled': true } : {})}
        onClick={() => input.current?.click()}
      >
        {work.isBusy ? 'Adding …' : label}
      </button>
      {action}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          void add(currentTarget.files).then(() => {
            currentTarget.value = '';
          });
        }}
      />
      {work.problem !== null && <p class="fault">{work.problem}</p>}
    </div>
  );
}

const IDLE = { isBusy: false, problem: null };

function whyNot(answer: { readonly kind: string; readonly message?: string }): string {
  return answer.message ?? 'the studio does not answer';
}
